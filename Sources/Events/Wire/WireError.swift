/// Bytes that are not what the protobuf wire format, or the message expected there, allows.
public struct WireError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong, and where, in words.
    public let description: String

    public init(_ description: String) { self.description = description }
}
