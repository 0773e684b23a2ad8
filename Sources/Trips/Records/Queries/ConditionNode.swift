/// A condition without the type of its entity, by the numbers of fields.
indirect enum ConditionNode: Hashable, Sendable {
    enum Relation: String, Sendable {
        case equal = "="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    enum TextRelation: String, Sendable {
        case contains = "contains"
        case begins = "begins with"
        case equals = "is like"
    }

    case all([ConditionNode])
    case any([ConditionNode])
    case not(ConditionNode)
    case compare(QueriedField, Relation, OrderedValue)
    case isNil(QueriedField)
    case isOne(QueriedField, of: Set<OrderedValue>)
    /// The text is folded.
    case text(QueriedField, TextRelation, String)
    /// From a first to a last field, of which one may be cleared, with a value at least the first and at most the last.
    case overlaps(QueriedField, QueriedField, OrderedValue, OrderedValue)
    /// A collection has an element, or a map a key, of these bytes.
    case contains(QueriedField, [UInt8])
    /// An address is at most so far from a place.
    case near(QueriedField, GlobePoint, GlobeDistance)
    /// One of the entities that belong to it, or the one that it names, meets a condition.
    case related(RelatedCondition)

    /// Flat, so that thousands of conditions are no deep tree.
    func and(_ other: ConditionNode) -> ConditionNode {
        if case .all(let nodes) = self { return .all(nodes + [other]) }
        return .all([self, other])
    }

    func or(_ other: ConditionNode) -> ConditionNode {
        if case .any(let nodes) = self { return .any(nodes + [other]) }
        return .any([self, other])
    }

    /// Of two negations nothing is left.
    var negated: ConditionNode {
        if case .not(let node) = self { return node }
        return .not(self)
    }

    /// Whether it reads other entities.
    var readsOthers: Bool { !relations.isEmpty }

    /// The conditions on other entities.
    var relations: [RelatedCondition] {
        switch self {
        case .all(let nodes), .any(let nodes): nodes.flatMap(\.relations)
        case .not(let node): node.relations
        case .related(let condition): [condition]
        default: []
        }
    }

    /// The parts of a conjunction.
    var conjuncts: [ConditionNode] {
        if case .all(let nodes) = self { return nodes.flatMap(\.conjuncts) }
        return [self]
    }

    /// All fields that it reads.
    var fields: [QueriedField] {
        switch self {
        case .all(let nodes), .any(let nodes): nodes.flatMap(\.fields)
        case .not(let node): node.fields
        case .compare(let field, _, _), .isNil(let field), .isOne(let field, _), .text(let field, _, _),
            .contains(let field, _), .near(let field, _, _):
            [field]
        case .overlaps(let first, let last, _, _): [first, last]
        // The fields of the others are theirs.
        case .related(let condition):
            if case .named(let number) = condition.link { [.field(number)] } else { [] }
        }
    }
}

/// What a query reads of an entity.
enum QueriedField: Hashable, Sendable {
    case field(UInt64)
    case id
    case created
    case updated
    /// When it was created, so exactly that entities of one millisecond are told apart.
    case creation
    /// The first of two fields, or if that is cleared the other.
    case either(UInt64, UInt64)
    /// A property that holds no field: the query is refused.
    case unknown(String)

    /// The fields that it is made of.
    var parts: [QueriedField] {
        if case .either(let first, let other) = self { [.field(first), .field(other)] } else { [self] }
    }
}

/// A condition that a query asks of an entity: a value, which can be compared, kept and combined.
///
/// ```swift
/// let liked = Query<Book>().where { $0.rating > 3 && $0.title.contains("dune") }
/// ```
///
/// A cleared field is equal to nil alone, and neither less nor greater than any value. A property that is not optional has its default where its
/// field is cleared.
public struct Condition<Entity: TripEntity>: Hashable, Sendable {
    let node: ConditionNode
    /// The apps' fields that it names.
    let declared: DeclaredFields

    init(_ node: ConditionNode, _ declared: DeclaredFields = DeclaredFields()) {
        self.node = node
        self.declared = declared
    }

    public static func && (a: Condition, b: Condition) -> Condition {
        Condition(a.node.and(b.node), a.declared + b.declared)
    }
    public static func || (a: Condition, b: Condition) -> Condition {
        Condition(a.node.or(b.node), a.declared + b.declared)
    }
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(condition.node.negated, condition.declared)
    }
}
