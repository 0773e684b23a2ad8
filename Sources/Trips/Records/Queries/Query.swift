/// A question for entities of one kind: on which conditions, in which order, and how many.
///
/// ```swift
/// let liked = Query<Book>().where { $0.rating > 3 && $0.finished >= monday }.sorted(by: \.title).limit(20)
/// let page = try store.fetch(unpaid)
/// ```
///
/// It is a value: equal questions are equal, and can be keys.
public struct Query<Entity: TripEntity>: Hashable, Sendable {
    /// Which kind it asks, and by which fields.
    private(set) var kind: KnownKind
    var condition: ConditionNode?
    /// What is evaluated on entities that meet the condition.
    var predicates: [QueryPredicate<Entity>] = []
    var sortKeys: [SortKey] = []
    /// How many rows a page has at most; nil for all.
    package private(set) var limit: Int?
    /// How many entities it may look at where no index narrows it down; nil for all.
    package private(set) var scanLimit: Int?

    /// All entities of the kind, in the order of their ids, which is that of their creation where ids were made by `new()`.
    public init() { self.init(KnownKind(Entity.self)) }

    /// All entities of the kind, of which a store names in words what its log describes as well.
    package init(in known: KnownSchema?) { self.init(KnownKind(Entity.self, in: known)) }

    /// All entities of an app's kind that only the log describes.
    ///
    /// What the app's program alone knows does not count: a cleared field is none, also where its property has a default, and a field that
    /// replaces others has its own value alone.
    package init(of kind: OwnKind, in known: KnownSchema) where Entity == DescribedEntity {
        self.init(KnownKind(kind, in: known))
    }

    init(_ kind: KnownKind) { self.kind = kind }

    var schema: EntitySchema { kind.schema }

    package var concreteKind: ConcreteKind { kind.kind }

    /// Only those that meet a condition, beside all conditions so far.
    public func `where`(_ condition: (QueryFields<Entity>) -> Condition<Entity>) -> Query {
        var query = self
        let asked = condition(QueryFields())
        query.condition = query.condition.map { $0.and(asked.node) } ?? asked.node
        if !asked.declared.fields.isEmpty { query.kind = kind.known(in: nil, declaring: asked.declared) }
        return query
    }

    /// In the order of a property, after the orders so far. Entities in which it is cleared come last.
    public func sorted(by property: PartialKeyPath<Entity>, _ order: QueryOrder = .ascending) -> Query {
        adding(SortKey(field: QueryFields<Entity>.field(property), order: order))
    }

    /// In the order of an app's own field.
    public func sorted<Value>(by field: OwnField<Entity, Value>, _ order: QueryOrder = .ascending) -> Query {
        var query = adding(SortKey(field: .field(field.number), order: order))
        query.kind = kind.known(in: nil, declaring: field.asDeclared)
        return query
    }

    /// At most so many at once: further ones are on the next pages.
    public func limit(_ count: Int) -> Query {
        var query = self
        query.limit = max(1, min(count, .max / 4))
        return query
    }

    /// Refused, with `TripStoreError.Code.needsIndex`, rather than slow: where no index narrows down the query and it would look at more
    /// entities of its kind than that many.
    public func scanning(atMost count: Int) -> Query {
        var query = self
        query.scanLimit = max(0, count)
        return query
    }

    private func adding(_ key: SortKey) -> Query {
        var query = self
        query.sortKeys.append(key)
        return query
    }
}

extension Query {
    /// The query from the last entity to the first. Entities in which what they are sorted by is cleared come last all the same.
    public var reversed: Query {
        var query = self
        query.sortKeys = sortKeys.map { SortKey(field: $0.field, order: $0.order.reversed) }
        let byID = SortKey(field: .id, order: .ascending)
        if query.sortKeys.last == byID {
            query.sortKeys.removeLast()
        } else if sortKeys.last != byID {
            query.sortKeys.append(SortKey(field: .id, order: .descending))
        }
        return query
    }
}

/// The order of a property in a query.
public enum QueryOrder: Sendable {
    case ascending, descending
    /// Text as people expect names: regardless of case and accents, and "Day 2" before "Day 10", in every language of the device.
    case asPeopleDo
    /// Text as people expect names, from the last to the first.
    case asPeopleDoReversed

    init(isNatural: Bool = false, isDescending: Bool) {
        self =
            isNatural ? isDescending ? .asPeopleDoReversed : .asPeopleDo : isDescending ? .descending : .ascending
    }

    var isNatural: Bool { self == .asPeopleDo || self == .asPeopleDoReversed }
    var isDescending: Bool { self == .descending || self == .asPeopleDoReversed }

    /// From the last to the first.
    package var reversed: QueryOrder { QueryOrder(isNatural: isNatural, isDescending: !isDescending) }
}

struct SortKey: Hashable, Sendable {
    let field: QueriedField
    let order: QueryOrder

    func value(_ value: OrderedValue?) -> SortValue {
        if order.isNatural, case .text(let text)? = value {
            return SortValue(value: value, folded: TextFolding.folded(text))
        }
        return SortValue(value: value, folded: nil)
    }

    /// Less than 0 if a value comes first. Cleared fields come last in either direction.
    func compare(_ a: SortValue, _ b: SortValue) -> Int {
        guard let first = a.value, let second = b.value else { return a.value == nil ? (b.value == nil ? 0 : 1) : -1 }
        var order = 0
        if let folded = a.folded, let other = b.folded { order = TextFolding.compareNaturally(folded, other) }
        if order == 0 { order = first.sorted(before: second) }
        return self.order.isDescending ? -order : order
    }
}

/// A value by which rows are sorted.
struct SortValue: Hashable, Sendable {
    let value: OrderedValue?
    /// Of text in the natural order, so that it is folded once.
    let folded: String?
}
