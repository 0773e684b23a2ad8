import Events
import ProjectionEngine
import TripProjections
public import Trips

/// Single trips, items and organizations, and what a trip has in all.
extension TripQuerying where Self: ~Copyable {
    public func trip(_ id: Trip.ID) throws -> Trip? { try entity(id) }

    /// An item of any kind, or nil if it is not there.
    public func item(_ id: TripItem.ID) throws -> TripItem? {
        switch id {
        case .activity(let id): try entity(id).map { .activity($0) }
        case .lodging(let id): try entity(id).map { .lodging($0) }
        case .transportation(let id): try entity(id).map { .transportation($0) }
        }
    }

    /// The number and the costs of a trip's items; zero if the trip is missing.
    public func totals(of trip: Trip.ID) throws -> Totals {
        try fetch(
            FetchRequest(TotalsIdentity(trip: trip)) { views, _ in
                guard try views.snapshot.record(of: trip.reference)?.isPresent() == true else { return Totals() }
                return try TripTotals.totals(of: trip, in: views.snapshot)
            })
    }

    /// A page of trips, each with its items in the order of time, of the same snapshot.
    public func fetch(
        withItems query: Query<Trip>, after cursor: PageCursor? = nil
    ) throws -> RelatedRows<Trip, [TripItem]> {
        try fetch(
            FetchRequest(.withChildren(cursor), query) { views in
                let page = try views.fetch(query, after: cursor)
                let related = try Dictionary(
                    uniqueKeysWithValues: page.map { ($0.id, try views.items(of: $0.id).rows) })
                return RelatedRows(page, related)
            })
    }
}

extension TripViews {
    /// The number of trips. O(1) for dated and undated ones together.
    public func tripCount() throws -> Int { try listedCount() }

    /// The number of entities in the list that every store begins with.
    func listedCount() throws -> Int { try snapshot.rowCount(of: "trips-by-start") }
}

extension ListedEntities {
    /// The rows by which entities under parents of one kind are found, in words.
    static let partsByParent = "items by trip"
}

private struct TotalsIdentity: Hashable, Sendable {
    let trip: Trip.ID
}

extension TripStoreError.Code {
    /// The code for a parent of some kind that is missing or deleted.
    static func missing(_ kind: EntityKind) -> TripStoreError.Code { kind == .trip ? .unknownTrip : .unknownParent }

    var isMissingParent: Bool { self == .unknownTrip || self == .unknownParent }
}

extension StoreStatus {
    /// The number of trips, without deleted ones; nil if no views can be read yet.
    public var trips: Int? { listed }
}
