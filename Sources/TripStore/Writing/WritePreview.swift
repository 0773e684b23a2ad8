public import EventLog
public import Events

/// The outcome of a write that is not made: `TripStore.preview(_:expecting:)`.
public struct WritePreview: Hashable, Sendable {
    /// The entities that would be written, in the order of the events.
    public let entities: [EntityReference]
    /// The entities whose edits would change nothing.
    public let unchanged: [EntityReference]
    /// How many others would be hidden with what is deleted, or come back with what is restored: items of trips, and entities of apps' kinds.
    public let followers: Int
    /// The log's position at which it was checked.
    public let position: Position
}
