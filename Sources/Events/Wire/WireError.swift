import Foundation

/// Bytes that the protobuf wire format, or the expected message, does not allow.
public struct WireError: ExplainedError, Sendable, Hashable {
    /// A description of the fault and its position, in words.
    public let description: String

    public init(_ description: String) { self.description = description }
}
