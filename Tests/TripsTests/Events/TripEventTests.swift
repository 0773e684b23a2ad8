import Events
import Testing

@testable import Trips

@Suite("Events of trips")
struct TripEventTests {
    @Test("A creation writes every field that does not have its default, in the order of their numbers")
    func creation() {
        let event = TripEvent.created(Samples.transportation)
        #expect(event.verb == .created)
        #expect(event.entity == Samples.transportation.reference)
        #expect(event.writes.map(\.field) == Transportation.fieldNumbers)
        #expect(event.writes.allSatisfy { $0.saw == .current })
        var made = Transportation(id: Samples.transportation.id)
        made.apply(event)
        #expect(made == Samples.transportation)

        let plain = TripEvent.created(Trip(id: Samples.trip.id, name: "x"))
        #expect(plain.writes == [.init(field: 1, value: [0x78])])
        #expect(TripEvent.created(Trip(id: Samples.trip.id)).writes.isEmpty)
    }

    @Test("An edit of named changes writes them in their order, by number")
    func edit() {
        let event = TripEvent(
            .edited, Samples.trip.id, [.set(\.notes, "x"), .clear(\.name), .set(\.name, "y").seeing(.value(nil))])
        #expect(event.verb == .edited)
        #expect(event.entity == Samples.trip.reference)
        #expect(
            event.writes == [
                .init(field: 3, value: [0x78]), .init(field: 1, value: nil),
                .init(field: 1, value: [0x79], saw: .value(nil)),
            ])
    }

    @Test("Deletions and restorations write no field")
    func deletion() {
        let deleted = TripEvent.deleted(Samples.lodging.id)
        #expect(deleted.verb == .deleted && deleted.entity == Samples.lodging.reference && deleted.writes.isEmpty)
        let restored = TripEvent.restored(Samples.lodging.id)
        #expect(restored.verb == .restored && restored.entity == Samples.lodging.reference && restored.writes.isEmpty)
    }

    @Test("Applied to an entity, the last write of a field stands, and fields of later versions are passed over")
    func applying() {
        var trip = Samples.trip
        trip.apply(
            TripEvent(
                .edited, trip.reference,
                writes: [
                    .init(field: 1, value: Array("Porto".utf8)), .init(field: 999, value: [1]),
                    .init(field: 1, value: Array("Faro".utf8)), .init(field: 5, value: nil),
                ]))
        #expect(trip.name == "Faro" && trip.endDay == nil)
        #expect(trip.startDay == Samples.trip.startDay && trip.notes == Samples.trip.notes)
    }

    @Test("Applied, a malformed value leaves the field's default")
    func applyingMalformed() {
        var trip = Samples.trip
        let event = TripEvent(.edited, trip.reference, writes: [.init(field: 4, value: [0xFF])])
        trip.apply(event)
        #expect(trip.startDay == nil)
    }

    @Test("A value takes over what is not known of the one that a record holds, and others stay as they are")
    func unknownParts() throws {
        var old = Samples.morning
        old.unknownFields = UnknownParts.bytes
        let item = Samples.activity.reference
        let record = try Records.record(of: item, [3: old.encodedValue, 999: UnknownParts.bytes])
        let writes: [TripEvent.Write] = [
            .init(field: 3, value: Samples.noon.encodedValue), .init(field: 4, value: Samples.noon.encodedValue),
            .init(field: 999, value: [1]), .init(field: 3, value: nil), .init(field: 3, value: [0xFF]),
        ]
        var event = TripEvent(.edited, item, writes: writes)
        event.keepUnknownParts(of: record)
        var expected = Samples.noon
        expected.unknownFields = UnknownParts.bytes
        #expect(event.writes[0] == .init(field: 3, value: expected.encodedValue))
        #expect(Array(event.writes[1...]) == Array(writes[1...]), "nothing was there, nothing is known, or no value")

        var other = TripEvent(
            .edited, EntityReference(kind: EntityKind(rawValue: 99), id: Samples.uuid), writes: writes)
        other.keepUnknownParts(of: record)
        #expect(other.writes == writes)
    }
}
