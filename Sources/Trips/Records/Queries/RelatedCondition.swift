package import Events

/// A condition on entities that belong to the one that is asked for, or that it names.
///
/// A class, so that what is known of it while a query runs is found by its identity: hashing a condition takes longer than asking it.
package final class RelatedCondition: Hashable, Sendable {
    package enum Link: Hashable, Sendable {
        /// The entity that a field names.
        case named(by: UInt64)
        /// The entities of which a field names the entity.
        case naming(by: UInt64)
        /// The entities whose parent is the entity.
        case children
    }

    package let link: Link
    /// Of which kinds they are.
    package let kinds: [KnownKind]
    let condition: ConditionNode
    /// The kinds by which children are read: one for all that lie in the order of time, among each other.
    package let childKinds: [ConcreteKind]

    init(link: Link, kinds: [KnownKind], condition: ConditionNode) {
        self.link = link
        self.kinds = kinds
        self.condition = condition
        let all = kinds.map(\.kind)
        childKinds =
            all.filter { !$0.kind.parents.areOfOneKind } + all.filter { $0.kind.parents.areOfOneKind }.prefix(1)
    }

    convenience init<Related>(link: Link, kinds: [KnownKind], _ condition: Condition<Related>) {
        self.init(
            link: link, kinds: kinds.map { $0.known(in: nil, declaring: condition.declared) },
            condition: condition.node)
    }

    package static func == (a: RelatedCondition, b: RelatedCondition) -> Bool {
        a === b || a.link == b.link && a.kinds == b.kinds && a.condition == b.condition
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(link)
        hasher.combine(kinds)
        hasher.combine(condition)
    }

    /// The queries for them, one for each kind. Of those that name an entity, given that.
    package func query<Entity: TripEntity>(
        of kind: Entity.Type, naming target: EntityReference? = nil
    ) -> Query<Entity> {
        var query = Query<Entity>(kinds.first { $0.type == kind } ?? KnownKind(kind))
        query.condition = condition
        guard case .naming(let number) = link, let target else { return query }
        return query.where { _ in Condition(.compare(.field(number), .equal, .bytes(target.fieldValue))) }
    }
}

/// Entities that belong to the one that is asked for, in a condition.
///
/// Those that are deleted, or hidden with a deleted parent, count as not there.
public struct QueryRelation<Entity: TripEntity, Related: TripEntity> {
    private let link: RelatedCondition.Link
    private let kinds: [KnownKind]

    init(_ link: RelatedCondition.Link, _ kinds: [KnownKind]) {
        self.link = link
        self.kinds = kinds
    }

    /// Some of them meet a condition.
    public func contains(where condition: (QueryFields<Related>) -> Condition<Related>) -> Condition<Entity> {
        Condition(.related(RelatedCondition(link: link, kinds: kinds, condition(QueryFields()))))
    }

    /// All of them meet a condition, or there are none.
    public func allSatisfy(_ condition: (QueryFields<Related>) -> Condition<Related>) -> Condition<Entity> {
        !contains { !condition($0) }
    }

    /// There are none.
    public var isEmpty: Condition<Entity> {
        Condition(.not(.related(RelatedCondition(link: link, kinds: kinds, condition: .all([])))))
    }
}

extension QueryFields {
    /// The entities of an app's kind whose parent is the entity.
    public func children<Child: OwnEntity>(_ kind: Child.Type) -> QueryRelation<Entity, Child> {
        QueryRelation(.children, [KnownKind(kind)])
    }
}

extension QueryField {
    /// The entity that the field names is there and meets a condition.
    public func matches<Target: TripEntity>(
        _ condition: (QueryFields<Target>) -> Condition<Target>
    ) -> Condition<Entity> where Value == Identifier<Target> {
        guard case .field(let number) = field else { return Condition(.isOne(field, of: [])) }
        return Condition(
            .related(
                RelatedCondition(
                    link: .named(by: number), kinds: [KnownKind(Target.self)], condition(QueryFields()))))
    }
}
