public import Events
public import Foundation

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
public protocol OwnEntity: TripEntity {
    /// The values that the store keeps beside the fields. Begins as `StoredState()`.
    var stored: StoredState { get set }
}

/// Values that the store keeps of an app's entity beside the properties that its schema names.
public struct StoredState: Hashable, Sendable {
    /// Values of fields that are declared outside of the schema, by this app or by others.
    public var own = OwnValues()
    public fileprivate(set) var createdAt: Date?
    public fileprivate(set) var updatedAt: Date?

    public init() {}
}

extension OwnEntity {
    public static var kind: EntityKind { .own }

    public var own: OwnValues {
        get { stored.own }
        // In place: each value that is read would copy those before it.
        _modify { yield &stored.own }
    }

    public var createdAt: Date? { stored.createdAt }
    public var updatedAt: Date? { stored.updatedAt }

    public mutating func setTimes(created: Date?, updated: Date?) {
        (stored.createdAt, stored.updatedAt) = (created, updated)
    }
}
