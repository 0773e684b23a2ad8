import Foundation
public import TripStore
public import TripStoreTestSupport

/// A kind of which questions are asked.
public protocol Questioned: TripEntity {
    static var rowKind: QuestionRow.Kind { get }
    /// A condition on the fields and, `depth` levels deep, on related entities.
    static func atom(_ depth: Int, _ random: inout SeededRandom) -> RandomCondition<Self>
    /// Its orders beside that of the ids.
    static var orders: [RandomOrder<Self>] { get }
    /// The field that names the trip; nil if it has none.
    static var trip: QueryField<Self, Trip.ID>? { get }
}

extension Questioned {
    public static var trip: QueryField<Self, Trip.ID>? { nil }

    /// That the entity belongs to a trip; nil if the kind belongs to none.
    static func belongs(to trip: UUID) -> RandomCondition<Self>? {
        Self.trip.map { field in
            RandomCondition(
                field == Trip.ID(trip), "trip = \(trip)", "hex(§.parent) = '\(digits(trip))'"
            ) { row, _ in row.parent == trip }
        }
    }

    /// That it is one of some.
    static func isOne(of ids: [UUID]) -> RandomCondition<Self> {
        RandomCondition(
            QueryFields<Self>().id.isOne(of: ids.map { Identifier($0) }),
            "id in (\(ids.map { "\($0)" }.joined(separator: ", ")))",
            "hex(§.id) IN (\(ids.map { "'\(digits($0))'" }.joined(separator: ", ")))"
        ) { row, _ in ids.contains(row.id) }
    }

    private static func digits(_ id: UUID) -> String { "\(id)".replacing("-", with: "") }
}

extension Questioned {
    static func condition(_ depth: Int, _ random: inout SeededRandom) -> RandomCondition<Self> {
        RandomCondition.random(Int.random(in: 0...1, using: &random), &random) { atom(depth, &$0) }
    }
}

enum Values {
    static let names = [
        "Tram", "tram 2", "Tram 10", "Museum", "museum night", "Évora", "São Jorge", "Ferry", "Zoo",
        String(repeating: "A long way ", count: 9) + "there", String(repeating: "A long way ", count: 9) + "back",
    ]

    static func name(_ random: inout SeededRandom) -> String { names.randomElement(using: &random) ?? "" }

    static func money(_ random: inout SeededRandom) -> Money {
        Money(minorUnits: Int64.random(in: 0..<20, using: &random), Bool.random(using: &random) ? "EUR" : "USD")
    }

    static func moment(_ random: inout SeededRandom) -> Moment {
        Moment(milliseconds: Int64.random(in: 0..<20, using: &random), zone: "UTC")
    }

    static func paid(_ random: inout SeededRandom) -> PaidStatus {
        PaidStatus.known.randomElement(using: &random)?.value ?? .none
    }

    /// Around Lisbon, and on both sides of 180°.
    static func place(_ random: inout SeededRandom) -> Coordinates {
        let (north, east) = Bool.random(using: &random) ? (38.7, -9.1) : (-17.0, 179.9)
        let longitude = east + Double(Int.random(in: -40...40, using: &random)) / 100
        return Coordinates(
            latitude: north + Double(Int.random(in: -40...40, using: &random)) / 100,
            longitude: longitude > 180 ? longitude - 360 : longitude)
    }
}

/// Conditions that several kinds have.
extension RandomCondition {
    static func text(
        _ field: QueryField<Entity, String>, _ name: String, _ random: inout SeededRandom
    ) -> RandomCondition {
        let value = Values.name(&random)
        let part = String(
            (["tram", "muse", "fer"].randomElement(using: &random) ?? "").prefix(
                Int.random(in: 1...4, using: &random)))
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            return RandomCondition(field == value, "\(name) = '\(value)'", "§.name = '\(value)'") { row, _ in
                row.name == value
            }
        case 1:
            return RandomCondition(field < value, "\(name) < \"\(value)\"", "§.name < '\(value)'") { row, _ in
                RandomOrder<Entity>.precedes(row.name, value)
            }
        case 2:
            return RandomCondition(
                field.contains(part), "\(name) contains '\(part)'", "instr(lower(§.name), '\(part)') > 0"
            ) { row, _ in row.name.lowercased().contains(part) }
        case 3:
            return RandomCondition(
                field.begins(with: part), "\(name) begins with '\(part)'",
                "substr(lower(§.name), 1, \(part.count)) = '\(part)'"
            ) { row, _ in row.name.lowercased().hasPrefix(part) }
        default:
            return RandomCondition(
                field.isOne(of: [value, "Tram"]), "\(name) in ('\(value)', 'Tram')",
                "§.name IN ('\(value)', 'Tram')"
            ) { row, _ in [value, "Tram"].contains(row.name) }
        }
    }

    static func near(_ field: QueryField<Entity, Address>, _ random: inout SeededRandom) -> RandomCondition {
        let place = Values.place(&random)
        // No place is by chance at such a distance from another.
        let meters = Double.random(in: 1_000...80_000, using: &random).rounded() + 0.25
        return RandomCondition(
            field.isWithin(meters: meters, of: place),
            "address within \(meters) m of \(place.latitude), \(place.longitude)",
            "meters(§.latitude, §.longitude, \(place.latitude), \(place.longitude)) <= \(meters)"
        ) { row, _ in row.meters(from: place).map { $0 <= meters } ?? false }
    }

    /// A field names nothing.
    static func none<Target>(
        _ field: QueryField<Entity, Identifier<Target>>, _ name: String, _ column: String,
        _ id: @escaping (QuestionRow) -> UUID?
    ) -> RandomCondition {
        RandomCondition(field == nil, "\(name) is none", "§.\(column) IS NULL") { row, _ in id(row) == nil }
    }
}

/// An order in the forms of a condition.
public struct RandomOrder<Entity: TripEntity>: Sendable {
    let sorted: @Sendable (Query<Entity>) -> Query<Entity>
    let words: String
    let statement: String
    let compare: @Sendable (QuestionRow, QuestionRow) -> Int

    static var byID: RandomOrder { RandomOrder(sorted: { $0 }, words: "", statement: "id", compare: { _, _ in 0 }) }

    static func byName(_ property: any PartialKeyPath<Entity> & Sendable, _ name: String) -> [RandomOrder] {
        [
            RandomOrder(
                sorted: { $0.sorted(by: property) }, words: name, statement: "name, id",
                compare: { byName($0, $1) }),
            RandomOrder(
                sorted: { $0.sorted(by: property, .descending) }, words: "-\(name)", statement: "name DESC, id",
                compare: { byName($1, $0) }),
        ]
    }

    static func byName(_ a: QuestionRow, _ b: QuestionRow) -> Int {
        precedes(a.name, b.name) ? -1 : precedes(b.name, a.name) ? 1 : 0
    }

    static func precedes(_ a: String, _ b: String) -> Bool {
        a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
    }
}
