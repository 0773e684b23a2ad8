import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

@Suite("Erasing")
struct ErasureTests {
    private static let secrets = ["first secret", "second secret", "third secret"]
    private static let day: Int64 = 86_400_000

    /// A log whose last commit has three events.
    private static func writing(_ fixture: LogFixture) async throws -> (log: Log, commit: CommitID) {
        let log = try fixture.open()
        _ = try await log.appendSamples(2)
        let payload = Payload(author: "ana", events: secrets.flatMap { Payload.sample($0).events })
        return (log, try #require(try await log.append(payload)).id)
    }

    /// Whether any row of the log holds a text.
    private static func holds(_ text: String, _ fixture: LogFixture) throws -> Bool {
        var isThere = false
        try EnvironmentRows(at: fixture.folder.path("log")).forEachRow(of: .log) { _, value in
            isThere = isThere || Data(value).range(of: Data(text.utf8)) != nil
        }
        return isThere
    }

    private static func report(_ fixture: LogFixture) throws -> VerificationReport {
        try LogVerifier.verify(EnvironmentRows(at: fixture.folder.path("log")))
    }

    private static func store(_ segments: [LineSegment], in log: Log) async throws {
        for segment in segments { try await log.store(segment) }
    }

    @Test("An event goes, the others keep their places, and every proof stands", arguments: 0..<3)
    func oneEvent(erased: Int) async throws {
        let fixture = LogFixture()
        let (log, id) = try await Self.writing(fixture)
        #expect(try log.read { try $0.erasureDigest() } == nil)
        try await log.erase(.events(erased), in: id)
        for (index, secret) in Self.secrets.enumerated() {
            let isThere = try Self.holds(secret, fixture)
            #expect(isThere == (index != erased))
        }
        let commit = try log.commit(id)
        #expect(commit.indexedEvents.map(\.index) == [0, 1, 2].filter { $0 != erased })
        #expect(commit.payload?.author == "ana" && commit.erased == .events(erased))
        let report = try Self.report(fixture)
        #expect(report.erasedEvents == 1 && report.erasedCommits == 0 && report.events == 4)
        let stated = try #require(try log.statedErasures().first)
        #expect(stated.eraser == log.replica && stated.time == fixture.clock.now && stated.commit == id)
        #expect(stated.leaves == .events(erased) && stated.state == .removed)
        // Erasing it again changes nothing.
        let (count, last) = try log.read { (try $0.rewriteCount(), try $0.lastPosition()) }
        try await log.erase(.events(erased), in: id)
        let (after, position) = try log.read { (try $0.rewriteCount(), try $0.lastPosition()) }
        #expect(count == 1 && after == 1 && last == position)
        try fixture.expectIntact()
    }

    @Test("Of what is erased bit by bit one erasure is kept, that of all of it")
    func bitByBit() async throws {
        let fixture = LogFixture()
        let (log, id) = try await Self.writing(fixture)
        try await log.erase(.events(0), in: id)
        try await log.erase(.events(2), in: id)
        #expect(try log.read { try $0.erasures(of: id.hash).map(\.leaves) } == [.events(0, 2)])
        try await log.erase(.all, in: id)
        let commit = try log.commit(id)
        #expect(commit.payload == nil && commit.erased == .all)
        let report = try Self.report(fixture)
        #expect(report.erasedCommits == 1 && report.erasedEvents == 0)
        try fixture.expectIntact()
        // And the log goes on.
        _ = try await log.appendSamples(1)
        try fixture.expectIntact()
    }

    @Test("What cannot be erased is refused with a reason, and then nothing is stated")
    func notErasable() async throws {
        let (fixture, peer) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let (log, id) = try await Self.writing(fixture)
        let other = try peer.open(journal: log.journal)
        try await Self.store(try await log.allSegments(), in: other)
        let first = try #require(try log.commits().first)
        let introduction = CommitID(replica: log.replica, sequence: first.header.sequence, hash: first.hash)
        let unknown = CommitID(replica: log.replica, sequence: id.sequence, hash: .zero)
        for (log, wrong, word) in [
            (other, id, "neither wrote it"), (log, introduction, "first of its line"), (log, unknown, "not held"),
        ] {
            let last = try log.read { try $0.lastPosition() }
            let parts = Dictionary([(id, ErasedLeaves.all), (wrong, .all)]) { first, _ in first }
            let error = await #expect(throws: EventLogError.self) { try await log.erase(parts) }
            #expect(error?.code == .notErasable && error?.message.contains(word) == true)
            #expect(try log.read { try $0.lastPosition() } == last)
        }
        try await log.erase(.all, in: id)
        let statement = try #require(try log.statedErasures().first).statement
        await #expect(throws: EventLogError.self) { try await log.erase(.all, in: statement) }
        let reader = try fixture.open(readOnly: true)
        let error = await #expect(throws: EventLogError.self) { try await reader.erase(.all, in: id) }
        #expect(error?.code == .readOnly)
        #expect(try reader.statedErasures().count == 1)
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }

    @Test("Another replica hides what is erased at once, and removes it after seven days", arguments: [true, false])
    func handedOn(wasHeldBefore: Bool) async throws {
        let (fixture, peer) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let (log, id) = try await Self.writing(fixture)
        let other = try peer.open(journal: log.journal)
        let whole = try await log.allSegments()
        if wasHeldBefore { try await Self.store(whole, in: other) }
        try await log.erase(.events(1), in: id)
        let stored = try await other.store(try await log.allSegments())
        #expect(stored.rewritten == (wasHeldBefore ? 1 : 0))
        // A peer without the statement offers everything: what is hidden and missing is not put back.
        try await Self.store(whole, in: other)
        #expect(try Self.holds(Self.secrets[1], peer) == wasHeldBefore)
        let (one, two) = (try log.commit(id), try other.commit(id))
        #expect(one.payload == two.payload && one.erased == two.erased && two.payload?.events.count == 2)
        #expect(try log.read { try $0.erasureDigest() } == other.read { try $0.erasureDigest() })
        let due = peer.clock.now + 7 * Self.day
        #expect(try other.statedErasures().map(\.state) == [wasHeldBefore ? .pending(removedFrom: due) : .removed])
        peer.clock.now = due - 1
        #expect(try await other.removeDue() == 0)
        peer.clock.now = due
        #expect(try await other.removeDue() == (wasHeldBefore ? 1 : 0))
        #expect(try !Self.holds(Self.secrets[1], peer))
        #expect(try other.commit(id).payload == two.payload)
        #expect(try other.read { try $0.holes() } == [])
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }

    @Test("Opening for writing removes what has become due")
    func opening() async throws {
        let (fixture, peer) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let (log, id) = try await Self.writing(fixture)
        var other: Log? = try peer.open(journal: log.journal)
        try await Self.store(try await log.allSegments(), in: #require(other))
        try await log.erase(.all, in: id)
        try await Self.store(try await log.allSegments(), in: #require(other))
        other = nil
        peer.clock.advance(by: 8 * Self.day)
        #expect(try peer.open(journal: log.journal).missing(of: id) == .all)
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }

    @Test("What is taken back is shown again, also where the bytes were removed")
    func takenBack() async throws {
        let (fixture, peer) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let (log, id) = try await Self.writing(fixture)
        let other = try peer.open(journal: log.journal)
        let whole = try await log.allSegments()
        try await Self.store(whole, in: other)
        try await log.erase([id: .events(0, 2)])
        try await Self.store(try await log.allSegments(), in: other)
        try await log.takeBack([id: .events(0)])
        try await Self.store(try await log.allSegments(), in: other)
        #expect(try other.commit(id).erased == .events(2) && log.commit(id).erased == .events(0, 2))
        // Here the bytes are a hole that an erasure explains, and come back from the other.
        #expect(try log.read { try $0.holes() }.map(\.isExplained) == [true])
        #expect(try await log.heal([id], from: #require(whole.last { $0.commitIDs().contains(id) })) == [id])
        #expect(try log.commit(id).payload == other.commit(id).payload)
        #expect(try log.read { try $0.holes() } == [])
        let states = try log.statedErasures().map(\.state)
        #expect(states == [.removed])
        try await log.takeBack([id: .all])
        #expect(try log.statedErasures().map(\.state) == [.takenBack(by: [log.replica])])
        let error = await #expect(throws: EventLogError.self) { try await log.takeBack([id: .all]) }
        #expect(error?.code == .noEffect)
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }

    enum Lie: CaseIterable, Sendable {
        case noErasure, ofOtherLeaves, ofOtherCommit, signedByAnother, notSigned, unreadable, ofMore
    }

    @Test("Holes that no erasure names by whom it concerns are refused", arguments: Lie.allCases)
    func unnamedHoles(lie: Lie) async throws {
        let (fixture, peer, stranger) = (LogFixture(seed: 1), LogFixture(seed: 2), LogFixture(seed: 3))
        let (log, id) = try await Self.writing(fixture)
        try await log.erase(.events(1), in: id)
        let segment = try #require(try await log.allSegments().first { !$0.erasures.isEmpty })
        let right = try #require(segment.erasures.first)
        let identity = ReplicaIdentity.generate(stranger.dependencies)
        func forged(_ leaves: ErasedLeaves, in commit: CommitID) throws -> [UInt8] {
            try Erasure(of: leaves, in: commit, of: log.journal, at: 1, by: identity).bytes
        }
        /// The author's erasure with another's signature.
        func altered(_ bytes: [UInt8]) -> [UInt8] { bytes.dropLast() + [(bytes.last ?? 0) ^ 1] }
        let erasures: [[UInt8]] =
            switch lie {
            case .noErasure: []
            case .ofOtherLeaves:
                [
                    try Erasure(
                        of: .events(0), in: id, of: log.journal, at: 1,
                        by: #require(try KeyFile(path: fixture.folder.path("replica.key")).read().first)
                    ).bytes
                ]
            case .ofOtherCommit:
                [
                    right,
                    try forged(
                        .events(1), in: CommitID(replica: id.replica, sequence: id.sequence, hash: .zero)),
                ]
            case .signedByAnother: [try forged(.events(1), in: id)]
            case .notSigned: [altered(right)]
            case .unreadable: [right + [0]]
            case .ofMore: [right, try forged(.all, in: id)]
            }
        let offered = LineSegment(
            journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
            commits: segment.commits, signature: segment.signature, erasures: erasures)
        let other = try peer.open(journal: log.journal)
        let error = await #expect(throws: EventLogError.self) { try await other.store(offered) }
        #expect(error?.code == .rejected)
        #expect(try other.isEmpty())
        try await other.store(segment)
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }

    @Test("A bare erasure hides and removes nothing, and what it explains is no fault and comes back")
    func bare() async throws {
        let signed = try await SignedErasures()
        let (log, other, id) = (signed.logs[0], signed.logs[1], signed.commit)
        let erasure = try signed.erasure(.events(2))
        #expect(try await log.keep([erasure]) == 0)
        #expect(try log.commit(id).erased == nil)
        let whole = try await other.allSegments()
        try log.lose(.events(2), of: id)
        #expect(try Self.report(signed.fixtures[0]).findings.map(\.code) == ["payloadMissing"])
        #expect(try log.read { try $0.searchedHoles().map(\.isExplained) } == [false])
        #expect(try await log.keep([erasure]) == 1)
        #expect(try Self.report(signed.fixtures[0]).erasedEvents == 1)
        #expect(try log.read { try $0.holes().map(\.isExplained) } == [true])
        try signed.expectIntact()
        #expect(try await log.store(whole).rewritten == 1)
        #expect(try log.commit(id).erased == nil && log.read { try $0.hasErasures() } == false)
        try signed.expectIntact()
    }

    @Test(
        "Bytes that are missing for no reason are a finding, and any replica that has them heals it",
        arguments: [true, false])
    func healed(isAllGone: Bool) async throws {
        let signed = try await SignedErasures()
        let (log, id) = (signed.logs[0], signed.commit)
        let whole = try await signed.logs[1].allSegments()
        // What is erased besides stays so.
        try await log.erase(.events(3), in: id)
        try log.lose(isAllGone ? .all : .events(0, 1), of: id)
        #expect(try Self.report(signed.fixtures[0]).findings.map(\.code) == ["payloadMissing"])
        let stored = try await log.store(whole)
        #expect(stored.commits == 0 && stored.rewritten == 1)
        #expect(try log.commit(id).erased == .events(3) && log.missing(of: id) == .events(3))
        try signed.expectIntact()
    }

    @Test("Names go with the first erasure that is new, also where the commits before it are erased already")
    func namesAfterACrash() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        // One more than the erasures that one commit states.
        var parts: [CommitID: ErasedLeaves] = [:]
        for number in 0...Payload.mostErasingBytes / 2 / Erasure.largestFrame {
            parts[try #require(try await log.append(.sample("secret \(number)"))).id] = .all
        }
        let last = try #require(parts.keys.max())
        #expect(try await log.erase(parts.filter { $0.key != last }).count == 1)
        let name = ErasedName(EntityReference(kind: EntityKind(rawValue: 1), id: UUID()))
        #expect(try await log.erase(parts, naming: [name]).count == 1)
        #expect(try log.read { try $0.erasedNames() } == [name])
        try fixture.expectIntact()
    }
}
