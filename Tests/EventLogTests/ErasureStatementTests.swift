import Events
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

/// Several statements about one commit, in any order of arrival.
@Suite("Statements that erase")
struct ErasureStatementTests {
    @Test("Of a commit four statements are kept that say different things; with a fifth every leaf goes")
    func bound() async throws {
        let signed = try await SignedErasures()
        let (log, other) = (signed.logs[0], signed.logs[1])
        let statements = try (0..<7).map { try signed.erasure(.events($0)) }
        for statement in statements.prefix(4) { try await log.keep([statement]) }
        #expect(try log.commit(signed.commit).erased == .events(0, 1, 2, 3))
        try await log.keep([statements[4]])
        let all = ErasedLeaves.some(LeafSet(0..<9))
        #expect(try log.commit(signed.commit).erased == all)
        // More of them change nothing, and block nothing.
        for statement in statements { #expect(try await log.keep([statement]) == 0) }
        #expect(try log.read { try $0.erasures(of: signed.commit.hash).count } == 5)
        // A log with other statements reaches the same result; also beside one that would make them superfluous.
        try await other.keep([try signed.erasure(.events(0, 1, 2, 3, 4, 5), number: 1)])
        try await signed.exchange()
        #expect(try other.commit(signed.commit).erased == all)
        try signed.expectEqual()
        // A log without the commit gets all with it.
        let third = LogFixture(seed: 3)
        let late = try third.open(journal: log.journal)
        for segment in try await log.allSegments() { try await late.store(segment) }
        #expect(try late.commit(signed.commit).erased == all)
        try third.expectIntact()
        // And the whole payload may still be erased.
        try await other.keep([try signed.erasure(.all)])
        try await signed.exchange()
        #expect(try log.commit(signed.commit).erased == .all)
        try signed.expectEqual()
    }

    @Test(
        "In whatever order statements come, both hold the same once each has what the other holds",
        arguments: Seeds.some(60))
    func anyOrder(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let signed = try await SignedErasures()
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
        // Statements that prove something together may arrive on both sides only with the first round.
        for _ in 0..<2 { try await signed.exchange() }
        try signed.expectEqual()
    }

    @Test("A statement that names what the commit does not have counts nowhere")
    func beyondTheCommit() async throws {
        let signed = try await SignedErasures()
        let (log, other) = (signed.logs[0], signed.logs[1])
        let wrong = try signed.erasure(.events(1, 8))
        #expect(try await log.keep([wrong]) == 0)
        #expect(try log.commit(signed.commit).erased == nil)
        try await log.keep([try signed.erasure(.events(1))])
        #expect(try await log.keep([wrong]) == 0)
        let segment = try #require(try await log.allSegments().last)
        let offered = LineSegment(
            journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
            commits: segment.commits, signature: segment.signature, erasures: segment.erasures + [wrong.bytes])
        let error = await #expect(throws: EventLogError.self) { try await other.store(offered) }
        #expect(error?.code == .rejected)
        // The author itself refuses to sign such an erasure.
        try await log.erase(.events(2, 100), in: signed.commit)
        try await log.erase(.events(200), in: signed.commit)
        #expect(try log.commit(signed.commit).erased == .events(1, 2))
        try await signed.exchange()
        try signed.expectEqual()
    }

    @Test("However its statements grow, a commit is rewritten a bounded number of times")
    func growing() async throws {
        let signed = try await SignedErasures()
        let (log, other) = (signed.logs[0], signed.logs[1])
        // Those that say more each time under one number are kept side by side, and the fifth takes each leaf.
        for count in 1...7 { try await log.keep([try signed.erasure(.some(LeafSet(events: 0..<count)))]) }
        #expect(try log.commit(signed.commit).erased == .some(LeafSet(0..<9)))
        #expect(try log.read { try $0.rewriteCount() } == 5)
        // An eraser that erases bit by bit counts up, as often as there are numbers.
        for number in 0...Erasure.greatestNumber {
            let count = Int(number) % 4 + 1
            try await other.keep([try signed.erasure(.some(LeafSet(events: 0..<count)), number: number)])
        }
        #expect(try other.read { try $0.erasures(of: signed.commit.hash).count } < 5)
        #expect(throws: WireError.self) {
            try Erasure(signed.erasure(.events(0), number: Erasure.greatestNumber + 1).bytes)
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
        for event in 0...Int(Erasure.greatestNumber) { try await log.erase(.events(event), in: id) }
        #expect(try log.read { try $0.erasures(of: id.hash).count } == 1)
        let error = await #expect(throws: EventLogError.self) { try await log.erase(.events(70), in: id) }
        #expect(error?.code == .notErasable)
        try await log.erase(.all, in: id)
        #expect(try log.commit(id).erased == .all)
        try fixture.expectIntact()
    }

    @Test("Beside its leaves a statement has room for little", arguments: [(300, true), (400, false)])
    func padding(count: Int, isRead: Bool) async throws {
        let signed = try await SignedErasures()
        let right = try signed.erasure(.events(1))
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
