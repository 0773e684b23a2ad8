import Events
import Foundation
import Testing

@testable import Trips

/// An edit is checked without reading the rest of its entity, where no rule needs that.
@Suite("Rules for edits")
struct PartialRulesTests {
    private func code(_ body: () throws -> Void) -> ValidationError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? ValidationError)?.code }
    }

    /// The result of the whole entity's rules for an edit of one field, and the event's result.
    private func expectSame<Entity: TripEntity>(_ old: Entity, _ new: Entity) throws {
        let record = try Records.record(of: old)
        for property in Entity.schema.properties {
            let field = try #require(Entity.schema.number(of: property))
            let event = TripEvent(
                .edited, old.reference,
                writes: [TripEvent.Write(field: field, value: new.encoded(field))])
            var whole = Entity(id: old.id, record: record)
            whole.apply(event)
            let expected = code { try whole.validate(changing: [property]) }
            let found = code { try event.validateRules(in: nil) { record.register(at: FieldPath(field: $0))?.value } }
            #expect(found == expected, "\(Entity.fieldName(of: field) ?? "") of \(new)")
            // What passes the fast path passes the rules.
            let isValidOnFastPath = event.isValidOnFastPath { record.register(at: FieldPath(field: $0))?.value }
            #expect(expected == nil || !isValidOnFastPath, "\(Entity.fieldName(of: field) ?? "") of \(new)")
        }
    }

    private static let moments = [
        nil, Moment(milliseconds: 0, zone: "UTC"), Moment(milliseconds: 9_000, zone: "Nowhere/At"),
    ]
    private static let days = [nil, Day(2027, 5, 1), Day(2027, 5, 8)]

    @Test("They come out as for the whole trip, field by field", arguments: ["", "Lisbon"], ["", "  ", "Porto"])
    func trips(oldName: String, newName: String) throws {
        for start in Self.days {
            for end in Self.days {
                let old = Trip(name: oldName, startDay: Day(2027, 5, 3), endDay: Day(2027, 5, 4))
                try expectSame(old, Trip(id: old.id, name: newName, startDay: start, endDay: end))
            }
        }
    }

    @Test("They come out as for the whole item, field by field", arguments: ["Tram", " "])
    func items(name: String) throws {
        for start in Self.moments {
            for end in Self.moments {
                for trip in [nil, Trip.ID.new()] {
                    let middle = Moment(milliseconds: 5_000, zone: "UTC")
                    let old = Activity(name: "Walk", in: .new(), from: middle, until: middle)
                    try expectSame(
                        old,
                        Activity(
                            id: old.id, name: name, in: trip, from: start, until: end, cost: Money("3", "XYZ"),
                            notes: "n"))
                }
            }
        }
    }

    @Test("They come out as for the whole organization, field by field", arguments: ["", "CP"])
    func organizations(name: String) throws {
        let old = Organization(name: "TAP")
        var new = Organization(id: old.id, name: name)
        new.address = Address(coordinates: Coordinates(latitude: 99, longitude: 0))
        try expectSame(old, new)
    }
}
