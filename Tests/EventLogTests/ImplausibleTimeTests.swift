import EventLog
import Events
import Foundation
import StoreSupport
import Testing

@Suite("Clocks that are far off")
struct ImplausibleTimeTests {
    private static let day: Int64 = 86_400_000

    @Test(
        "A commit more than a day ahead is not stored until it is plausible, and everything else is",
        arguments: [day + 1, 3650 * day, Int64(1) << 46])
    func isNotTakenIn(lead: Int64) async throws {
        let (ahead, right) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let log = try right.open()
        let other = try ahead.open(journal: log.journal)
        ahead.clock.advance(by: lead)
        _ = try await other.appendSamples(2)
        let segments = try await other.allSegments()
        for segment in segments {
            let error = await #expect(throws: EventLogError.self) { try await log.store(segment) }
            #expect(error?.code == .implausibleTime)
        }
        #expect(try log.isEmpty())
        // No clock is pulled along.
        let written = try #require(try await log.append(.sample("now")))
        #expect(Int64(written.timestamp.milliseconds) == right.clock.now)
        right.clock.advance(by: lead)
        for segment in segments { try await log.store(segment) }
        for fixture in [ahead, right] { try fixture.expectIntact() }
    }

    @Test("A commit with the last valid timestamp prevents no replica that has stored it from writing")
    func lastTimestamp() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let line = try ForgedLine(log.journal, seed: 5)
        let last = try line.segment([line.commit(Payload(), at: Timestamp(rawValue: .max >> 1))])
        // Its clock was as far ahead, and was corrected since.
        let now = fixture.clock.now
        fixture.clock.now = Int64(Timestamp.limit)
        try await log.store(last)
        fixture.clock.now = now
        for number in 0..<3 {
            let written = try #require(try await log.append(.sample("\(number)")))
            #expect(Int64(written.timestamp.milliseconds) == now)
        }
        try fixture.expectIntact()
    }

    @Test("A clock before this version's release refuses no commit of a right clock")
    func clockBehindRelease() async throws {
        let (ahead, behind) = (LogFixture(seed: 1), LogFixture(seed: 2))
        ahead.clock.now = 1_795_392_000_000 + Self.day / 2
        behind.clock.now = 0
        let log = try behind.open()
        let other = try ahead.open(journal: log.journal)
        _ = try await other.appendSamples(2)
        for segment in try await other.allSegments() { try await log.store(segment) }
        #expect(try log.commits().count == 3)
        try behind.expectIntact()
    }

    @Test("Rewritten commits refer to rewritten commits, and not to those that no other replica has")
    func refersAnew() async throws {
        let fixture = LogFixture(seed: 1)
        let log = try fixture.open()
        let before = try #require(try await log.append(.sample("before")))
        fixture.clock.advance(by: 400 * Self.day)
        let first = try #require(try await log.append(.sample("first")))
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
        let seen = Seen(timestamp: first.timestamp, replica: first.replica)
        let known = Seen(timestamp: before.timestamp, replica: before.replica)
        let changes = [
            Change(path: FieldPath(field: 1), value: [1], seen: seen),
            Change(path: FieldPath(field: 2), value: [2], seen: known),
        ]
        _ = try await log.append(Payload(events: [Event(verb: .edited, entity: entity, changes: changes)]))
        _ = try await log.append(Payload(events: [Event(verb: .deleted, entity: entity, seen: seen)]))
        fixture.clock.advance(by: -400 * Self.day)
        // Its author saw the commit as it was.
        _ = try await log.append(Payload(events: [Event(verb: .edited, entity: entity, changes: [changes[0]])]))
        // The introduction, the rewritten commits, and the new ones.
        let written = try log.commits().filter { $0.header.replica == log.replica }
        #expect(written.count == 5)
        let renamed = Seen(written[1].stamp)
        #expect(written[2].payload?.events.first?.changes.map(\.seen) == [renamed, known])
        #expect(written[3].payload?.events.first?.seen == renamed)
        #expect(written[4].payload?.events.first?.changes.first?.seen == renamed)
        try fixture.expectIntact()
    }

    @Test("A replica whose clock was far ahead continues as another once it is right, and writes those edits again")
    func writesAnew() async throws {
        let (fixture, peer) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let log = try fixture.open()
        let other = try peer.open(journal: log.journal)
        let former = log.replica
        _ = try await log.append(.sample("before"))
        fixture.clock.advance(by: 400 * Self.day)
        _ = try await log.append(.sample("ahead 1"))
        _ = try await log.append(.sample("ahead 2"))
        fixture.clock.advance(by: -400 * Self.day)
        let appended = try #require(try await log.append(.sample("after")))
        #expect(log.replica != former && appended.replica == log.replica)
        #expect(appended.timestamp.milliseconds <= UInt64(fixture.clock.now))
        let reason = try #require(try log.lastIdentityChange()).reason
        #expect(reason == "its clock had stood 9600 hours ahead")
        for segment in try await log.allSegments() {
            do { try await other.store(segment) } catch let error as EventLogError {
                #expect(error.code == .implausibleTime && segment.replica == former)
            }
        }
        // The commits written ahead of time arrived with the new line.
        let texts = try other.commits().flatMap { $0.payload?.events ?? [] }.flatMap(\.changes)
            .map { String(decoding: $0.value ?? [], as: UTF8.self) }
        #expect(texts.sorted() == ["after", "ahead 1", "ahead 2", "before"])
        for fixture in [fixture, peer] { try fixture.expectIntact() }
    }
}
