public import Events

/// The address at which an invitation's journal can be reached, and the pin by which its server is known.
public struct ServerLocation: Hashable, Sendable {
    /// A name, or an IP address without brackets: 1 to 253 bytes of UTF-8.
    public let host: String
    public let port: UInt16
    /// SHA-256 of the SubjectPublicKeyInfo (DER) of the server's certificate; nil if the system's roots vouch for it.
    public let pin: Digest?

    static let longestHost = 253

    /// Nil for a host that is empty or too long.
    public init?(host: String, port: UInt16, pin: Digest?) {
        guard (1...Self.longestHost).contains(host.utf8.count) else { return nil }
        self.host = host
        self.port = port
        self.pin = pin
    }

    /// The pin, or zeros; the port, most significant byte first; the host.
    var bytes: [UInt8] {
        (pin ?? .zero).bytes + [UInt8(port >> 8), UInt8(port & 255)] + Array(host.utf8)
    }

    /// Nil for bytes that are no location.
    init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count > Digest.size + 2, let host = String(validating: bytes[(Digest.size + 2)...], as: UTF8.self),
            let pin = bytes[..<Digest.size].withUnsafeBytes({ Digest($0) })
        else { return nil }
        let port = UInt16(bytes[Digest.size]) << 8 | UInt16(bytes[Digest.size + 1])
        self.init(host: host, port: port, pin: pin == .zero ? nil : pin)
    }
}
