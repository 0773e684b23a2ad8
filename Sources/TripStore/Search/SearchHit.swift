public import Events
public import Trips

/// An entity that a search has found, and where.
///
/// ```swift
/// for hit in try store.search("lis tram") {
///     switch hit.entity.kind {
///     case .trip: open(Trip.ID(hit.entity))
///     default: if let trip = hit.trip { open(trip) }
///     }
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

    /// The kind and the id. `Trip.ID(hit.entity)` and the like are the typed id, nil for other kinds; `TripItem.ID(hit.entity)` is that of an
    /// item of any kind.
    public let entity: EntityReference
    /// The trip that it belongs to; nil for trips themselves and for what belongs to none.
    public let trip: Trip.ID?
    /// The name that people use for the entity; empty if it has none.
    public let name: String
    /// The score by which results are ordered, the highest first. It compares hits of one question alone.
    public let score: Int
    /// The texts that were found, in the fields that count most first.
    public let passages: [Passage]

    public var id: EntityReference { entity }
}
