import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Histories of many writes", .timeLimit(.minutes(5)))
struct ManyWritesTests {
    @Test("What the author of a commit held is read once, for all entities that the commit deleted")
    func heldOfManyDeletions() async throws {
        let store = try await TripStore.test()
        let own = try store.log.read { try $0.replica() }
        let trips = (0..<2_048).map { _ in Trip.ID.new().reference }
        let name = Change(path: FieldPath(field: 1), value: Array("Lisbon".utf8))
        _ = try await store.log.append(
            Payload(events: trips.map { Event(verb: .created, entity: $0, changes: [name]) }))
        let edited = Change(path: FieldPath(field: 4_000), value: Array("Porto".utf8))
        _ = try await store.log.append(
            Payload(events: trips.map { Event(verb: .edited, entity: $0, changes: [edited]) }))
        // As many times as a payload may hold.
        let times = (1..<Payload.mostSeenReplicas).map { number in
            (replica: ReplicaID(publicKey: [UInt8(number & 255), UInt8(number >> 8)]), newest: Timestamp(rawValue: 1))
        }
        _ = try await store.log.append(
            Payload(
                events: trips.map { Event(verb: .deleted, entity: $0) },
                held: VersionVector(times: times + [(own, Timestamp(rawValue: 1))])))
        try await store.catchUp()
        try store.withAuditor { auditor, _ in
            var conflicts: [Conflict] = []
            for trip in trips { conflicts += try auditor.conflicts(of: trip) }
            #expect(conflicts.isEmpty)
            #expect(auditor.held.reads == 1)
            #expect(auditor.commits.walks == 3)
        }
        try await store.expectInvariants()
    }

    @Test("No history is read to find that nobody overwrote what he had not seen")
    func withoutConflicts() async throws {
        let store = try await TripStore.test()
        let trips = (0..<20).map { Trip(name: "Trip \($0)") }
        try await store.commit { commit in for trip in trips { commit.create(trip) } }
        for round in 0..<3 {
            for trip in trips { try await store.edit(trip.id) { $0.name = "\(trip.name), \(round)" } }
        }
        try store.withAuditor { auditor, _ in
            let found = try auditor.conflicts(under: nil)
            #expect(found.isEmpty && auditor.commits.reads == 0)
        }
        try await store.expectInvariants()
    }

    @Test(
        "All conflicts are those of every entity, also where both sides deleted, restored and wrote",
        arguments: Seeds.some(8))
    func allConflicts(seed: UInt64) async throws {
        let pair = try await ConflictPair()
        var writer = RandomWriter(seed: seed)
        for _ in 0..<4 {
            for _ in 0..<20 { try await writer.write(to: pair.ana) }
            for _ in 0..<10 { try await writer.write(to: pair.ben) }
            try await pair.exchange()
        }
        for store in [pair.ana, pair.ben] {
            try store.withAuditor { auditor, _ in
                let edited = try auditor.editedEntities()
                let (all, ofEach) = (try auditor.conflicts(under: nil), try auditor.conflicts(of: edited))
                #expect(Set(all.map(\.id)) == Set(ofEach.map(\.id)))
            }
        }
        try await pair.expectInvariants()
    }

    @Test("The record as of a moment is what its events come to, merged one by one", arguments: Seeds.some(4))
    func record(seed: UInt64) async throws {
        let pair = try await ConflictPair()
        var writer = RandomWriter(seed: seed)
        for _ in 0..<40 { try await writer.write(to: pair.ana) }
        try await pair.exchange()
        for _ in 0..<20 {
            try await writer.write(to: pair.ana)
            try await writer.write(to: pair.ben)
        }
        try await pair.exchange()
        let entities = writer.trips.map(\.reference) + writer.activities.map(\.reference)
        let last = try pair.ana.status().position
        try pair.ana.withAuditor { auditor, _ in
            for entity in entities {
                let timeline = try auditor.timeline(of: entity)
                let horizons = stride(from: 0, through: last.rawValue, by: 7).map { Horizon.position(Position($0)) }
                let dates = timeline.entries.map { Horizon.date($0.commit.timestamp.date) }
                for horizon in horizons + dates + [.position(last)] {
                    var expected = EntityRecord()
                    let included = timeline.entries.filter {
                        horizon.includes($0.commit.position, $0.commit.timestamp)
                    }
                    // In any order of arrival.
                    for entry in Dictionary(grouping: included, by: \.stamp.hash).values.joined() {
                        expected.apply(entry.event, index: entry.index, stamp: entry.stamp)
                    }
                    #expect(timeline.record(asOf: horizon) == expected)
                }
            }
        }
        try await pair.expectInvariants()
    }

    /// A trip with that many elements, each written by an event of its own, the last first.
    private static func store(elements: Int, events: Int) async throws -> (store: TripStore, trip: Trip.ID) {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let all = (0..<events).map { number in
            let element = elements - 1 - number % elements
            return Event(
                verb: .edited, entity: trip.reference,
                changes: [
                    Change(path: FieldPath(field: 4_000, key: element.bigEndianBytes), value: [UInt8(number & 255)])
                ])
        }
        for start in stride(from: 0, to: events, by: 10_000) {
            _ = try await store.log.append(Payload(events: Array(all[start..<min(start + 10_000, events)])))
        }
        try await store.catchUp()
        return (store, trip)
    }

    @Test("Blame and differences take the time of an entity's writes, however many elements it has")
    func manyElements() async throws {
        let (store, trip) = try await Self.store(elements: 20_000, events: 50_000)
        let blame = try store.blame(trip)
        #expect(blame.lines.count == 20_001)
        #expect(
            try store.differences(from: .position(.start), to: .position(Position(6))).first?.fields.count == 20_001)
        #expect(try store.commit(at: Position(3))?.events.count == 10_000)
    }

    @Test("For blame each commit is walked through once and each event read once, however many fields there are")
    func blameCounted() async throws {
        for (elements, events) in [(1_000, 20_000), (2_000, 20_000), (2_000, 40_000)] {
            let (store, trip) = try await Self.store(elements: elements, events: events)
            let commits = try store.status().position.rawValue
            try store.withAuditor { auditor, _ in
                #expect(try auditor.blame(trip.reference).lines.count == elements + 1)
                // The first commit introduces the replica, and has no event of the trip.
                #expect(auditor.commits.reads == events + 1)
                #expect(auditor.commits.walks == Int(commits) - 1)
                let writes = try auditor.timeline(of: trip.reference).writes
                #expect(writes.count == elements + 1)
                #expect(writes.values.reduce(0) { $0 + $1.count } == events + 1)
                #expect(auditor.commits.reads == events + 1)
            }
            try await store.expectInvariants()
        }
    }
}
