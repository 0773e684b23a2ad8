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

    private static func leaves(_ events: Int...) -> ErasedLeaves { .some(LeafSet(events: events)) }

    fileprivate static func commit(_ id: CommitID, in log: Log) throws -> RecordedCommit {
        try #require(try log.commits().first { $0.hash == id.hash })
    }

    /// Whether any row of the log has some text.
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
        try await log.erase(Self.leaves(erased), in: id)
        for (index, secret) in Self.secrets.enumerated() {
            let isThere = try Self.holds(secret, fixture)
            #expect(isThere == (index != erased))
        }
        let commit = try Self.commit(id, in: log)
        #expect(commit.indexedEvents.map(\.index) == [0, 1, 2].filter { $0 != erased })
        #expect(commit.payload?.author == "ana" && commit.erased == Self.leaves(erased))
        let report = try Self.report(fixture)
        #expect(report.erasedEvents == 1 && report.erasedCommits == 0 && report.events == 4)
        let erasure = try #require(try log.read { try $0.erasures(of: id.hash) }.first)
        #expect(erasure.eraser == log.replica && erasure.time == fixture.clock.now && erasure.commit == id)
        // Said again it changes nothing.
        let count = try log.read { try $0.rewriteCount() }
        try await log.erase(Self.leaves(erased), in: id)
        let after = try log.read { try $0.rewriteCount() }
        #expect(count == 1 && after == 1)
        try fixture.expectIntact()
    }

    @Test("Of what is erased bit by bit one statement is kept, that of all of it")
    func bitByBit() async throws {
        let fixture = LogFixture()
        let (log, id) = try await Self.writing(fixture)
        try await log.erase(Self.leaves(0), in: id)
        try await log.erase(Self.leaves(2), in: id)
        let erasures = try log.read { try $0.erasures(of: id.hash) }
        #expect(erasures.map(\.leaves) == [Self.leaves(0, 2)])
        try await log.erase(.all, in: id)
        let commit = try Self.commit(id, in: log)
        #expect(commit.payload == nil && commit.erased == .all)
        let report = try Self.report(fixture)
        #expect(report.erasedCommits == 1 && report.erasedEvents == 0)
        try fixture.expectIntact()
        // And the log goes on.
        _ = try await log.appendSamples(1)
        try fixture.expectIntact()
    }

    @Test("A replica erases what it wrote itself, and never what says who it is")
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
        "Whoever gets the commit gets the erasure with it, and what was erased from nobody", arguments: [true, false])
    func handedOn(wasHeldBefore: Bool) async throws {
        let (fixture, peer) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let (log, id) = try await Self.writing(fixture)
        let other = try peer.open(journal: log.journal)
        let whole = try await log.allSegments()
        if wasHeldBefore { for segment in whole { try await other.store(segment) } }
        try await log.erase(Self.leaves(1), in: id)
        let stored = try await other.store(try await log.allSegments())
        #expect(stored.rewritten == (wasHeldBefore ? 1 : 0))
        // Somebody who has not heard of it offers everything.
        for segment in whole { try await other.store(segment) }
        let isThere = try Self.holds(Self.secrets[1], peer)
        #expect(!isThere)
        let (one, two) = (try Self.commit(id, in: log), try Self.commit(id, in: other))
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
        try await log.erase(Self.leaves(1), in: id)
        let segment = try #require(try await log.allSegments().last)
        let right = try #require(segment.erasures.first)
        let identity = ReplicaIdentity.generate(stranger.surroundings)
        func forged(_ leaves: ErasedLeaves, in commit: CommitID) throws -> [UInt8] {
            try Erasure(of: leaves, in: commit, of: log.journal, at: 1, by: identity).bytes
        }
        /// The author's word with another's signature.
        func altered(_ bytes: [UInt8]) -> [UInt8] { bytes.dropLast() + [(bytes.last ?? 0) ^ 1] }
        let erasures: [[UInt8]] =
            switch lie {
            case .noErasure: []
            case .ofOtherLeaves:
                [
                    try Erasure(
                        of: Self.leaves(0), in: id, of: log.journal, at: 1,
                        by: #require(try KeyFile(path: fixture.folder.path("replica.key")).read().first)
                    ).bytes
                ]
            case .ofOtherCommit:
                [
                    right,
                    try forged(
                        Self.leaves(1), in: CommitID(replica: id.replica, sequence: id.sequence, hash: .zero)),
                ]
            case .signedByAnother: [try forged(Self.leaves(1), in: id)]
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
        let identity = ReplicaIdentity.generate(stranger.surroundings)
        try await log.erase(Self.leaves(2), in: id)
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
        let commit = try Self.commit(id, in: other)
        #expect(commit.erased == Self.leaves(2))
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }

    @Test(
        "Bytes that are missing for no reason are a finding, and are healed by whoever has them",
        arguments: [true, false])
    func healed(isAllGone: Bool) async throws {
        let (fixture, peer) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let (log, id) = try await Self.writing(fixture)
        let other = try peer.open(journal: log.journal)
        let whole = try await log.allSegments()
        for segment in whole { try await other.store(segment) }
        try await log.erase(Self.leaves(0), in: id)
        try await log.erase(isAllGone ? .all : Self.leaves(0, 1), in: id)
        // Somebody takes the statement out of the file.
        let key = try #require(try log.read { try $0.erasures(of: id.hash) }.first).key
        let table = log.tables.erasures
        try log.environment.write { transaction in _ = try transaction.delete(key, in: table) }
        let codes = try Self.report(fixture).findings.map(\.code)
        #expect(codes == ["payloadMissing"])
        let stored = try await log.store(whole)
        #expect(stored.commits == 0 && stored.rewritten == 1)
        let commit = try Self.commit(id, in: log)
        #expect(commit.erased == nil && commit.payload?.events.count == 3)
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }

    /// A log with a commit of eight events, and another log that holds it; and statements about it, signed by its author.
    private struct Signed {
        let fixtures = [LogFixture(seed: 1), LogFixture(seed: 2)]
        let logs: [Log]
        let commit: CommitID
        private let identity: ReplicaIdentity

        init() async throws {
            let log = try fixtures[0].open()
            let events = (0..<8).flatMap { Payload.sample("event \($0)").events }
            let written = try #require(try await log.append(Payload(events: events)))
            commit = CommitID(replica: log.replica, sequence: written.sequence, hash: written.hash)
            let other = try fixtures[1].open(journal: log.journal)
            for segment in try await log.allSegments() { try await other.store(segment) }
            logs = [log, other]
            identity = try #require(try KeyFile(path: fixtures[0].folder.path("replica.key")).read().first)
        }

        func erasure(_ leaves: ErasedLeaves, number: UInt32 = 0) throws -> Erasure {
            try Erasure(of: leaves, in: commit, of: logs[0].journal, at: 1, number: number, by: identity)
        }

        /// Each log gets what the other holds.
        func exchange() async throws {
            let held = try logs.map { try $0.read { try $0.erasures(of: commit.hash) } }
            for (log, erasures) in zip(logs, held.reversed()) { try await log.keep(erasures) }
        }

        func expectEqual() throws {
            let digests = try logs.map { try $0.read { try $0.erasureDigest() } }
            #expect(digests[0] == digests[1])
            let erased = try logs.map { try ErasureTests.commit(commit, in: $0).erased }
            #expect(erased[0] == erased[1])
            for fixture in fixtures { try fixture.expectIntact() }
        }
    }

    @Test("Of a commit four statements are kept that say different things; with a fifth every leaf goes")
    func bound() async throws {
        let signed = try await Signed()
        let (log, other) = (signed.logs[0], signed.logs[1])
        let statements = try (0..<7).map { try signed.erasure(Self.leaves($0)) }
        for statement in statements.prefix(4) { try await log.keep([statement]) }
        #expect(try Self.commit(signed.commit, in: log).erased == Self.leaves(0, 1, 2, 3))
        try await log.keep([statements[4]])
        let all = ErasedLeaves.some(LeafSet(0..<9))
        #expect(try Self.commit(signed.commit, in: log).erased == all)
        // More of them change nothing, and keep nobody from anything.
        for statement in statements { #expect(try await log.keep([statement]) == 0) }
        #expect(try log.read { try $0.erasures(of: signed.commit.hash).count } == 5)
        // Who got other ones comes to the same; also beside one that would make them superfluous.
        try await other.keep([try signed.erasure(Self.leaves(0, 1, 2, 3, 4, 5), number: 1)])
        try await signed.exchange()
        #expect(try Self.commit(signed.commit, in: other).erased == all)
        try signed.expectEqual()
        // Who holds none of it gets all with the commit.
        let third = LogFixture(seed: 3)
        let late = try third.open(journal: log.journal)
        for segment in try await log.allSegments() { try await late.store(segment) }
        #expect(try Self.commit(signed.commit, in: late).erased == all)
        try third.expectIntact()
        // And the whole payload may still go.
        try await other.keep([try signed.erasure(.all)])
        try await signed.exchange()
        #expect(try Self.commit(signed.commit, in: log).erased == .all)
        try signed.expectEqual()
    }

    @Test(
        "In whatever order statements come, both hold the same once each has what the other holds",
        arguments: Seeds.some(60))
    func anyOrder(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let signed = try await Signed()
        let statements = try (0..<Int.random(in: 1...10, using: &random)).map { _ in
            let events = (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: 0..<9, using: &random) }
            return try signed.erasure(
                Int.random(in: 0..<20, using: &random) == 0 ? .all : .some(LeafSet(events: events)),
                number: UInt32.random(in: 0...2, using: &random))
        }
        for log in signed.logs {
            for statement in statements.shuffled(using: &random) where Int.random(in: 0..<4, using: &random) > 0 {
                try await log.keep([statement])
            }
        }
        // What proves something together may have come about on both sides only with the first round.
        for _ in 0..<2 { try await signed.exchange() }
        try signed.expectEqual()
    }

    @Test("A statement that names what the commit does not have counts nowhere")
    func beyondTheCommit() async throws {
        let signed = try await Signed()
        let (log, other) = (signed.logs[0], signed.logs[1])
        let wrong = try signed.erasure(Self.leaves(1, 8))
        #expect(try await log.keep([wrong]) == 0)
        #expect(try Self.commit(signed.commit, in: log).erased == nil)
        try await log.keep([try signed.erasure(Self.leaves(1))])
        #expect(try await log.keep([wrong]) == 0)
        let segment = try #require(try await log.allSegments().last)
        let offered = LineSegment(
            journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
            commits: segment.commits, signature: segment.signature, erasures: segment.erasures + [wrong.bytes])
        let error = await #expect(throws: EventLogError.self) { try await other.store(offered) }
        #expect(error?.code == .rejected)
        // The author itself is not made to sign such a thing.
        try await log.erase(Self.leaves(2, 100), in: signed.commit)
        try await log.erase(Self.leaves(200), in: signed.commit)
        #expect(try Self.commit(signed.commit, in: log).erased == Self.leaves(1, 2))
        try await signed.exchange()
        try signed.expectEqual()
    }

    @Test("However its statements grow, a commit is written anew a bounded number of times")
    func growing() async throws {
        let signed = try await Signed()
        let (log, other) = (signed.logs[0], signed.logs[1])
        // Those that say more each time and bear one number go side by side, and the fifth takes each leaf.
        for count in 1...7 { try await log.keep([try signed.erasure(.some(LeafSet(events: 0..<count)))]) }
        #expect(try Self.commit(signed.commit, in: log).erased == .some(LeafSet(0..<9)))
        #expect(try log.read { try $0.rewriteCount() } == 5)
        // Whoever erases bit by bit counts on, as often as there are numbers.
        for number in 0...Erasure.greatestNumber {
            let count = Int(number) % 4 + 1
            try await other.keep([try signed.erasure(.some(LeafSet(events: 0..<count)), number: number)])
        }
        #expect(try other.read { try $0.erasures(of: signed.commit.hash).count } < 5)
        #expect(throws: WireError.self) {
            try Erasure(signed.erasure(Self.leaves(0), number: Erasure.greatestNumber + 1).bytes)
        }
        try await signed.exchange()
        try await signed.exchange()
        try signed.expectEqual()
    }

    @Test("A commit is erased in parts so often, and then as a whole")
    func mostParts() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let events = (0..<80).flatMap { Payload.sample("event \($0)").events }
        let written = try #require(try await log.append(Payload(events: events)))
        let id = CommitID(replica: log.replica, sequence: written.sequence, hash: written.hash)
        for event in 0...Int(Erasure.greatestNumber) { try await log.erase(Self.leaves(event), in: id) }
        #expect(try log.read { try $0.erasures(of: id.hash).count } == 1)
        let error = await #expect(throws: EventLogError.self) { try await log.erase(Self.leaves(70), in: id) }
        #expect(error?.code == .notErasable)
        try await log.erase(.all, in: id)
        #expect(try Self.commit(id, in: log).erased == .all)
        try fixture.expectIntact()
    }

    @Test("Beside its leaves a statement has room for little", arguments: [(300, true), (400, false)])
    func padding(count: Int, isRead: Bool) async throws {
        let signed = try await Signed()
        let right = try signed.erasure(Self.leaves(1))
        var padded: [UInt8] = []
        try right.bytes.withUnsafeBytes { raw in
            var reader = StrictReader(raw)
            var statement = WireWriter()
            statement.raw(try reader.field(1))
            statement.bytes(100, [UInt8](repeating: 0, count: count))
            var message = WireWriter()
            message.bytes(1, statement.finish())
            message.bytes(2, [UInt8](try reader.field(2)))
            padded = message.finish()
        }
        #expect(((try? Erasure(padded)) != nil) == isRead)
        for fixture in signed.fixtures { try fixture.expectIntact() }
    }
}
