import Events

/// An index: a view that has the entities of a kind in the order of one of their fields, or of several one after another.
///
/// ```swift
/// options.indexes += [Index(on: \Book.rating), Index(on: \Book.author).then(\Book.title)]
/// ```
///
/// A query uses it for conditions on its first fields (`==`, `isOne`, `nil`; on the one after them also a range), and for the
/// order of the fields after those with one value. It is kept in the views of the store, by every process that writes, until they
/// are made again by a process that does not ask for it; an entity costs up to some hundred bytes in it.
public struct Index: Hashable, Sendable {
    let definition: IndexDefinition
    /// What of the declaration is no field that can have an index, in words.
    let objection: String?

    /// An index of a property, or of one property of text in the order in which people expect names.
    public init<Entity: TripEntity>(on property: PartialKeyPath<Entity>, asPeopleDo isNatural: Bool = false) {
        self.init(IndexDefinition(Entity.self, []), nil, QueryFields.field(property), isNatural, of: Entity.self)
    }

    /// An index of an app's own field.
    public init<Entity, Value>(on field: OwnField<Entity, Value>, asPeopleDo isNatural: Bool = false) {
        self.init(
            IndexDefinition(Entity.self, []), nil, .field(field.number), isNatural, of: Entity.self, field.asDeclared)
    }

    /// With another property after those so far: it decides where they are equal.
    public func then<Entity: TripEntity>(_ property: PartialKeyPath<Entity>, asPeopleDo isNatural: Bool = false)
        -> Index
    {
        Index(definition, objection, QueryFields.field(property), isNatural, of: Entity.self)
    }

    /// With an app's own field after those so far.
    public func then<Entity, Value>(_ field: OwnField<Entity, Value>, asPeopleDo isNatural: Bool = false) -> Index {
        Index(definition, objection, .field(field.number), isNatural, of: Entity.self, field.asDeclared)
    }

    private init<Entity: TripEntity>(
        _ definition: IndexDefinition, _ objection: String?, _ field: QueriedField, _ isNatural: Bool,
        of type: Entity.Type, _ declared: DeclaredFields = DeclaredFields()
    ) {
        let kind = Entity.schema.erased.name
        guard ConcreteKind(Entity.self) == definition.kind else {
            self.init(definition, objection ?? "its fields are of several kinds, \(kind) among them")
            return
        }
        switch IndexedField.of(field, isNatural, KnownKind(type).known(in: nil, declaring: declared)) {
        case .success(let field):
            let fields = definition.fields + [field]
            self.init(
                IndexDefinition(kind: definition.kind, fields),
                objection ?? (fields.count > IndexDefinition.mostFields ? "it has \(fields.count) fields" : nil))
        case .failure(let reason): self.init(definition, objection ?? "\(kind) \(reason.words)")
        }
    }

    private init(_ definition: IndexDefinition, _ objection: String?) {
        self.definition = definition
        self.objection = objection
    }

    /// Why it cannot be made, in words; nil if it can.
    package var refusal: String? {
        objection.map {
            "An index cannot be made: \($0). Name up to \(IndexDefinition.mostFields) fields of one kind that hold one value and replace no "
                + "others."
        }
    }

    /// As the views keep it.
    package var bytes: [UInt8] { definition.bytes }

    /// "book by author, title".
    package var name: String { definition.name(in: nil) }
}

extension RecordQuery {
    /// The indexes that a store makes on demand and that would serve the query, as the views keep them.
    package var indexesOnDemand: [[UInt8]] {
        let constraints = FieldConstraints(self)
        return Index.onDemand.map(\.definition).filter { index in
            IndexPlan(index, for: self, constraints).map { limit != nil || $0.strength > 0 } ?? false
        }.map(\.bytes)
    }
}
