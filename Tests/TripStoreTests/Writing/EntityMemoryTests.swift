import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport
import Trips

@testable import TripStore

/// The planner's lookups in the bytes that it keeps equal the result of merging.
@Suite("The memory of a planner")
struct EntityMemoryTests {
    private static func event(_ entity: EntityReference, _ numbers: inout SeededGenerator) -> Event {
        let verb = [Verb.edited, .edited, .edited, .created, .deleted, .restored].randomElement(using: &numbers)
        let changes = (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
            Change(
                path: FieldPath(
                    field: .random(in: 1...4, using: &numbers),
                    key: Int.random(in: 0..<5, using: &numbers) == 0 ? [7] : []),
                value: Bool.random(using: &numbers) ? numbers.bytes(upTo: 3) : nil)
        }
        return Event(verb: verb ?? .edited, entity: entity, changes: changes)
    }

    private func expectSame(_ entities: inout EntityMemory, _ number: Int, _ record: EntityRecord?) throws {
        #expect(entities.isHeld(number) == (record != nil))
        #expect(entities.presence(of: number).isCreated == (record?.creation != nil))
        #expect(entities.presence(of: number).isDeleted == (record?.isDeleted ?? false))
        var found = [1, 2, 3, 4, 5, 3, 66].map { HeldField(FieldPath(field: $0)) }
        try entities.find(&found, of: number)
        for field in found {
            let register = record?.register(at: field.path)
            #expect(field.written == (register?.stamp).map { Seen($0) })
            #expect(entities.withValue(of: field) { [UInt8]($0) } == register?.value)
        }
        let deletion = try entities.deletion(of: number)
        #expect(deletion == (record?.register(at: .deletion)?.stamp).map { Seen($0) })
    }

    @Test("They say what merged records say, over commits and beyond what the views show", arguments: Seeds.some(12))
    func merged(seed: UInt64) async throws {
        var numbers = SeededGenerator(seed: seed)
        let store = try await TripStore.test()
        let trip = Trip(name: "In the views")
        try await store.create(trip)
        try await store.append([TripEvent(.edited, trip.id, [.set(\.destination, "Porto")])])
        if Bool.random(using: &numbers) { try await store.append([.deleted(trip.id)]) }
        let references = [trip.id.reference] + (0..<5).map { _ in EntityReference(kind: .trip, id: UUID()) }
        try store.views.read { views in
            var records: [EntityReference: EntityRecord] = [:]
            records[trip.id.reference] = try views.withRecord(of: trip.id.reference) { try EntityRecord($0) }
            var entities = EntityMemory(of: ReplicaID(publicKey: [1]))
            for commit in 1..<30 {
                // Later than all that the store wrote.
                let timestamp = Timestamp(milliseconds: (1 << 46) + UInt64(commit))
                let stamp = Stamp(timestamp: timestamp, replica: ReplicaID(publicKey: [1]), hash: .zero)
                try entities.beginCommit()
                for index in 0..<Int.random(in: 0...(commit.isMultiple(of: 5) ? 60 : 6), using: &numbers) {
                    let entity = try #require(references.randomElement(using: &numbers))
                    let number = try entities.number(of: entity, in: views)
                    let event = Self.event(entity, &numbers)
                    try EntityMemoryFixture.bytes(of: event).withUnsafeBytes {
                        try entities.add(event.verb, $0, parent: nil, at: timestamp, to: number)
                    }
                    records[entity, default: EntityRecord()].apply(event, index: index, stamp: stamp)
                    if index.isMultiple(of: 3) { try expectSame(&entities, number, records[entity]) }
                }
                for entity in references {
                    let number = try entities.number(of: entity, in: views)
                    try expectSame(&entities, number, records[entity])
                }
            }
        }
        try await store.expectInvariants()
    }

    @Test("A released entity is out of reach if it was written to, and is read again if it was only read")
    func letGo() async throws {
        let store = try await TripStore.test()
        let seen = Trip(name: "Seen")
        let touched = Trip(name: "Touched")
        let kept = Trip(name: "Kept")
        for trip in [seen, touched, kept] { try await store.create(trip) }
        try store.views.read { views in
            var entities = EntityMemory(of: ReplicaID(publicKey: [1]))
            let event = try EntityMemoryFixture.bytes(
                of: Event(
                    verb: .edited, entity: touched.reference,
                    changes: [Change(path: FieldPath(field: 2), value: Array("Porto".utf8))]))
            _ = try entities.number(of: seen.reference, in: views)
            for (trip, time) in [(touched, UInt64(1)), (kept, 2)] {
                let number = try entities.number(of: trip.reference, in: views)
                try event.withUnsafeBytes {
                    try entities.add(
                        .edited, $0, parent: nil, at: Timestamp(milliseconds: (1 << 46) + time), to: number)
                }
            }
            let keptNumber = try entities.number(of: kept.reference, in: views)
            for field in [UInt64(6), 4] {
                let further = try EntityMemoryFixture.bytes(
                    of: Event(
                        verb: .edited, entity: kept.reference,
                        changes: [Change(path: FieldPath(field: field), value: [UInt8(field)])]))
                try further.withUnsafeBytes {
                    try entities.add(
                        .edited, $0, parent: nil, at: Timestamp(milliseconds: (1 << 46) + 2), to: keptNumber)
                }
            }
            for _ in 0..<20 {
                try entities.beginCommit()
                let number = try entities.number(of: kept.reference, in: views)
                // Moved to the next transaction it is unchanged, with everything that was written to it.
                let values = try [4, 6, 2].map { try EntityMemoryFixture.value($0, of: number, entities) }
                #expect(values == [[4], [6], Array("Porto".utf8)])
                for _ in 0..<2_000 {
                    _ = try entities.number(of: EntityReference(kind: .trip, id: UUID()), in: views)
                }
            }
            let last = try entities.number(of: kept.reference, in: views)
            #expect(try entities.deletion(of: last) == nil)
            let number = try entities.number(of: seen.reference, in: views)
            #expect(entities.presence(of: number).isPresent)
            #expect(throws: EntityMemory.OutOfReach.self) {
                try entities.number(of: touched.reference, in: views)
            }
            entities = EntityMemory(of: ReplicaID(publicKey: [1]))
            let again = try entities.number(of: touched.reference, in: views)
            #expect(try EntityMemoryFixture.value(2, of: again, entities) == nil)
        }
        try await store.expectInvariants()
    }

    @Test("The trip of an item is the one that was written last, in the views as well as in the load")
    func trips() async throws {
        let store = try await TripStore.test()
        let (first, second) = (Trip(name: "First"), Trip(name: "Second"))
        let item = Activity(name: "Walk", in: first.id)
        try await store.append([.created(first), .created(second), .created(item)])
        try store.views.read { views in
            var entities = EntityMemory(of: ReplicaID(publicKey: [1]))
            var number = try entities.number(of: item.reference, in: views)
            #expect(entities.parent(of: number) == first.reference)
            var time: UInt64 = 1 << 46
            func write(_ trip: EntityReference??) throws {
                time += 1
                let event = try EntityMemoryFixture.bytes(of: Event(verb: .edited, entity: item.reference))
                try event.withUnsafeBytes {
                    try entities.add(.edited, $0, parent: trip, at: Timestamp(milliseconds: time), to: number)
                }
            }
            try write(nil)
            #expect(entities.parent(of: number) == first.reference)
            try write(.some(second.reference))
            // Merged and moved to the next transaction, it is kept.
            for _ in 0..<20 { try write(nil) }
            #expect(entities.parent(of: number) == second.reference)
            for _ in 0..<3 {
                try entities.beginCommit()
                number = try entities.number(of: item.reference, in: views)
                for _ in 0..<10_000 {
                    _ = try entities.number(of: EntityReference(kind: .trip, id: UUID()), in: views)
                }
            }
            try entities.beginCommit()
            number = try entities.number(of: item.reference, in: views)
            #expect(entities.parent(of: number) == second.reference)
            try write(.some(nil))
            #expect(entities.parent(of: number) == nil)
            // Nothing is kept of a trip.
            let trip = try entities.number(of: first.reference, in: views)
            #expect(entities.parent(of: trip) == nil)
        }
        try await store.expectInvariants()
    }

    @Test("What an event writes twice is what it wrote last, and a newer event comes before")
    func fieldsWrittenTwice() async throws {
        let store = try await TripStore.test()
        try store.views.read { views in
            var entities = EntityMemory(of: ReplicaID(publicKey: [1]))
            let entity = EntityReference(kind: .trip, id: UUID())
            let number = try entities.number(of: entity, in: views)
            let element = FieldPath(field: 1, key: [7])
            let (first, second, third, far) = (
                FieldPath(field: 1), FieldPath(field: 2), FieldPath(field: 3), FieldPath(field: 66)
            )
            let events: [[(FieldPath, [UInt8]?)]] = [
                [(first, [1]), (first, [2]), (element, [8]), (second, [3]), (far, [9])],
                [(first, [4]), (first, nil), (third, [5]), (third, [6])],
            ]
            for (index, changes) in events.enumerated() {
                let event = Event(
                    verb: .edited, entity: entity,
                    changes: changes.map { Change(path: $0, value: $1) })
                try EntityMemoryFixture.bytes(of: event).withUnsafeBytes {
                    try entities.add(
                        .edited, $0, parent: nil, at: Timestamp(milliseconds: UInt64(index + 1)), to: number)
                }
            }
            // Fields whose numbers differ by 64 are distinguished, and elements. Lookups may be repeated, or find nothing.
            let paths = [second, first, third, first, far, FieldPath(field: 7), element, FieldPath(field: 1, key: [8])]
            var found = paths.map { HeldField($0) }
            try entities.find(&found, of: number)
            #expect(
                found.map { field in entities.withValue(of: field) { [UInt8]($0) } }
                    == [[3], nil, [6], nil, [9], nil, [8], nil])
            #expect(found.map { $0.written?.timestamp.milliseconds } == [1, 2, 2, 2, 1, nil, 1, nil])
        }
        try await store.expectInvariants()
    }

    @Test("Two entities with one hash are distinguished, and neither gets the other's values")
    func oneHash() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "In the views")
        try await store.create(trip)
        try store.views.read { views in
            // A factor of zero: all of one id half have one hash.
            let high = withUnsafeBytes(of: trip.id.uuid.uuid) { $0.loadUnaligned(as: UInt64.self) }
            var entities = EntityMemory(of: ReplicaID(publicKey: [1]), index: EntityIndex(seed: (high, 0)))
            let other = withUnsafeBytes(of: (high, UInt64(7))) {
                EntityReference(kind: .trip, id: UUID(uuid: $0.load(as: uuid_t.self)))
            }
            let number = try entities.number(of: trip.id.reference, in: views)
            let otherNumber = try entities.number(of: other, in: views)
            #expect(entities.presence(of: number).isPresent && !entities.presence(of: otherNumber).isCreated)
            let event = try EntityMemoryFixture.bytes(of: Event(verb: .created, entity: other))
            try event.withUnsafeBytes {
                try entities.add(.created, $0, parent: nil, at: Timestamp(milliseconds: 1 << 46), to: otherNumber)
            }
            #expect(throws: EntityMemory.OutOfReach.self) { try entities.number(of: trip.id.reference, in: views) }
            #expect(try entities.number(of: other, in: views) == otherNumber)
        }
        try await store.expectInvariants()
    }
}
