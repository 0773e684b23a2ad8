import Events

/// What a kind of entity consists of: its number in the log, its name, and its fields, each described once.
public struct Schema<Entity: TripEntity>: Sendable {
    /// The same for code that meets kinds and fields as numbers.
    let erased: EntitySchema
    private let numbers: FieldNumbers<Entity>
    /// The lists that the store itself has on one of its own kinds; nil on those of apps.
    let lists: StoreLists<Entity>?

    /// Fields are listed in the order in which people read them. `spans` name a start and an end each, the first those of the entity;
    /// `aliases` are further properties that hold the same field as others, and `unlisted` is the flag with which an entity is in no list.
    init(
        _ kind: EntityKind, _ name: String, spans: [Span<Entity>] = [],
        aliases: [PartialKeyPath<Entity>: UInt64] = [:], lists: StoreLists<Entity>? = nil, unlisted: UInt64? = nil,
        _ fields: [Field<Entity>]
    ) {
        let numbers = FieldNumbers(fields, aliases)
        self.numbers = numbers
        self.lists = lists
        let spans = spans.compactMap { span -> EntitySchema.Span? in
            guard let start = numbers[span.start], let end = numbers[span.end] else { return nil }
            return EntitySchema.Span(start: start, end: end, check: span.check)
        }
        erased = EntitySchema(kind, name, fields.map(\.field), spans, of: Entity.self, unlisted: unlisted)
    }

    /// Of an app's own kind.
    init(_ kind: OwnKind, of namespace: Namespace, _ name: String, _ fields: [Field<Entity>]) {
        numbers = FieldNumbers(fields, [:])
        lists = nil
        erased = EntitySchema(
            .own, name, fields.map(\.field), of: Entity.self, own: kind, namespace, former: Self.former(fields))
    }

    /// What fields replaced: each once, for several may have replaced one.
    static func former(_ fields: [Field<Entity>]) -> [EntitySchema.Field] {
        var former: [EntitySchema.Field] = []
        for field in fields.flatMap(\.former) where !former.contains(where: { $0.number == field.number }) {
            former.append(field)
        }
        return former
    }

    /// Of entities whose fields no schema here describes: their values are kept by number.
    init(open kind: EntityKind) {
        numbers = FieldNumbers([], [:])
        lists = nil
        erased = EntitySchema(kind, "", [], of: Entity.self, isOpen: true)
    }

    /// The properties that hold fields, in the order of their numbers.
    package var properties: [PartialKeyPath<Entity>] { numbers.properties }

    /// Which of the apps' own kinds it is of; nil for the store's own.
    public var ownKind: OwnKind? { erased.own }

    /// The number of the field that a property holds; nil if it holds none.
    package func number(of property: PartialKeyPath<Entity>) -> UInt64? { numbers[property] }
}

/// The numbers of fields by the properties that hold them.
///
/// `@unchecked` is sound: it never changes, and the key paths in it are `Sendable`, which the type of a dictionary of
/// them cannot say.
private struct FieldNumbers<Entity>: @unchecked Sendable {
    private let numbers: [PartialKeyPath<Entity>: UInt64]
    private let aliases: [PartialKeyPath<Entity>: UInt64]

    init(_ fields: [Field<Entity>], _ aliases: [PartialKeyPath<Entity>: UInt64]) {
        var numbers: [PartialKeyPath<Entity>: UInt64] = [:]
        for field in fields { numbers[field.property] = field.field.number }
        self.numbers = numbers
        self.aliases = aliases
    }

    subscript(property: PartialKeyPath<Entity>) -> UInt64? { numbers[property] ?? aliases[property] }

    var properties: [PartialKeyPath<Entity>] { numbers.sorted { $0.value < $1.value }.map(\.key) }
}

/// The two fields of a kind that say from when until when: the end may not be before the start.
struct Span<Entity> {
    let start: PartialKeyPath<Entity>
    let end: PartialKeyPath<Entity>
    /// Takes a pointer to an entity.
    let check: @Sendable (UnsafeRawPointer) throws(ValidationError) -> Void

    /// Of stored properties; it takes others too, and longer for them.
    init<Value: SpanValue>(
        _ start: any KeyPath<Entity, Value?> & Sendable, _ end: any KeyPath<Entity, Value?> & Sendable
    ) {
        self.start = start
        self.end = end
        let (first, last) = (FieldStorage.reader(start), FieldStorage.reader(end))
        check = { entity throws(ValidationError) in try Rules.order(first(entity), last(entity)) }
    }

    /// Of fields in `RareFields`: `first` and `last` are the properties in them.
    init<Values: RareValues, Value: SpanValue>(
        _ start: any KeyPath<Entity, Value?> & Sendable, _ end: any KeyPath<Entity, Value?> & Sendable,
        in fields: any WritableKeyPath<Entity, RareFields<Values>> & Sendable,
        _ first: any KeyPath<Values, Value?> & Sendable, _ last: any KeyPath<Values, Value?> & Sendable
    ) {
        self.start = start
        self.end = end
        let access = RareAccess(fields)
        check = { entity throws(ValidationError) in
            guard let storage = access.fields(entity).pointee.storage else { return }
            try Rules.order(storage.values[keyPath: first], storage.values[keyPath: last])
        }
    }
}
