import Events
import Foundation
import Testing

@testable import Trips

/// Each named change writes one field, and equals setting the property.
@Suite("Named changes")
struct FieldChangeTests {
    private struct Case<Entity: TripEntity> {
        let change: FieldChange<Entity>
        let clearing: FieldChange<Entity>
        let field: Entity.Field
        let set: (inout Entity) -> Void

        init(
            _ field: Entity.Field, _ change: FieldChange<Entity>, clearing: FieldChange<Entity>,
            _ set: @escaping (inout Entity) -> Void
        ) {
            (self.field, self.change, self.clearing, self.set) = (field, change, clearing, set)
        }
    }

    private func check<Entity: TripEntity>(_ cases: [Case<Entity>], _ sample: Entity) {
        #expect(
            Set(cases.map(\.field)) == Entity.fieldSet && cases.count == Entity.fields.count,
            "there is one for each field")
        let blank = Entity(id: sample.id)
        for example in cases {
            var set = blank
            example.set(&set)
            #expect(set != blank)
            #expect(example.change.field == example.field)
            #expect(example.change.saw == .current)

            var changed = blank
            #expect(changed.apply(TripEvent(.edited, sample.id, [example.change])) == [example.field])
            #expect(changed == set, "\(example.field)")

            for clearing in [example.clearing, .cleared(example.field)] {
                #expect(clearing.field == example.field)
                #expect(clearing.value == nil)
                var cleared = set
                cleared.apply(TripEvent(.edited, sample.id, [clearing]))
                #expect(cleared == blank, "\(example.field)")
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
                Case(.name, .name(trip.name), clearing: .name("")) { $0.name = trip.name },
                Case(.destination, .destination(trip.destination), clearing: .destination("")) {
                    $0.destination = trip.destination
                },
                Case(.notes, .notes(trip.notes), clearing: .notes("")) { $0.notes = trip.notes },
                Case(.startDay, .startDay(trip.startDay), clearing: .startDay(nil)) { $0.startDay = trip.startDay },
                Case(.endDay, .endDay(trip.endDay), clearing: .endDay(nil)) { $0.endDay = trip.endDay },
                Case(.isProtected, .isProtected(true), clearing: .isProtected(false)) { $0.isProtected = true },
                Case(
                    .originalCreation, .originalCreation(trip.originalCreation), clearing: .originalCreation(nil)
                ) { $0.originalCreation = trip.originalCreation },
            ], trip)
    }

    private func itemCases<Entity: ItemEntity>(_ item: Entity) -> [Case<Entity>] {
        [
            Case(.name, .name(item.name), clearing: .name("")) { $0.name = item.name },
            Case(.trip, .trip(item.trip), clearing: .trip(nil)) { $0.trip = item.trip },
            Case(.start, .start(item.start), clearing: .start(nil)) { $0.start = item.start },
            Case(.end, .end(item.end), clearing: .end(nil)) { $0.end = item.end },
            Case(.cost, .cost(item.cost), clearing: .cost(nil)) { $0.cost = item.cost },
            Case(.paid, .paid(item.paid), clearing: .paid(.none)) { $0.paid = item.paid },
            Case(.reservation, .reservation(item.reservation), clearing: .reservation("")) {
                $0.reservation = item.reservation
            },
            Case(.notes, .notes(item.notes), clearing: .notes("")) { $0.notes = item.notes },
            Case(
                .customLocationName, .customLocationName(item.customLocationName), clearing: .customLocationName("")
            ) { $0.customLocationName = item.customLocationName },
            Case(.hidesLocation, .hidesLocation(true), clearing: .hidesLocation(false)) { $0.hidesLocation = true },
            Case(.address, .address(item.address), clearing: .address(nil)) { $0.address = item.address },
            Case(.organization, .organization(item.organization), clearing: .organization(nil)) {
                $0.organization = item.organization
            },
        ]
    }

    @Test("A change of an item's field is the setting of its property, and nil, false and \"\" clear it")
    func items() {
        check(itemCases(Samples.activity), Samples.activity)
        check(itemCases(Samples.lodging), Samples.lodging)
        let mode = Case<Transportation>(.mode, .mode(.train), clearing: .mode(.other)) { $0.mode = .train }
        check(itemCases(Samples.transportation) + [mode], Samples.transportation)
        #expect(FieldChange<Transportation>.confirmation("ABC") == .reservation("ABC"))
    }

    @Test("A change of an organization's field is the setting of its property, and nil and \"\" clear it")
    func organizations() {
        let sample = Samples.organization
        check(
            [
                Case(.name, .name(sample.name), clearing: .name("")) { $0.name = sample.name },
                Case(.phone, .phone(sample.phone), clearing: .phone("")) { $0.phone = sample.phone },
                Case(.email, .email(sample.email), clearing: .email("")) { $0.email = sample.email },
                Case(.website, .website(sample.website), clearing: .website("")) { $0.website = sample.website },
                Case(.logoURL, .logoURL(sample.logoURL), clearing: .logoURL("")) { $0.logoURL = sample.logoURL },
                Case(.address, .address(sample.address), clearing: .address(nil)) { $0.address = sample.address },
            ], sample)
    }

    @Test("A change can say which value its author saw, and stays the same otherwise")
    func seeing() {
        let change = FieldChange<Trip>.name("Porto")
        let seen = change.seeing(.value(Array("Lisbon".utf8)))
        #expect(seen.saw == .value(Array("Lisbon".utf8)))
        #expect(seen.field == .name && seen.value == Array("Porto".utf8))
        #expect(change.seeing(.value(nil)) != change.seeing(.value([])))
        #expect(seen.seeing(.current) == change)
    }
}
