public import Trips

/// A way to resolve a conflict.
public enum ConflictResolution: Sendable, Hashable {
    /// One of the two edits.
    case taking(TripStore.ConflictSide)
    /// The bytes of another value, as the log has them; nil clears the field. See `writing(_:)`.
    case bytes([UInt8]?)
    /// It stays open, for people.
    case leaving

    /// A value that is neither of the two. A value without bytes, as empty text, clears a field; as an element of a collection it is there.
    public static func writing<Value: OwnFieldValue>(_ value: Value) -> ConflictResolution {
        .bytes(Value.coding.encode(value))
    }
}
