import EventLog
public import Events
import Foundation
import ProjectionEngine
import TripProjections
public import Trips

extension TripStore {
    /// Runs several queries on one snapshot of the views. Any thread; waits for nobody. Nothing may leave `body` but
    /// values.
    ///
    /// Throws `ProjectionError.beingBuilt` or `.notBuilt` if there are no views to read, and what `body` throws.
    public func read<T>(_ body: (borrowing TripViews) throws -> T) throws -> T {
        try views.read { try body(TripViews($0.alias())) }
    }

    /// A page of trips by date. O(log n + rows).
    public func trips(
        _ query: TripQuery = .dated, limit: Int = 50, after cursor: PageCursor? = nil
    ) throws -> Page<TripRow> {
        try read { try $0.trips(query, limit: limit, after: cursor) }
    }

    /// An entity of any kind, or nil if it is not there. O(log n).
    public func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Entity? {
        try read { try $0.entity(id) }
    }

    public func trip(_ id: Trip.ID) throws -> Trip? { try entity(id) }
    public func activity(_ id: Activity.ID) throws -> Activity? { try entity(id) }
    public func lodging(_ id: Lodging.ID) throws -> Lodging? { try entity(id) }
    public func transportation(_ id: Transportation.ID) throws -> Transportation? { try entity(id) }
    public func organization(_ id: Organization.ID) throws -> Organization? { try entity(id) }

    /// The items of a trip in the order of time; none if the trip is not there. O(items).
    public func items(of trip: Trip.ID) throws -> Rows<TripItem> {
        try read { Rows(try $0.items(of: trip), $0.position) }
    }

    /// The activities of a trip in the order of time. O(items).
    public func activities(of trip: Trip.ID) throws -> Rows<Activity> {
        try read { views in
            let items = try views.items(of: trip, kind: .activity)
            return Rows(
                items.compactMap { if case .activity(let activity) = $0 { activity } else { nil } }, views.position)
        }
    }

    /// The items whose trip never came here.
    public func unfiledItems() throws -> Rows<TripItem> { try read { Rows(try $0.unfiledItems(), $0.position) } }

    /// How many items a trip has and what they cost.
    public func totals(of trip: Trip.ID) throws -> Totals { try read { try $0.totals(of: trip) } }

    /// The organizations whose name begins with some text, by name.
    public func organizations(named prefix: String = "", limit: Int = .max) throws -> Rows<Organization> {
        try read { Rows(try $0.organizations(named: prefix, limit: limit), $0.position) }
    }

    /// The version of an entity, to expect when writing; `.none` if nothing is held of it.
    public func version<Entity: TripEntity>(of id: Identifier<Entity>) throws -> EntityVersion {
        try read { try $0.version(of: id) }
    }
}
