public import EventLog
public import Events

/// A view's name, version, and row count.
public struct ViewStatus: Sendable, Hashable {
    public let name: String
    public let version: UInt32
    public let position: Position
    public let rows: Int
    /// Nil unless requested.
    public let digest: Digest?
}
