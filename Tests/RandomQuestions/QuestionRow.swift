public import Foundation
public import TripStore

/// A thing under a trip, of an app's kind.
public struct Bag: OwnEntity {
    public let id: Identifier<Bag>
    public var label = ""
    public var trip: Trip.ID?
    public var count = 1
    public var lender: Organization.ID?
    public var stored = StoredState()

    public init(id: ID) { self.id = id }

    public static let schema = Schema<Bag>(
        "org.example.questions", 1, "suitcase",
        [
            Field(1, "label", \.label), .parent("trip", \.trip), Field(3, "count", \.count),
            Field(4, "lender", \.lender),
        ])
}

/// What a question may ask of an entity, in plain values: for a filter, and as a row of another database.
public struct QuestionRow: Sendable {
    public enum Kind: Int, Sendable, CaseIterable {
        case trip, activity, lodging, transportation, organization, bag
    }

    public let kind: Kind
    public let id: UUID
    public let name: String
    /// The trip of an item or of a bag.
    public var parent: UUID?
    /// The organization of an item, or the lender of a bag.
    public var organization: UUID?
    public var start: Int64?
    public var cost: Money?
    public var paid = PaidStatus.none
    public var mode = TransportationMode.other
    public var count = 1
    public var place: Coordinates?

    init(_ trip: Trip) { (kind, id, name) = (.trip, trip.id.uuid, trip.name) }

    init(_ organization: Organization) {
        (kind, id, name) = (.organization, organization.id.uuid, organization.name)
        place = organization.address?.coordinates
    }

    init(_ bag: Bag) {
        (kind, id, name) = (.bag, bag.id.uuid, bag.label)
        (parent, organization, count) = (bag.trip?.uuid, bag.lender?.uuid, bag.count)
    }

    init<Sort: ItemKind>(_ item: Item<Sort>, _ kind: Kind) {
        (self.kind, id, name) = (kind, item.id.uuid, item.name)
        (parent, organization, start) = (item.trip?.uuid, item.organization?.uuid, item.start?.milliseconds)
        (cost, paid, place) = (item.cost, item.paid, item.address?.coordinates)
    }

    init(_ journey: Transportation) {
        self.init(journey, .transportation)
        mode = journey.mode
    }

    /// How far its place is from another along the globe, by the haversine formula; nil without a place.
    func meters(from other: Coordinates) -> Double? {
        place.map { Self.meters($0.latitude, $0.longitude, other.latitude, other.longitude) }
    }

    /// Between two places in degrees.
    public static func meters(
        _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double
    ) -> Double {
        let (first, second) = (latitude * .pi / 180, otherLatitude * .pi / 180)
        let (north, east) = (sin((second - first) / 2), sin((otherLongitude - longitude) * .pi / 360))
        let half = min(1, north * north + cos(first) * cos(second) * east * east)
        return 2 * 6_371_008.8 * asin(half.squareRoot())
    }
}

/// The rows that are there, found by what questions ask.
public struct QuestionRows: Sendable {
    private var byID: [UUID: QuestionRow] = [:]
    private var byParent: [UUID: [QuestionRow]] = [:]
    private var byOrganization: [UUID: [QuestionRow]] = [:]

    init(_ rows: [QuestionRow]) {
        for row in rows {
            byID[row.id] = row
            if let parent = row.parent { byParent[parent, default: []].append(row) }
            if let organization = row.organization { byOrganization[organization, default: []].append(row) }
        }
    }

    public var all: [QuestionRow] { Array(byID.values) }

    subscript(id: UUID?) -> QuestionRow? { id.flatMap { byID[$0] } }

    func children(of row: QuestionRow, _ kinds: [QuestionRow.Kind]) -> [QuestionRow] {
        byParent[row.id, default: []].filter { kinds.contains($0.kind) }
    }

    func items(ofOrganization row: QuestionRow, _ kinds: [QuestionRow.Kind]) -> [QuestionRow] {
        byOrganization[row.id, default: []].filter { kinds.contains($0.kind) }
    }
}
