import Events
import Foundation
import ProjectionEngine
import TestSupport
import Trips

/// Events that no app would write and a peer may: of few entities of any kind, with fields and values that make sense,
/// nearly do, or do not.
struct Nonsense {
    var generator: SeededGenerator
    private let ids: [UUID]
    private let trips: [Trip.ID]

    /// The field that makes a trip a template.
    private static let isTemplate: FieldPath = {
        var trip = Trip(name: "")
        trip.isTemplate = true
        return TripEvent.created(trip).writes.last?.path ?? .parent
    }()

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        trips = (0..<4).map { _ in Trip.ID.new(at: .init(timeIntervalSince1970: 0), using: &generator) }
        ids =
            trips.map(\.uuid)
            + (0..<8).map { _ in Activity.ID.new(at: .init(timeIntervalSince1970: 0), using: &generator).uuid }
        self.generator = generator
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func events() -> [Event] { (0..<number(1...4)).map { _ in event() } }

    private mutating func event() -> Event {
        let kinds: [UInt16] = [1, 1, 2, 2, 3, 4, 5, 5, 6, 7, 7, 8, .max]
        // No event can be of kind 0: its commit counts as one without events.
        let kind = number(0...40) == 0 ? 0 : kinds[number(0...kinds.count - 1)]
        let verb = Verb(rawValue: UInt32([1, 1, 1, 2, 2, 2, 3, 4, 5, 99][number(0...9)]))
        let id = ids[number(0...ids.count - 1)]
        return Event(
            verb: verb, entity: EntityReference(kind: EntityKind(rawValue: kind), id: id),
            changes: (0..<number(0...5)).map { _ in change() })
    }

    private mutating func change() -> Change {
        // Most items of apps have a trip, so that trips have items.
        if number(0...3) == 0 {
            return Change(
                path: FieldPath.parent, value: trips[number(0...3)].reference.fieldValue)
        }
        if number(0...15) == 0 {
            return Change(path: Self.isTemplate, value: [[1], [1], [0], [], [0x80]][number(0...4)])
        }
        let field = UInt64(number(0...20) == 0 ? 4000 : number(1...14))
        let path = FieldPath(field: field, key: number(0...9) == 0 ? generator.bytes(upTo: 40) : [])
        return Change(path: path, value: number(0...7) == 0 ? nil : value())
    }

    private mutating func value() -> [UInt8] {
        let day = Day.first.advanced(by: number(0...3_700_000))
        let zone = ["Europe/Lisbon", "Nowhere/At All", ""][number(0...2)]
        let code = ["EUR", "XXX", "", String(repeating: "LONG", count: 30)][number(0...3)]
        let samples: [[UInt8]?] = [
            trips[number(0...3)].reference.fieldValue,
            EntityReference(kind: .own, id: ids[number(0...ids.count - 1)]).fieldValue,
            FieldChange<Trip>.set(\.startDay, day).value, FieldChange<Trip>.set(\.endDay, .last).value,
            FieldChange<Trip>.set(\.startDay, .first).value,
            FieldChange<Activity>.set(
                \.start, Moment(milliseconds: .random(in: .min ... .max, using: &generator), zone: zone)
            )
            .value,
            FieldChange<Activity>.set(
                \.cost,
                Money(minorUnits: [.min, .max, -1, 0, 7][number(0...4)], Currency(unchecked: code))
            ).value,
            Array("Namé \u{0}".utf8), [UInt8](repeating: 0x41, count: number(0...700)), generator.bytes(upTo: 30),
        ]
        let value = samples[number(0...samples.count - 1)] ?? []
        return number(0...3) == 0 ? generator.damaged(value) : value
    }
}
