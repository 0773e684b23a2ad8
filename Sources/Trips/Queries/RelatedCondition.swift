package import Events

/// A condition on entities that belong to the one that is asked for, or that it names.
///
/// A class, so that what is known of it while a query runs is found by its identity: hashing a condition takes longer than asking it.
package final class RelatedCondition: Hashable, Sendable {
    package enum Link: Hashable, Sendable {
        /// The entity that a field names.
        case named(by: UInt64)
        /// The items of a trip.
        case items
        /// The items whose organization is the entity.
        case itemsOfOrganization
        /// The entities of an app's kind whose parent is the entity.
        case children
    }

    package let link: Link
    /// Of which kinds they are.
    package let kinds: [RelatedKind]
    let condition: ConditionNode

    init(link: Link, kinds: [RelatedKind], condition: ConditionNode) {
        self.link = link
        self.kinds = kinds
        self.condition = condition
    }

    package static func == (a: RelatedCondition, b: RelatedCondition) -> Bool {
        a === b || a.link == b.link && a.kinds == b.kinds && a.condition == b.condition
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(link)
        hasher.combine(kinds)
        hasher.combine(condition)
    }

    /// The queries for them, one for each kind.
    package func query<Entity: TripEntity>(of kind: Entity.Type) -> Query<Entity> {
        var query = Query<Entity>(described: kinds.first { $0.type == kind }?.described)
        query.condition = condition
        return query
    }

    /// The query for the items of a kind whose organization is one.
    package func query<Item: TripEntity>(of kind: Item.Type, naming organization: EntityReference) -> Query<Item> {
        // All kinds of items have the same numbers.
        let field = QueryFields<Activity>.field(\.organization)
        return query(of: kind).where { _ in Condition(.compare(field, .equal, .bytes(organization.fieldValue))) }
    }
}

/// A kind of entity as a value.
package struct RelatedKind: Hashable, Sendable {
    package let type: any TripEntity.Type
    /// Which of the apps' kinds, if only the log describes it.
    let described: OwnKind?

    init(_ type: any TripEntity.Type) { (self.type, described) = (type, nil) }

    init(described: OwnKind) { (type, self.described) = (DescribedEntity.self, described) }

    /// Which of the apps' kinds; nil for the store's own.
    package var own: OwnKind? { described ?? type.ownKind }

    var schema: EntitySchema { described.map { EntitySchema.described($0) } ?? type.erasedSchema }

    /// Whether an entity is of the kind.
    package func covers(_ entity: EntityReference) -> Bool {
        entity.kind == type.kind && (described == nil || described == OwnKind(of: entity))
    }

    package static func == (a: RelatedKind, b: RelatedKind) -> Bool {
        a.type == b.type && a.described == b.described
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(described)
    }

    static let items = [RelatedKind(Activity.self), RelatedKind(Lodging.self), RelatedKind(Transportation.self)]
}

/// Entities that belong to the one that is asked for, in a condition.
///
/// Those that are deleted, or hidden with a deleted parent, count as not there.
public struct QueryRelation<Entity: TripEntity, Related: TripEntity> {
    private let link: RelatedCondition.Link
    private let kinds: [RelatedKind]

    init(_ link: RelatedCondition.Link, _ kinds: [RelatedKind]) {
        self.link = link
        self.kinds = kinds
    }

    /// Some of them meet a condition.
    public func contains(where condition: (QueryFields<Related>) -> Condition<Related>) -> Condition<Entity> {
        Condition(.related(RelatedCondition(link: link, kinds: kinds, condition: condition(QueryFields()).node)))
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

extension QueryFields where Entity == Trip {
    /// The items of a trip, of all kinds. Their conditions are on the fields that all kinds have.
    public var items: QueryRelation<Trip, Activity> { QueryRelation(.items, RelatedKind.items) }
    public var activities: QueryRelation<Trip, Activity> { QueryRelation(.items, [RelatedKind(Activity.self)]) }
    public var lodgings: QueryRelation<Trip, Lodging> { QueryRelation(.items, [RelatedKind(Lodging.self)]) }
    public var transportations: QueryRelation<Trip, Transportation> {
        QueryRelation(.items, [RelatedKind(Transportation.self)])
    }
}

extension QueryFields where Entity == Organization {
    /// The items of an organization, of all kinds. Their conditions are on the fields that all kinds have.
    public var items: QueryRelation<Organization, Activity> { QueryRelation(.itemsOfOrganization, RelatedKind.items) }
}

extension QueryFields {
    /// The entities of an app's kind whose parent is the entity.
    public func children<Child: OwnEntity>(_ kind: Child.Type) -> QueryRelation<Entity, Child> {
        QueryRelation(.children, [RelatedKind(kind)])
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
                    link: .named(by: number), kinds: [RelatedKind(Target.self)],
                    condition: condition(QueryFields()).node)))
    }
}

extension TripEntity {
    fileprivate static var ownKind: OwnKind? { schema.ownKind }
    fileprivate static var erasedSchema: EntitySchema { schema.erased }
}
