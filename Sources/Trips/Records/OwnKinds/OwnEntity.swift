public import Events

/// An entity of a kind that an app adds: a plain structure whose properties are fields of the merge.
///
/// ```swift
/// struct Note: OwnEntity {
///     let id: Identifier<Note>
///     var text = ""
///     var book: Book.ID?
///     var page: Int?
///     var stored = StoredState()
///
///     init(id: ID) { self.id = id }
///
///     static let schema = Schema<Note>(
///         "org.example.reading", 2, "note",
///         [Field(1, "text", \.text, isRequired: true), .parent("book", \.book), Field(3, "page", \.page)])
/// }
/// ```
///
/// It has what the store's own kinds have: the verbs, history, undo, past states, conflicts, exchange and live queries. A store whose app
/// is not here keeps it, passes it on, and hides it with its parent.
public protocol OwnEntity: TripEntity {}

extension OwnEntity {
    public static var kind: EntityKind { .own }
}

/// An entity of whichever app's kind, without its app: all of its fields are values that the log may describe.
package struct DescribedEntity: OwnEntity {
    package let id: Identifier<DescribedEntity>
    package var stored = StoredState()

    package init(id: ID) { self.id = id }

    /// A blank one of a kind.
    package init(of kind: OwnKind) { id = Identifier(kind.id(Identifier<DescribedEntity>.new().uuid)) }

    /// Nil for entities of the store's own kinds.
    package init?(of entity: EntityReference) {
        guard let id = ID(entity) else { return nil }
        self.id = id
    }

    /// Any entity of an app's kind with what is stored of it.
    fileprivate init<Entity: OwnEntity>(of entity: Entity) {
        id = Identifier(entity.id.uuid)
        for number in Entity.fieldNumbers { own[number] = entity.encoded(number) }
        for value in entity.own.values { own[value.path] = value.bytes }
        setTimes(created: entity.createdAt, updated: entity.updatedAt)
    }

    package static let schema = Schema<DescribedEntity>(open: .own)

    /// What people call it by, where a store knows its kind so.
    package func name(in known: KnownSchema?) -> String { reference.name(own[1], in: known) }

    package var parent: EntityReference? {
        get { own[FieldPath.parent.field].flatMap { EntityReference(fieldValue: $0) } }
        set { own[FieldPath.parent.field] = newValue?.fieldValue }
    }
}

extension OwnEntity {
    /// The same without its type, as code that knows the kind by its description alone reads it.
    package var described: DescribedEntity { DescribedEntity(of: self) }
}
