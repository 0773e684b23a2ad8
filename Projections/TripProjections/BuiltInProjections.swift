public import ProjectionEngine

/// The views that every trip store has.
public enum BuiltInProjections {
    /// In a fixed order; together they are one group.
    public static let all: [any Projection] = [
        TripsByStart(), TripsBySpan(), ChildrenByParent(), TripTotals(), OrganizationsByName(), EntityHistory(),
        ChildrenEver(), Templates(), ItemsBySpan(),
    ]
}
