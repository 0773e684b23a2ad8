import Events
import StoreSupport
import Testing

@testable import EventLog

/// The erasures that are kept of one commit.
@Suite("Erasures of one commit")
struct ErasureStatementTests {
    @Test("Five erasures that say different things explain each leaf, and a sixth is not kept")
    func bound() async throws {
        let signed = try await SignedErasures()
        let erasures = try (0..<7).map { try signed.erasure(.events($0)) }
        var kept = CommitErasures()
        for erasure in erasures.prefix(4) { kept.add([erasure]) }
        #expect(kept.leaves == .events(0, 1, 2, 3))
        kept.add([erasures[4]])
        #expect(kept.leaves == .each)
        let five = kept.statements
        for erasure in erasures { kept.add([erasure]) }
        #expect(kept.statements == five && five.count == 5)
        kept.add([try signed.erasure(.all)])
        #expect(kept.leaves == .all && kept.statements.count == 1)
        try signed.expectIntact()
    }

    @Test("An erasure replaces others that say less if its number is greater")
    func growing() async throws {
        let signed = try await SignedErasures()
        var kept = CommitErasures()
        for number in 0...Erasure.greatestNumber {
            kept.add([try signed.erasure(.some(LeafSet(events: 0..<Int(number) + 1)), number: number)])
            #expect(kept.statements.count == 1)
        }
        #expect(throws: WireError.self) {
            try Erasure(signed.erasure(.events(0), number: Erasure.greatestNumber + 1).bytes)
        }
        try signed.expectIntact()
    }

    @Test("An erasure that names what the commit does not have is refused with the commit")
    func beyondTheCommit() async throws {
        let signed = try await SignedErasures()
        let (log, id) = (signed.logs[0], signed.commit)
        // The author states of it what the commit has.
        try await log.erase([id: .events(2, 100)])
        try await log.erase([id: .events(200)])
        #expect(try log.commit(id).erased == .events(2) && log.statedErasures().count == 1)
        let segment = try #require(try await log.allSegments().first { !$0.erasures.isEmpty })
        let offered = LineSegment(
            journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
            commits: segment.commits, signature: segment.signature,
            erasures: segment.erasures + [try signed.erasure(.events(1, 8)).bytes])
        let late = LogFixture(seed: 3)
        let error = await #expect(throws: EventLogError.self) {
            try await late.open(journal: log.journal).store(offered)
        }
        #expect(error?.code == .rejected)
        try signed.expectIntact()
        try late.expectIntact()
    }

    @Test("A commit is erased in parts so often, and then as a whole")
    func mostParts() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let events = (0..<80).flatMap { Payload.sample("event \($0)").events }
        let id = try #require(try await log.append(Payload(events: events))).id
        for event in 0...Int(Erasure.greatestNumber) { try await log.erase(.events(event), in: id) }
        #expect(try log.read { try $0.erasures(of: id.hash).count } == 1)
        let error = await #expect(throws: EventLogError.self) { try await log.erase(.events(70), in: id) }
        #expect(error?.code == .notErasable)
        try await log.erase(.all, in: id)
        #expect(try log.commit(id).erased == .all)
        try fixture.expectIntact()
    }

    @Test("Beside its leaves an erasure has room for little", arguments: [(300, true), (400, false)])
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
        try signed.expectIntact()
    }
}
