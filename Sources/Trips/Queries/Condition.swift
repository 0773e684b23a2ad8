/// A condition that a query asks of an entity: a value, which can be compared, kept and combined.
///
/// ```swift
/// let unpaid = Query<Activity>().where { $0.paid != .inFull && $0.name.contains("tram") }
/// ```
///
/// A cleared field is equal to nil alone, and neither less nor greater than any value. A property that is not optional has its default where its
/// field is cleared.
public struct Condition<Entity: TripEntity>: Hashable, Sendable {
    let node: ConditionNode

    init(_ node: ConditionNode) { self.node = node }

    public static func && (a: Condition, b: Condition) -> Condition { Condition(a.node.and(b.node)) }
    public static func || (a: Condition, b: Condition) -> Condition { Condition(a.node.or(b.node)) }
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(condition.node.negated)
    }
}
