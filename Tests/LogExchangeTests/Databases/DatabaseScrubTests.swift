import DatabaseSupport
import EventLog
import Events
import Foundation
import HubDatabase
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

/// A founder's canaries: texts in the events of commits, and in attachments. Every second one is to be erased.
private struct DatabaseCanaries {
    private static let inCommits = 900
    private static let attached = 100
    private static let eventsOfCommit = 10

    let texts: [String]
    let search: CanarySearch
    let founder: TestReplica
    /// The attachments' bytes, by canary.
    private(set) var contents: [Int: NamedContent] = [:]
    /// What is to be erased.
    private(set) var parts: [CommitID: ErasedLeaves] = [:]

    var all: Set<Int> { Set(texts.indices) }
    var gone: Set<Int> { all.filter { $0 % 2 == 1 } }
    var kept: Set<Int> { all.subtracting(gone) }
    /// Those that lie in logs.
    var logged: Set<Int> { Set(0..<Self.inCommits) }
    /// The last two attachments have two parts each.
    var large: Range<Int> { texts.count - 2..<texts.count }

    init() async throws {
        var generator = SeededGenerator(seed: 62)
        texts = (0..<Self.inCommits + Self.attached).map { _ in
            (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
        }
        search = CanarySearch(texts.map { Array($0.utf8) })
        founder = try TestReplica("founder", founding: true)
        for start in stride(from: 0, to: texts.count, by: Self.eventsOfCommit) {
            let numbers = start..<start + Self.eventsOfCommit
            let events = try numbers.map { $0 < Self.inCommits ? event($0) : try attachment($0) }
            let appended = try #require(try await founder.log.append(Payload(author: "ana", events: events)))
            let commit = CommitID(replica: founder.id, sequence: appended.sequence, hash: appended.hash)
            parts[commit] = .some(LeafSet(events: numbers.filter { gone.contains($0) }.map { $0 - start }))
            for number in numbers { contents[number].map { contents[number] = NamedContent($0.content, in: commit) } }
        }
    }

    /// A database cuts what is long into pieces of 2,000 bytes: of two copies one lies within a piece.
    private func event(_ number: Int) -> Event {
        let value = Array((texts[number] + String(repeating: ".", count: 64) + texts[number]).utf8)
        return Event(
            verb: .created, entity: EntityReference(kind: EntityKind(rawValue: 1), id: UUID()),
            changes: [Change(path: FieldPath(field: 1), value: value)])
    }

    private mutating func attachment(_ number: Int) throws -> Event {
        var bytes = Array(texts[number].utf8)
        if large.contains(number) { bytes += [UInt8](repeating: 46, count: ContentID.partSize) }
        var rest: [UInt8]? = bytes
        let content = try ContentFolder.beside(founder.log).add { rest.take() }
        let none = CommitID(replica: founder.id, sequence: SequenceNumber(1), hash: .zero)
        contents[number] = NamedContent(content, in: none)
        return Event(
            verb: .created,
            entity: EntityReference(
                kind: EntityKind(rawValue: 7),
                id: try #require(UUID(uuidString: "BDB40EC8-3610-4000-8000-00000000\(number + 1000)"))),
            changes: [Change(path: FieldPath(field: AttachmentNames.field), value: content.bytes)])
    }

    /// Sends all attachments, but of the large ones the first part alone, as where a connection ends.
    func send(to peer: any ContentPeer) async throws {
        let folder = ContentFolder.beside(founder.log)
        let whole = contents.filter { !large.contains($0.key) }.map(\.value)
        let report = try await ContentExchange(folder, with: peer).run(whole)
        #expect(report.sent.contents == whole.count && report.refused.isEmpty)
        for number in large {
            let named = try #require(contents[number])
            let outline = try #require(try folder.outline(of: named.content))
            #expect(try await peer.begin(named, outline) == 0)
            var part: [UInt8] = []
            try folder.read(0..<1, of: outline) { part = $0 }
            #expect(try await peer.store(part, at: 0, of: named) == 1)
        }
    }

    /// Those that files of a server's data have, without its write-ahead log.
    func found(in server: TestServer) async throws -> Set<Int> {
        try await server.sql("CHECKPOINT")
        return Set(try search.found(inFilesOf: server.folder + "/data", except: "pg_wal").keys)
    }
}

@Suite(
    "Erased bytes in a database, and in what its hubs have of it", .timeLimit(.minutes(10)),
    .enabled(if: TestServer.isAvailable, "\(TestServer.hint)"))
struct DatabaseScrubTests {
    private static let day: Int64 = 86_400_000
    private static let minute: Int64 = 60_000

    @Test(
        "No file of the database, or of its hubs, has what a member erased, after its time, a sweep of each hub and VACUUM FULL, and all has what is left"
    )
    func scrubbed() async throws {
        let server = try await TestServer()
        let clock = ManualClock()
        let hubs = try await DatabaseHubs.start(over: server) { $0.dependencies.now = { clock.now } }
        let canaries = try await DatabaseCanaries()
        let founder = canaries.founder
        let reader = try TestReplica("reader", journal: founder.log.journal)
        try await founder.log.grant(.write, to: reader.id)
        // Each hub has a client that stays, and so a copy.
        var peers = [try await hubs[0].peer(for: founder)]
        try await founder.exchange(with: peers[0])
        peers.append(try await hubs[1].peer(for: reader))
        try await reader.exchange(with: peers[1])
        try await canaries.send(to: try #require(peers[0].contents))
        // A planner's statistics are samples of the rows.
        try await server.sql("ANALYZE")
        #expect(try await canaries.found(in: server) == canaries.all)
        func found(at hub: DatabaseHubs.Hub) throws -> Set<Int> {
            // A hub that has dropped its only copy may have no folder.
            guard FileManager.default.fileExists(atPath: hub.place.url.path) else { return [] }
            return Set(try canaries.search.found(inFilesOf: hub.place.url.path).keys)
        }
        for hub in hubs.hubs { #expect(try canaries.logged.isSubset(of: found(at: hub))) }

        try await founder.log.erase(canaries.parts)
        try await founder.exchange(with: peers[0])
        try await reader.exchange(with: peers[1])
        let secret = Data(canaries.texts[1].utf8)
        for hub in hubs.hubs {
            try leave(secret, in: hub, at: clock.now)
            #expect(try await hub.folder.removeDue() == 0)
        }
        clock.advance(by: 7 * Self.day - Self.minute)
        for hub in hubs.hubs {
            #expect(try await hub.folder.removeDue() == 0)
            #expect(try canaries.logged.isSubset(of: found(at: hub)))
        }
        #expect(try await canaries.found(in: server) == canaries.all)

        clock.advance(by: 2 * Self.minute)
        // What was left before is too old by now, and this is not.
        for hub in hubs.hubs { try leave(secret, in: hub, at: clock.now - Self.day) }
        // Both look at the same time, and one of them removes it.
        async let first = hubs[0].folder.removeDue()
        async let second = hubs[1].folder.removeDue()
        let removed = try await [first, second]
        #expect(Set(removed) == [0, canaries.parts.count])
        for hub in hubs.hubs { #expect(try found(at: hub) == []) }
        for peer in peers { try await eventually { peer.session.failure != nil } }
        for statement in ["ANALYZE", "VACUUM FULL"] { try await server.sql(statement) }
        #expect(try await canaries.found(in: server) == canaries.kept)

        // Both clients go on, over new copies.
        try await founder.exchange(with: peers[0])
        try await reader.exchange(with: peers[1])
        for hub in hubs.hubs { #expect(try found(at: hub) == canaries.logged.intersection(canaries.kept)) }
        for (number, content) in canaries.contents where !canaries.large.contains(number) {
            let isHeld = try await #require(peers[0].contents).held([content], keeping: false)
            #expect(isHeld == [canaries.kept.contains(number)])
        }
        #expect(
            try await server.sql(
                "SELECT content_bytes = (SELECT sum(size) FROM tripstore.content) FROM tripstore.journal") == "t")
        #expect(try await hubs.gaps() == [])
        let place = TemporaryFolder()
        let verified = try await hubs[0].database.verify(founder.log.journal, in: place.url)
        #expect(verified.isIntact, "\(verified)")
        try await expectEqual([founder, reader])
        for hub in hubs.hubs { #expect(try await hub.folder.removeDue() == 0) }
    }

    /// Leaves what a hub keeps of a segment that did not arrive as a whole.
    private func leave(_ bytes: Data, in hub: DatabaseHubs.Hub, at time: Int64) throws {
        let folder = hub.place.url.appendingPathComponent("arriving/peer")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("run-\(time)")
        try bytes.write(to: file)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(time) / 1000)], ofItemAtPath: file.path)
    }

    /// A founder with an attachment that a database has.
    private func attached(_ hubs: DatabaseHubs) async throws -> TestReplica {
        let founder = try TestReplica("founder", founding: true)
        let content = try SentContent(700)
        let event = Event(
            verb: .created,
            entity: EntityReference(
                kind: EntityKind(rawValue: 7),
                id: try #require(UUID(uuidString: "BDB40EC8-3610-4000-8000-000000000001"))),
            changes: [Change(path: FieldPath(field: AttachmentNames.field), value: content.content.bytes)])
        let appended = try #require(try await founder.log.append(Payload(author: "ana", events: [event])))
        let commit = CommitID(replica: founder.id, sequence: appended.sequence, hash: appended.hash)
        let peer = try await hubs[0].peer(for: founder)
        try await founder.exchange(with: peer)
        let named = NamedContent(content.content, in: commit)
        #expect(try await #require(peer.contents).store(content.bytes, at: 0, of: named) == 1)
        peer.session.close()
        return founder
    }

    private static let contents = "SELECT count(*) FROM tripstore.content"

    @Test("An attachment's bytes go with the next sweep of a hub if the one that removed their name has ended since")
    func ended() async throws {
        let clock = ManualClock()
        let hubs = try await DatabaseHubs.start { $0.dependencies.now = { clock.now } }
        let founder = try await attached(hubs)
        try await founder.log.erase(.all, in: try founder.newestCommit())
        try await hubs[0].exchange(founder)
        clock.advance(by: 7 * Self.day + Self.minute)
        // A hub has tidied up today.
        _ = try await hubs.sql("UPDATE tripstore.journal SET tidied_at = \(clock.now)")
        try await hubs[0].exchange(founder)
        hubs[0].database.close()
        #expect(try await hubs.sql(Self.contents) == "1")
        #expect(try await hubs[1].folder.removeDue() == 0)
        #expect(try await hubs.sql(Self.contents) == "0")
        try founder.expectIntact()
    }

    @Test("A hub that had looked before removes what was erased through another one that has ended since")
    func unseen() async throws {
        let clock = ManualClock()
        let hubs = try await DatabaseHubs.start { $0.dependencies.now = { clock.now } }
        let founder = try await TestReplica("founder", founding: true).write(2)
        try await hubs[0].exchange(founder)
        #expect(try await hubs[1].folder.removeDue() == 0)
        clock.advance(by: Self.day)
        try await founder.log.erase(.all, in: try founder.newestCommit())
        try await hubs[0].exchange(founder)
        hubs[0].database.close()
        clock.advance(by: 7 * Self.day - Self.minute)
        // It looks once a week, and finds out when the bytes are due.
        #expect(try await hubs[1].folder.removeDue() == 0)
        clock.advance(by: 2 * Self.minute)
        #expect(try await hubs[1].folder.removeDue() == 1)
        #expect(try await hubs.gaps() == [])
        try founder.expectIntact()
    }

    @Test("An attachment whose commit's entry is damaged keeps its bytes until members have sent the commit again")
    func damaged() async throws {
        let clock = ManualClock()
        let hubs = try await DatabaseHubs.start(1) { $0.dependencies.now = { clock.now } }
        let founder = try await attached(hubs)
        _ = try await hubs.sql(
            """
            UPDATE tripstore.entry
            SET body = set_byte(body, octet_length(body) / 2, get_byte(body, octet_length(body) / 2) # 1)
            """)
        let later = try await hubs.another { $0.dependencies.now = { clock.now } }
        defer { later.database.close() }
        #expect(try await later.folder.removeDue() == 0)
        #expect(try await hubs.sql("SELECT count(*) > 0 FROM tripstore.entry WHERE set_aside IS NOT NULL") == "t")
        #expect(try await hubs.sql(Self.contents) == "1")
        try await later.exchange(founder)
        clock.advance(by: 2 * Self.day)
        let last = try await hubs.another { $0.dependencies.now = { clock.now } }
        defer { last.database.close() }
        #expect(try await last.folder.removeDue() == 0)
        #expect(try await hubs.sql(Self.contents) == "1")
        try founder.expectIntact()
    }
}
