import Foundation

@testable import Events
@testable import TripStore
@testable import TripStoreTestSupport
@testable import Trips

/// Fields of an app on trips, of every shape, and two that replace another.
enum SimulatedFields {
    static let labels = OwnSet<Trip, String>("org.example.simulated", 1, "labels")
    static let visits = OwnCounter<Trip>("org.example.simulated", 2, "visits")
    static let packed = OwnMap<Trip, String, Bool>("org.example.simulated", 3, "packed")
    static let stops = OwnList<Trip, String>("org.example.simulated", 4, "stops")
    static let grade = OwnField<Trip, String>("org.example.simulated", 5, "grade")
    static let points = OwnField<Trip, Int>(
        "org.example.simulated", 6, "points",
        replacing: Upcaster(
            grade, upgrade: { $0.utf8.count }, downgrade: { String(repeating: "*", count: min(max($0, 0), 9)) }))
    static let level = OwnField<Trip, Int>(
        "org.example.simulated", 7, "level", replacing: Upcaster(points, upgrade: { $0 / 2 }))

    /// All of them, as each store knows them.
    static let all: [any SchemaPart] = [labels, visits, packed, stops, grade, points, level]
    private static let numbers: [UInt64] = all.flatMap(\.fieldDescriptions).map(\.number)

    /// Where an element of any shape, or a value, may be; whether the field has such or not.
    static func anyPath(_ random: inout SeededRandom) -> FieldPath {
        let number = numbers.randomElement(using: &random) ?? 0
        guard random.once(in: 2) else { return FieldPath(field: number) }
        // Few keys, so that writers write the same elements.
        let name = [UInt8](repeating: UInt8.random(in: 0...3, using: &random), count: random.once(in: 8) ? 3 : 16)
        return FieldPath(field: number, key: [UInt8.random(in: 0...7, using: &random)] + name)
    }

    /// An edit of a trip that the rules allow.
    static func edit(_ trip: Trip.ID, _ random: inout SeededRandom) -> TripEvent {
        let name = [UInt8](repeating: UInt8.random(in: 0...3, using: &random), count: 16)
        let text = ["sea", "sun", "food"].randomElement(using: &random) ?? ""
        let number = Int.random(in: 0...9, using: &random)
        let change: FieldChange<Trip> =
            switch Int.random(in: 0...8, using: &random) {
            case 0: change(labels, .addition, name, random.once(in: 3) ? nil : text)
            case 1: .add(number, to: visits)
            case 2: FieldChange(path(packed, .entry, Array(text.utf8)), value: random.once(in: 3) ? nil : [1])
            case 3: FieldChange(path(stops, .rank, name), value: [UInt8(number), 1])
            case 4: change(stops, .listElement, name, random.once(in: 4) ? nil : text)
            case 5: .set(grade, random.once(in: 4) ? nil : String(repeating: "*", count: number))
            case 6: .set(points, random.once(in: 4) ? nil : number)
            default: .set(level, random.once(in: 4) ? nil : number)
            }
        return TripEvent(.edited, trip, [change])
    }

    /// What an app shows of a trip.
    static func shown(_ trip: Trip) -> String {
        let packed = trip[packed].sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
        let fields = [trip[grade] ?? "-", "\(trip[points] ?? -1)", "\(trip[level] ?? -1)", "\(trip[visits])"]
        return "\(fields) \(trip[labels].sorted()) \(packed) \(trip[stops])"
    }

    private static func path(_ field: some SchemaPart, _ kind: ElementKey.Kind, _ name: [UInt8]) -> FieldPath {
        ElementKey(kind, name).path(in: field.fieldDescriptions.first?.number ?? 0)
    }

    private static func change(
        _ field: some SchemaPart, _ kind: ElementKey.Kind, _ name: [UInt8], _ text: String?
    ) -> FieldChange<Trip> {
        FieldChange(path(field, kind, name), value: text.map { Array($0.utf8) })
    }
}
