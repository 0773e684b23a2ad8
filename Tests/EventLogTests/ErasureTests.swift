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

    /// A log whose last commit has three events.
    private static func writing(_ fixture: LogFixture) async throws -> (log: Log, commit: CommitID) {
        let log = try fixture.open()
        _ = try await log.appendSamples(2)
        let payload = Payload(author: "ana", events: secrets.flatMap { Payload.sample($0).events })
        let written = try #require(try await log.append(payload))
        return (log, CommitID(replica: log.replica, sequence: written.sequence, hash: written.hash))
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

    @Test("An event goes, the others keep their places, and every proof stands", arguments: 0..<3)
    func oneEvent(erased: Int) async throws {
        let fixture = LogFixture()
        let (log, id) = try await Self.writing(fixture)
        let digest = try log.read { try $0.erasureDigest() }
        #expect(digest == nil)
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
        let erasure = try #require(try log.read { try $0.erasures(of: id.hash) }.first)
        #expect(erasure.eraser == log.replica && erasure.time == fixture.clock.now && erasure.commit == id)
        // Erasing it again changes nothing.
        let count = try log.read { try $0.rewriteCount() }
        try await log.erase(.events(erased), in: id)
        let after = try log.read { try $0.rewriteCount() }
        #expect(count == 1 && after == 1)
        try fixture.expectIntact()
    }

    @Test("Of what is erased bit by bit one statement is kept, that of all of it")
    func bitByBit() async throws {
        let fixture = LogFixture()
        let (log, id) = try await Self.writing(fixture)
        try await log.erase(.events(0), in: id)
        try await log.erase(.events(2), in: id)
        let erasures = try log.read { try $0.erasures(of: id.hash) }
        #expect(erasures.map(\.leaves) == [.events(0, 2)])
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

    @Test("A replica erases its own commits, and never its introduction")
    func notErasable() async throws {
        let (fixture, peer) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let (log, id) = try await Self.writing(fixture)
        let other = try peer.open(journal: log.journal)
        for segment in try await log.allSegments() { try await other.store(segment) }
        let first = try #require(try log.commits().first)
        let introduction = CommitID(replica: log.replica, sequence: first.header.sequence, hash: first.hash)
        let unknown = CommitID(replica: log.replica, sequence: id.sequence, hash: .zero)
        for (log, id) in [(other, id), (log, introduction), (log, unknown)] {
            let error = await #expect(throws: EventLogError.self) { try await log.erase(.all, in: id) }
            #expect(error?.code == .notErasable)
        }
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }

    @Test(
        "A replica that gets the commit gets the erasure with it, and the erased bytes from no replica",
        arguments: [true, false])
    func handedOn(wasHeldBefore: Bool) async throws {
        let (fixture, peer) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let (log, id) = try await Self.writing(fixture)
        let other = try peer.open(journal: log.journal)
        let whole = try await log.allSegments()
        if wasHeldBefore { for segment in whole { try await other.store(segment) } }
        try await log.erase(.events(1), in: id)
        let stored = try await other.store(try await log.allSegments())
        #expect(stored.rewritten == (wasHeldBefore ? 1 : 0))
        // A peer without the erasure offers everything.
        for segment in whole { try await other.store(segment) }
        let isThere = try Self.holds(Self.secrets[1], peer)
        #expect(!isThere)
        let (one, two) = (try log.commit(id), try other.commit(id))
        #expect(one.payload == two.payload && one.erased == two.erased)
        let (first, second) = (try log.read { try $0.erasureDigest() }, try other.read { try $0.erasureDigest() })
        #expect(first == second && first != nil)
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
        let segment = try #require(try await log.allSegments().last)
        let right = try #require(segment.erasures.first)
        let identity = ReplicaIdentity.generate(stranger.dependencies)
        func forged(_ leaves: ErasedLeaves, in commit: CommitID) throws -> [UInt8] {
            try Erasure(of: leaves, in: commit, of: log.journal, at: 1, by: identity).bytes
        }
        /// The author's statement with another's signature.
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

    @Test("A statement about a commit that is held whole takes the bytes away; one that does not count takes none")
    func kept() async throws {
        let (fixture, peer, stranger) = (LogFixture(seed: 1), LogFixture(seed: 2), LogFixture(seed: 3))
        let (log, id) = try await Self.writing(fixture)
        let other = try peer.open(journal: log.journal)
        let identity = ReplicaIdentity.generate(stranger.dependencies)
        try await log.erase(.events(2), in: id)
        let right = try #require(try log.read { try $0.erasures(of: id.hash) }.first)
        let early = try await other.keep([right])
        #expect(early == 0)
        // Before the erasure the segments were these.
        let wrong = [
            try Erasure(of: .all, in: id, of: log.journal, at: 1, by: identity),
            try Erasure(right.bytes.dropLast() + [(right.bytes.last ?? 0) ^ 1]),
        ]
        for segment in try await log.allSegments() { try await other.store(segment) }
        let kept = try await other.keep(wrong + [right])
        #expect(kept == 0)
        let commit = try other.commit(id)
        #expect(commit.erased == .events(2))
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }

    @Test(
        "Bytes that are missing for no reason are a finding, and any replica that has them heals it",
        arguments: [true, false])
    func healed(isAllGone: Bool) async throws {
        let (fixture, peer) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let (log, id) = try await Self.writing(fixture)
        let other = try peer.open(journal: log.journal)
        let whole = try await log.allSegments()
        for segment in whole { try await other.store(segment) }
        try await log.erase(.events(0), in: id)
        try await log.erase(isAllGone ? .all : .events(0, 1), in: id)
        // Removes the statement from the file.
        let key = try #require(try log.read { try $0.erasures(of: id.hash) }.first).key
        let table = log.tables.erasures
        try log.environment.write { transaction in _ = try transaction.delete(key, in: table) }
        let codes = try Self.report(fixture).findings.map(\.code)
        #expect(codes == ["payloadMissing"])
        let stored = try await log.store(whole)
        #expect(stored.commits == 0 && stored.rewritten == 1)
        let commit = try log.commit(id)
        #expect(commit.erased == nil && commit.payload?.events.count == 3)
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }
}
