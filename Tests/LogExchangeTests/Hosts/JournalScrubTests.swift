import EventLog
import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

@Suite("Erased bytes in a server's folder of journals", .timeLimit(.minutes(3)))
struct JournalScrubTests {
    @Test(
        "No file of a journal that no client visits has what a member erased, after its time and a sweep or two, and all has what is left"
    )
    func scrubbed() async throws {
        var generator = SeededGenerator(seed: 61)
        let texts = (0..<100).map { _ in
            (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
        }
        let search = CanarySearch(texts.map { Array($0.utf8) })
        let founder = try TestReplica("founder", founding: true)
        for text in texts {
            let change = Change(path: FieldPath(field: 1), value: Array(text.utf8))
            let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
            _ = try await founder.log.append(
                Payload(author: "ana", events: [Event(verb: .created, entity: entity, changes: [change])]))
        }
        let clock = ManualClock()
        let options = { @Sendable (options: inout JournalFolder.Options) in
            options.syncsCommits = true
            options.dependencies.now = { clock.now }
        }
        let hub = HubFixture(.anyone, options)
        try await hub.exchange(founder)
        let commits = try founder.log.read { log in
            var commits: [CommitID] = []
            try log.forEachCommit(after: .start) { commit in
                let id = CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
                if commit.header.sequence.rawValue > 1, !commit.header.isMembership { commits.append(id) }
                return true
            }
            return commits
        }
        #expect(commits.count == texts.count)
        let gone = Set(stride(from: 1, to: commits.count, by: 2))
        for number in gone { try await founder.log.erase(.all, in: commits[number]) }
        try await hub.exchange(founder)
        let path = hub.folder.folder(of: founder.log.journal).path
        func close(_ hub: HubFixture) async throws {
            await hub.folder.close()
            try await hub.rest()
            try await eventually { try !Environment.isOpen(at: path + "/log") }
        }
        try await close(hub)
        #expect(!gone.isDisjoint(with: try search.found(inFilesOf: path).keys))

        let later = HubFixture(.anyone, in: hub.place, options)
        #expect(try await later.folder.removeDue() == 0)
        clock.advance(by: 7 * 86_400_000 - 10_000)
        #expect(try await later.folder.removeDue() == 0)
        #expect(Set(try search.found(inFilesOf: path).keys) == Set(texts.indices))
        clock.advance(by: 20_000)
        // What is due goes as the journal is opened for the sweep.
        try await later.folder.removeDue()
        // The file is rewritten when it is opened again.
        try await eventually { try !Environment.isOpen(at: path + "/log") }
        #expect(try await later.folder.removeDue() == 0)
        #expect(await later.folder.openJournals == [])
        try await eventually { try !Environment.isOpen(at: path + "/log") }
        #expect(Set(try search.found(inFilesOf: path).keys) == Set(texts.indices).subtracting(gone))
        #expect(try await later.exchange(founder).sent.commits == 0)
        try await close(later)
        #expect(Set(try search.found(inFilesOf: path).keys) == Set(texts.indices).subtracting(gone))
        #expect(try await later.hashes(founder.log.journal) == Set(try founder.hashes()))
    }

    @Test("What a client erases goes at a sweep after its time also while the client stays connected")
    func connected() async throws {
        let clock = ManualClock()
        let hub = HubFixture(.anyone) { $0.dependencies.now = { clock.now } }
        let founder = try await TestReplica("founder", founding: true).write(2)
        let peer = SessionPeer(try await hub.connect(founder), for: founder.log, remembers: false)
        try await founder.exchange(with: peer)
        // Nothing is erased yet.
        #expect(try await hub.folder.removeDue() == 0)
        try await founder.log.erase(.all, in: try founder.newestCommit())
        try await founder.exchange(with: peer)
        #expect(try await hub.folder.removeDue() == 0)
        clock.advance(by: 7 * 86_400_000 + 10_000)
        #expect(try await hub.folder.removeDue() == 1)
        #expect(peer.session.failure == nil)
        peer.session.close()
        try founder.expectIntact()
    }

    @Test("A client that stays connects again at the second sweep after bytes were removed, which rewrites the file")
    func staying() async throws {
        let clock = ManualClock()
        let hub = HubFixture(.anyone) { options in
            options.syncsCommits = true
            options.dependencies.now = { clock.now }
        }
        let secret = Array("a secret that is nowhere else".utf8)
        let founder = try await TestReplica("founder", founding: true).write(1)
        let change = Change(path: FieldPath(field: 1), value: secret)
        let event = Event(
            verb: .created, entity: EntityReference(kind: EntityKind(rawValue: 1), id: UUID()), changes: [change])
        _ = try await founder.log.append(Payload(author: "ana", events: [event]))
        let peer = SessionPeer(try await hub.connect(founder), for: founder.log, remembers: false)
        try await founder.exchange(with: peer)
        let path = hub.folder.folder(of: founder.log.journal).path
        #expect(try CanarySearch([secret]).found(inFilesOf: path).count == 1)
        try await founder.log.erase(.all, in: try founder.newestCommit())
        try await founder.exchange(with: peer)
        clock.advance(by: 7 * 86_400_000 + 10_000)
        #expect(try await hub.folder.removeDue() == 1)
        #expect(peer.session.failure == nil)
        #expect(try await hub.folder.removeDue() == 0)
        try await eventually { peer.session.failure != nil }
        try await eventually { try !Environment.isOpen(at: path + "/log") }
        try await hub.exchange(founder)
        #expect(try CanarySearch([secret]).found(inFilesOf: path).isEmpty)
        // The journal is served as before.
        let next = SessionPeer(try await hub.connect(founder), for: founder.log, remembers: false)
        #expect(try await hub.folder.removeDue() == 0)
        try await founder.write(1)
        #expect(try await founder.exchange(with: next).sent.commits == 1)
        next.session.close()
        #expect(try await hub.hashes(founder.log.journal) == Set(try founder.hashes()))
        try founder.expectIntact()
    }
}
