public import Foundation

/// The caller's id for one append, by which a second attempt is recognised: 16 bytes, kept in the commit's payload.
///
/// Create one for each append, keep it until the outcome is known, and pass it again with each attempt.
public struct AppendID: Hashable, Sendable, TextCoded {
    package let uuid: UUID

    /// A new, random one.
    public init() { uuid = UUID() }

    /// One that the app derives from an id of its own, such as that of a request.
    public init(_ uuid: UUID) { self.uuid = uuid }

    /// From 16 bytes; nil for another count.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        uuid = bytes.withUnsafeBytes { $0.uuid() }
    }

    /// From the usual text of a UUID; nil for anything else.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    package var bytes: [UInt8] { uuid.bytes }
    public var description: String { uuid.uuidString }
}
