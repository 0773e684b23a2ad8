import Events
import Foundation
import StoreSupport
import Testing

@testable import EventLog

/// Commits whose timestamps were planned before there was a transaction.
@Suite("Appending what was planned ahead")
struct PlannedAppendTests {
    private func append(_ text: String, at timestamp: Timestamp, to log: Log) async throws -> Appended? {
        try await log.appendHashed { _ in try log.hashed(Payload.sample(text).encoded(), at: timestamp) }
    }

    @Test("They bear the timestamps that they were planned with, on a new line and on an existing one")
    func planned() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        for round in 0..<2 {
            var clock = try log.lineClock()
            var planned: [Timestamp] = []
            for _ in 0..<5 { planned.append(try clock.next()) }
            #expect(planned == planned.sorted() && Set(planned).count == 5)
            // Wherever the wall clock moves meanwhile.
            fixture.clock.advance(by: round == 0 ? 5_000 : -60_000)
            for (number, timestamp) in planned.enumerated() {
                #expect(try await append("\(round) \(number)", at: timestamp, to: log)?.timestamp == timestamp)
            }
        }
        let timestamps = try log.commits().map(\.header.timestamp)
        #expect(timestamps.count == 11 && timestamps == timestamps.sorted())
        try fixture.expectIntact()
    }

    @Test("What another has passed meanwhile is refused, nothing of it is stored, and those beside it are stored")
    func passed() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        for isNew in [true, false] {
            var clock = try log.lineClock()
            let planned = try clock.next()
            fixture.clock.advance(by: 10)
            _ = try await log.append(.sample("other"))
            let before = try log.commits().count
            async let other = log.append(.sample("beside"))
            await #expect(throws: HashedPayload.TimestampPassed.self) {
                try await append("late", at: planned, to: log)
            }
            let stored = try await other
            #expect(stored != nil)
            #expect(try log.commits().count == before + 1, "new line: \(isNew)")
        }
        try fixture.expectIntact()
    }

    @Test("The clock of a line is not before the wall clock, and says where that is out of range")
    func clock() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        _ = try await log.appendSamples(1)
        var clock = try log.lineClock()
        let first = try clock.next()
        fixture.clock.advance(by: 1_000)
        let second = try clock.next()
        #expect(second.milliseconds == UInt64(fixture.clock.now) && second > first)
        fixture.clock.now = Int64(Timestamp.limit)
        let error = #expect(throws: EventLogError.self) { try clock.next() }
        #expect(error?.code == .clockOutOfRange)
        fixture.clock.now = .min
        #expect(try clock.next() == second.successor)
        try fixture.expectIntact()
    }

    @Test("On a new line no timestamp is planned that no commit may bear, with the introduction before it")
    func limit() throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        // Of the last two well-formed timestamps the introduction would take one.
        for (back, isPlanned) in [(3, true), (2, true), (1, false)] as [(UInt64, Bool)] {
            let newest = Timestamp(rawValue: Timestamp.limit << 16 - back - 1)
            var clock = LineClock(nil, of: ReplicaID(publicKey: []), seen: newest, fixture.dependencies)
            let next = try? clock.next()
            #expect((next != nil) == isPlanned && next?.isWellFormed != false)
        }
        _ = log
    }
}
