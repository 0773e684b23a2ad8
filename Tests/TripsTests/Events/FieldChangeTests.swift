import Events
import Foundation
import Testing

@testable import Trips

/// Each change of a property writes one field, and equals setting the property.
@Suite("Changes of properties")
struct FieldChangeTests {
    private struct Case<Entity: TripEntity> {
        let field: UInt64?
        let change: FieldChange<Entity>
        /// By its default, and by name.
        let clearings: [FieldChange<Entity>]
        let set: (inout Entity) -> Void

        init<Value>(_ property: WritableKeyPath<Entity, Value>, _ value: Value, cleared: Value) {
            field = Entity.schema.number(of: property)
            change = .set(property, value)
            clearings = [.set(property, cleared), .clear(property)]
            set = { $0[keyPath: property] = value }
        }
    }

    private func check<Entity: TripEntity>(_ cases: [Case<Entity>], _ sample: Entity) {
        #expect(cases.compactMap(\.field).sorted() == Entity.fieldNumbers, "there is one for each field")
        let blank = Entity(id: sample.id)
        for example in cases {
            let name = example.field.flatMap(Entity.fieldName) ?? ""
            var set = blank
            example.set(&set)
            #expect(set != blank)
            #expect(example.change.field == example.field)
            #expect(example.change.saw == .current)

            var changed = blank
            changed.apply(TripEvent(.edited, sample.id, [example.change]))
            #expect(changed == set, "\(name)")

            for clearing in example.clearings {
                #expect(clearing.field == example.field)
                #expect(clearing.value == nil)
                var cleared = set
                cleared.apply(TripEvent(.edited, sample.id, [clearing]))
                #expect(cleared == blank, "\(name)")
            }
        }
        var all = blank
        all.apply(TripEvent(.edited, sample.id, cases.map(\.change)))
        #expect(all == sample)
    }

    @Test("A change of a trip's field is the setting of its property, and nil, false and \"\" clear it")
    func trips() {
        let trip = Samples.trip
        check(
            [
                Case(\.name, trip.name, cleared: ""), Case(\.destination, trip.destination, cleared: ""),
                Case(\.notes, trip.notes, cleared: ""), Case(\.startDay, trip.startDay, cleared: nil),
                Case(\.endDay, trip.endDay, cleared: nil), Case(\.isProtected, true, cleared: false),
                Case(\.originalCreation, trip.originalCreation, cleared: nil),
                Case(\.archivedAt, trip.archivedAt, cleared: nil), Case(\.status, trip.status, cleared: .ready),
                Case(\.stage, trip.stage, cleared: .planned), Case(\.cover, trip.cover, cleared: nil),
                Case(\.color, trip.color, cleared: ""), Case(\.rank, trip.rank, cleared: nil),
            ], trip)
    }

    private func itemCases<Kind: ItemKind>(_ item: Item<Kind>) -> [Case<Item<Kind>>] {
        [
            Case(\.name, item.name, cleared: ""), Case(\.trip, item.trip, cleared: nil),
            Case(\.start, item.start, cleared: nil), Case(\.end, item.end, cleared: nil),
            Case(\.cost, item.cost, cleared: nil), Case(\.paid, item.paid, cleared: .none),
            Case(\.reservation, item.reservation, cleared: ""), Case(\.notes, item.notes, cleared: ""),
            Case(\.customLocationName, item.customLocationName, cleared: ""),
            Case(\.hidesLocation, true, cleared: false), Case(\.address, item.address, cleared: nil),
            Case(\.organization, item.organization, cleared: nil), Case(\.status, item.status, cleared: .ready),
            Case(\.stage, item.stage, cleared: .planned), Case(\.startDay, item.startDay, cleared: nil),
            Case(\.endDay, item.endDay, cleared: nil), Case(\.paidAmount, item.paidAmount, cleared: nil),
            Case(\.category, item.category, cleared: ""),
        ]
    }

    private func placeCases(
        _ place: WritableKeyPath<Transportation, TravelPlace>, _ value: TravelPlace
    ) -> [Case<Transportation>] {
        [
            Case(place.appending(path: \TravelPlace.name), value.name, cleared: ""),
            Case(place.appending(path: \TravelPlace.code), value.code, cleared: ""),
            Case(place.appending(path: \TravelPlace.terminal), value.terminal, cleared: ""),
            Case(place.appending(path: \TravelPlace.gate), value.gate, cleared: ""),
            Case(place.appending(path: \TravelPlace.address), value.address, cleared: nil),
        ]
    }

    private func journeyCases(_ journey: Transportation) -> [Case<Transportation>] {
        let ticket: [Case<Transportation>] = [
            Case(\.mode, .train, cleared: .other), Case(\.carrier, journey.carrier, cleared: ""),
            Case(\.number, journey.number, cleared: ""), Case(\.seat, journey.seat, cleared: ""),
            Case(\.travelClass, journey.travelClass, cleared: ""),
        ]
        return ticket + placeCases(\.departure, journey.departure) + placeCases(\.arrival, journey.arrival)
    }

    @Test("A change of an item's field is the setting of its property, and nil, false and \"\" clear it")
    func items() {
        check(itemCases(Samples.activity), Samples.activity)
        check(
            itemCases(Samples.lodging) + [
                Case(\.checkIn, Samples.lodging.checkIn, cleared: nil),
                Case(\.checkOut, Samples.lodging.checkOut, cleared: nil),
            ], Samples.lodging)
        check(itemCases(Samples.transportation) + journeyCases(Samples.transportation), Samples.transportation)
        #expect(FieldChange<Transportation>.set(\.confirmation, "ABC") == .set(\.reservation, "ABC"))
    }

    @Test("A change of an organization's field is the setting of its property, and nil and \"\" clear it")
    func organizations() {
        let sample = Samples.organization
        check(
            [
                Case(\.name, sample.name, cleared: ""), Case(\.phone, sample.phone, cleared: ""),
                Case(\.email, sample.email, cleared: ""), Case(\.website, sample.website, cleared: ""),
                Case(\.logoURL, sample.logoURL, cleared: ""), Case(\.address, sample.address, cleared: nil),
            ], sample)
    }

    @Test("A change of a property that holds no field is refused, by its event")
    func noField() throws {
        let event = TripEvent(.edited, Samples.trip.id, [.clear(\Trip.createdAt)])
        let error = #expect(throws: ValidationError.self) { try event.validateValues() }
        #expect(error?.code == .unknownField)
    }

    @Test("A change can say which value its author saw, and stays the same otherwise")
    func seeing() {
        let change = FieldChange<Trip>.set(\.name, "Porto")
        let seen = change.seeing(.value(Array("Lisbon".utf8)))
        #expect(seen.saw == .value(Array("Lisbon".utf8)))
        #expect(seen.field == 1 && seen.value == Array("Porto".utf8))
        #expect(change.seeing(.value(nil)) != change.seeing(.value([])))
        #expect(seen.seeing(.current) == change)
    }
}
