public import Events
public import ProjectionEngine
public import Trips

/// The views that every trip store has.
public enum BuiltInProjections {
    /// In a fixed order; together they are one group.
    public static let all: [any Projection] = [
        TripsByStart(), TripsBySpan(), ChildrenByParent(), TripTotals(), OrganizationsByName(), EntityHistory(),
        ChildrenEver(), Templates(), ItemsBySpan(),
    ]
}

extension ChildrenByParent {
    /// The items of a trip in order, of one kind or of all. O(items of the trip).
    public static func items(
        of trip: Trip.ID, kind: EntityKind? = nil, in views: borrowing ViewSnapshot
    ) throws -> [EntityReference] {
        let items = try children(of: trip.reference, ConcreteKind(kind ?? .activity), in: views)
        return kind.map { kind in items.filter { $0.kind == kind } } ?? items
    }
}
