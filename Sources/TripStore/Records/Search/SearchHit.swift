public import Events
public import Trips

/// An entity that a search has found, and where.
///
/// ```swift
/// for hit in try store.search("herb dune") {
///     if let book = Book.ID(hit.root ?? hit.entity) { open(book) }
/// }
/// ```
public struct SearchHit: Hashable, Sendable, Identifiable {
    /// A text of the entity in which something was found.
    public struct Passage: Hashable, Sendable {
        /// The meaning of the text.
        public let field: SearchField
        /// The name of the field, as in JSON: "notes", "confirmation".
        public let fieldName: String
        public let text: String
        /// The ranges of `text` that match, in ascending order: whole words, also where the search gave only the
        /// beginning of a word.
        public let ranges: [Range<String.Index>]
    }

    /// The kind and the id. `Book.ID(hit.entity)` and the like are the typed id, nil for other kinds.
    public let entity: EntityReference
    /// The topmost parent: of a note its book. Nil for an entity without a parent.
    public let root: EntityReference?
    /// The name that people use for the entity; empty if it has none.
    public let name: String
    /// The score by which results are ordered, the highest first. It compares hits of one question alone.
    public let score: Int
    /// The texts that were found, in the fields that count most first.
    public let passages: [Passage]

    public var id: EntityReference { entity }
}
