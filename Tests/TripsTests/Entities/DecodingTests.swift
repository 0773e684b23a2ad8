import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

/// Reading entities from records is total: whatever peers wrote, there is an entity.
@Suite("Reading entities")
struct DecodingTests {
    private func forEachKind(_ body: (any TripEntity) throws -> Void) rethrows {
        let samples: [any TripEntity] = [
            Samples.trip, Samples.activity, Samples.lodging, Samples.transportation, Samples.organization,
        ]
        for sample in samples { try body(sample) }
    }

    /// Both ways of reading, which must agree.
    private func read<Entity: TripEntity>(_ type: Entity.Type, _ record: EntityRecord) throws -> Entity {
        let id = Entity.ID(Samples.uuid)
        let entity = Entity(id: id, record: record)
        #expect(try Records.view(id: id, record) == entity)
        return entity
    }

    private func bytes<Entity: TripEntity>(of entity: Entity) -> [UInt64: [UInt8]?] {
        Dictionary(uniqueKeysWithValues: Entity.fieldNumbers.map { ($0, entity.encoded($0)) })
    }

    @Test("Every field of every kind comes back from its bytes")
    func everyField() throws {
        try forEachKind { try comesBack($0) }
    }

    private func comesBack<Entity: TripEntity>(_ sample: Entity) throws {
        for field in Entity.fieldNumbers { #expect(sample.encoded(field) != nil, "the sample has a \(field)") }
        let entity = try read(Entity.self, try Records.record(of: sample))
        #expect(bytes(of: entity) == bytes(of: sample))
    }

    @Test("A malformed value reads as absent, and leaves all other fields as they are")
    func malformedValues() throws {
        try forEachKind { try readsAsAbsent($0) }
    }

    private func readsAsAbsent<Entity: TripEntity>(_ sample: Entity) throws {
        let schema = try #require(EntitySchema.of(Entity.kind))
        // Any bytes are a rank.
        for field in schema.fields where field.type != String.self && field.type != Rank.self {
            // A number that is cut off, too short for an id, and a tag without a value.
            var values = bytes(of: sample)
            values[field.number] = .some([0xFF])
            let entity = try read(Entity.self, try Records.record(of: sample.reference, values))
            values[field.number] = .some(nil)
            #expect(bytes(of: entity) == values, "\(schema.name) \(field.name)")
        }
    }

    @Test("No bytes are the same as a cleared field")
    func emptyValues() throws {
        try forEachKind { sample in
            func check<Entity: TripEntity>(_ sample: Entity) throws {
                let empty = bytes(of: sample).mapValues { _ in [UInt8]?.some([]) }
                let entity = try read(Entity.self, try Records.record(of: sample.reference, empty))
                #expect(Entity.fieldNumbers.allSatisfy { entity.encoded($0) == nil })
            }
            try check(sample)
        }
    }

    @Test("Text that is not UTF-8 is repaired")
    func repairedText() throws {
        let record = try Records.record(of: Samples.trip.reference, [1: [0x4C, 0xFF, 0x78]])
        #expect(try read(Trip.self, record).name == "L\u{FFFD}x")
    }

    @Test("Fields of later versions and elements of collections are passed over")
    func unknownFields() throws {
        var record = try Records.record(of: Samples.trip.reference, [1: Array("Lisbon".utf8), 999: [1, 2, 3]])
        let keyed = Change(path: FieldPath(field: 1, key: [1]), value: Array("Porto".utf8))
        record.apply(
            Event(verb: .edited, entity: Samples.trip.reference, changes: [keyed]), index: 0,
            stamp: try Records.stamp(2_000))
        let trip = try read(Trip.self, record)
        #expect(trip.name == "Lisbon")
        #expect(trip.destination.isEmpty)
        #expect(trip.updatedAt == Date(milliseconds: 2_000), "they are changes all the same")
    }

    @Test("An entity was created when its creation was written, and changed with the newest write that counts")
    func times() throws {
        var record = try Records.record(of: Samples.trip.reference, [1: Array("Lisbon".utf8)], created: 5_000)
        #expect(try read(Trip.self, record).updatedAt == Date(milliseconds: 5_000))
        record.apply(TripEvent(.edited, Samples.trip.id, [.set(\.notes, "x")]), at: try Records.stamp(9_000))
        let trip = try read(Trip.self, record)
        #expect(trip.createdAt == Date(milliseconds: 5_000))
        #expect(trip.updatedAt == Date(milliseconds: 9_000))
    }

    @Test("An entity that was edited before it was created can be read, and was never created")
    func editedFirst() throws {
        var record = EntityRecord()
        record.apply(TripEvent(.edited, Samples.trip.id, [.set(\.name, "Lisbon")]), at: try Records.stamp(3_000))
        let trip = try read(Trip.self, record)
        #expect(trip.name == "Lisbon" && trip.createdAt == nil && trip.updatedAt == Date(milliseconds: 3_000))
        #expect(try read(Trip.self, EntityRecord()) == Trip(id: Samples.trip.id))
    }

    @Test("Any bytes in any field read as some entity, the same in both ways", arguments: Seeds.some(50))
    func anyBytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try forEachKind { sample in
            func check<Entity: TripEntity>(_ sample: Entity) throws {
                let values = bytes(of: sample).mapValues { value -> [UInt8]? in
                    Bool.random(using: &generator) ? generator.bytes(upTo: 20) : generator.damaged(value ?? [])
                }
                let entity = try read(Entity.self, try Records.record(of: sample.reference, values))
                // An entity written and read again is unchanged.
                let again = try read(Entity.self, try Records.record(of: sample.reference, bytes(of: entity)))
                #expect(bytes(of: again) == bytes(of: entity))
            }
            try check(sample)
        }
    }
}

extension EntityRecord {
    /// Merges an event as a store would write it.
    mutating func apply(_ event: TripEvent, at stamp: Stamp) {
        let changes = event.writes.map { Change(path: FieldPath(field: $0.field), value: $0.value) }
        apply(Event(verb: event.verb, entity: event.entity, changes: changes), index: 0, stamp: stamp)
    }
}
