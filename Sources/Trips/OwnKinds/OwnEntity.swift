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
