public import Events

/// The log continues under another replica id; with the reason.
public struct IdentityChange: Sendable, Hashable {
    /// The replica that wrote here before. Its commits stay, and are forwarded.
    public let previous: ReplicaID
    /// In words, to be read after "the replica goes on under a new id, for".
    public let reason: String

    package init(previous: ReplicaID, reason: String) {
        self.previous = previous
        self.reason = reason
    }

    func encoded() -> [UInt8] { previous.bytes + Array(reason.utf8) }

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16, let previous = ReplicaID(bytes.prefix(16)) else { return nil }
        self.init(previous: previous, reason: String(decoding: bytes.dropFirst(16), as: UTF8.self))
    }
}
