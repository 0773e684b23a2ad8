import Events
import Foundation
import StoreSupport
import Testing
import TripStoreTestSupport
import Trips

@testable import TripStore

@Suite("The size of a planner's memory")
struct EntityMemorySizeTests {
    @Test("Of a record with many registers, many events are kept beside it before they are merged")
    func rareMerges() async throws {
        let store = try await TripStore.test()
        try store.views.read { views in
            var entities = EntityMemory(of: ReplicaID(publicKey: [1]))
            let number = try entities.number(of: EntityReference(kind: .trip, id: UUID()), in: views)
            var written = 0
            for count in 0..<4_000 {
                let change = Change(path: FieldPath(field: 9, key: UInt32(count).bigEndianBytes), value: [7])
                let verb: Verb = count == 0 ? .created : .edited
                let event = try EntityMemoryFixture.bytes(
                    of: Event(verb: verb, entity: EntityReference(kind: .trip, id: UUID()), changes: [change]))
                written += event.count
                try event.withUnsafeBytes {
                    try entities.add(verb, $0, parent: nil, at: Timestamp(milliseconds: 1 << 46), to: number)
                }
            }
            // A merge every eight events writes 500 records of which most have over 10,000 bytes.
            #expect(entities.byteCount < 20 * written, "\(entities.byteCount) bytes for \(written) of events")
        }
        try await store.expectInvariants()
    }

    @Test("Merging something large over and over takes memory for what is known, and what was known before stays")
    func bounded() async throws {
        let store = try await TripStore.test()
        try store.views.read { views in
            var entities = EntityMemory(of: ReplicaID(publicKey: [1]))
            func add(_ event: Event, to number: Int) throws {
                try EntityMemoryFixture.bytes(of: event).withUnsafeBytes {
                    try entities.add(event.verb, $0, parent: nil, at: Timestamp(milliseconds: 1 << 46), to: number)
                }
            }
            let references = (0..<2).map { _ in EntityReference(kind: .trip, id: UUID()) }
            let numbers = try references.map { try entities.number(of: $0, in: views) }
            let values = [[UInt8](repeating: 1, count: 1 << 20), [7]]
            for (index, value) in values.enumerated() {
                let change = Change(path: FieldPath(field: 1), value: value)
                try add(Event(verb: .created, entity: references[index], changes: [change]), to: numbers[index])
            }
            var most = 0
            // A record of 1 MiB is merged with some 256 events at a time.
            for count in 0..<20_000 {
                entities.makeRoom()
                try add(Event(verb: .edited, entity: references[0]), to: numbers[0])
                let change = Change(path: FieldPath(field: 2), value: [UInt8(count & 255)])
                try add(Event(verb: .edited, entity: references[1], changes: [change]), to: numbers[1])
                most = max(most, entities.byteCount)
            }
            #expect(most > 64 << 20 && most < 66 << 20)
            for (number, value) in zip(numbers, values) {
                #expect(try EntityMemoryFixture.value(1, of: number, entities) == value)
            }
            #expect(try EntityMemoryFixture.value(2, of: numbers[1], entities) == [UInt8(19_999 & 255)])
            #expect(numbers.allSatisfy { entities.presence(of: $0).isPresent })
        }
        try await store.expectInvariants()
    }
}
