import Events

internal import struct Crypto.HMAC
internal import struct Crypto.SHA256
internal import struct Crypto.SymmetricKey

/// What a server gives a replica that it serves, so that it knows its next connection for one of a member before the client has proved its key:
/// strangers who fill the places of those that greet keep it away no more.
///
/// A ticket is the second at which it ends, since 1970 (8 bytes, the most significant first), and HMAC-SHA256 with a key of the server's
/// over a domain tag, the replica's public key and these 8 bytes. A client keeps it and shows it; it proves nothing else, and admits to nothing.
struct SessionTickets: Sendable {
    static let size = 8 + Digest.size
    /// How long a ticket holds, in seconds. After half of it the server gives another.
    static let lifetime: UInt64 = 30 * 86_400
    private static let domain = Array("TripStore session ticket v1".utf8)

    private let key: [UInt8]
    /// Seconds since 1970.
    private let now: @Sendable () -> UInt64

    /// `key` is the server's secret; one that stays makes tickets hold over a restart.
    init(key: [UInt8], now: @escaping @Sendable () -> UInt64) {
        self.key = key
        self.now = now
    }

    /// A ticket for a replica; nil if the one that it has shown holds for long.
    func renewed(_ shown: [UInt8]?, for publicKey: [UInt8]) -> [UInt8]? {
        if let shown, let end = end(of: shown, for: publicKey), end > now() + Self.lifetime / 2 { return nil }
        let end = (now() + Self.lifetime).bigEndianBytes
        return end + mac(end, publicKey)
    }

    func holds(_ ticket: [UInt8], for publicKey: [UInt8]) -> Bool { end(of: ticket, for: publicKey) != nil }

    /// When a ticket of this server ends; nil if it is none, or has ended.
    private func end(of ticket: [UInt8], for publicKey: [UInt8]) -> UInt64? {
        guard ticket.count == Self.size,
            HMAC<SHA256>.isValidAuthenticationCode(
                ticket.dropFirst(8), authenticating: Self.domain + publicKey + ticket.prefix(8),
                using: SymmetricKey(data: key))
        else { return nil }
        let end = ticket.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return end > now() ? end : nil
    }

    private func mac(_ end: [UInt8], _ publicKey: [UInt8]) -> [UInt8] {
        Array(
            HMAC<SHA256>.authenticationCode(for: Self.domain + publicKey + end, using: SymmetricKey(data: key)))
    }
}
