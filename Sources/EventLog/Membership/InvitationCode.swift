package import Events

internal import enum Crypto.Curve25519

/// A code that lets its holder become a member: the journal, and the secret of an invitation. Every holder of the code
/// can use it. A code may also name the server at which the journal is found.
///
/// Its text consists of capital letters and digits, so that it fits the denser mode of a QR code and can be read out
/// and typed: letters that look like digits are read as digits, and hyphens and case are ignored.
public struct InvitationCode: Hashable, Sendable, CustomStringConvertible {
    package let journal: JournalID
    /// Nil if the code names none.
    public let server: ServerLocation?
    private let secret: [UInt8]

    private static let prefix = "TRIP1"
    /// The prefix of codes that name a server.
    private static let prefixWithServer = "TRIP2"
    private static let secretSize = 16
    private static let fixedSize = 16 + secretSize
    private static let checkSize = 3
    private static let domain = Array("TripStore invitation key v1\0\0\0\0\0".utf8)
    /// Crockford's alphabet: no I, L, O and U.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    init(journal: JournalID, secret: [UInt8], server: ServerLocation? = nil) {
        self.journal = journal
        self.secret = secret
        self.server = server
    }

    /// Names a server in the code, or none; the invitation stays the same.
    public func naming(_ server: ServerLocation?) -> InvitationCode {
        InvitationCode(journal: journal, secret: secret, server: server)
    }

    /// From its text. Throws `EventLogError.wrongInvitation` if it is no code, or was mistyped.
    public init(_ text: String) throws(EventLogError) {
        let letters = text.uppercased().filter { !$0.isWhitespace && $0 != "-" }
        let prefix = Self.digitsRead(letters.prefix(Self.prefix.count))
        let hasServer = prefix == Self.digitsRead(Self.prefixWithServer[...])
        guard hasServer || prefix == Self.digitsRead(Self.prefix[...]) else {
            throw EventLogError(
                .wrongInvitation,
                "'\(text.prefix(80))' is no code of an invitation: such a code begins with \(Self.prefix).")
        }
        guard let bytes = Self.bytes(letters.dropFirst(Self.prefix.count)),
            hasServer
                ? bytes.count > Self.fixedSize + Self.checkSize : bytes.count == Self.fixedSize + Self.checkSize,
            Array(bytes.suffix(Self.checkSize)) == Self.check(bytes.dropLast(Self.checkSize))
        else {
            throw EventLogError(
                .wrongInvitation,
                "The code of the invitation was cut or not typed right: it has \(letters.count) letters, its last ones do not fit the "
                    + "others, or there is one that no code has. Compare it with the original.")
        }
        journal = JournalID(bytes[..<16].withUnsafeBytes { $0.uuid() })
        secret = Array(bytes[16..<Self.fixedSize])
        guard hasServer else {
            server = nil
            return
        }
        guard let server = ServerLocation(bytes[Self.fixedSize...].dropLast(Self.checkSize)) else {
            throw EventLogError(
                .wrongInvitation, "The code of the invitation names a server that is none. Ask for another code.")
        }
        self.server = server
    }

    /// The text, in groups of five.
    public var description: String {
        let bytes = journal.bytes + secret + (server?.bytes ?? [])
        let letters = Self.letters(bytes + Self.check(bytes))
        let groups = stride(from: 0, to: letters.count, by: 5).map {
            String(decoding: letters[$0..<min($0 + 5, letters.count)], as: UTF8.self)
        }
        return ([server == nil ? Self.prefix : Self.prefixWithServer] + groups).joined(separator: "-")
    }

    /// The invitation's public key, 32 bytes.
    package var key: [UInt8] { privateKey.map { [UInt8]($0.publicKey.rawRepresentation) } ?? [] }

    /// The statement by which a replica requests membership.
    func request(of replica: ReplicaID) throws -> MembershipRequest {
        guard let privateKey else {
            throw EventLogError(.wrongInvitation, "The code of the invitation holds no key. Ask for another.")
        }
        let message = MembershipRequest.message(journal: journal, replica: replica)
        return MembershipRequest(invitation: key, signature: [UInt8](try privateKey.signature(for: message)))
    }

    private var privateKey: Curve25519.Signing.PrivateKey? {
        var builder = DigestBuilder()
        builder.add(Self.domain)
        builder.add(journal.bytes)
        builder.add(secret)
        return try? Curve25519.Signing.PrivateKey(rawRepresentation: builder.finish().bytes)
    }

    private static func check(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var builder = DigestBuilder()
        builder.add(Array(bytes))
        return Array(builder.finish().bytes.prefix(checkSize))
    }

    // MARK: Base 32, five bits a letter, the first bits first

    private static func letters(_ bytes: [UInt8]) -> [UInt8] {
        var letters: [UInt8] = []
        var (value, bits) = (0, 0)
        for byte in bytes {
            (value, bits) = (value << 8 | Int(byte), bits + 8)
            while bits >= 5 {
                bits -= 5
                letters.append(alphabet[value >> bits & 31])
            }
            value &= (1 << bits) - 1
        }
        if bits > 0 { letters.append(alphabet[value << (5 - bits) & 31]) }
        return letters
    }

    /// Replaces letters that look like digits.
    private static func digitsRead(_ letters: Substring) -> [UInt8] {
        letters.utf8.map { letter in
            switch letter {
            case UInt8(ascii: "O"): UInt8(ascii: "0")
            case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
            default: letter
            }
        }
    }

    private static func bytes(_ letters: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (value, bits) = (0, 0)
        for digit in digitsRead(letters) {
            guard let number = alphabet.firstIndex(of: digit) else { return nil }
            (value, bits) = (value << 5 | number, bits + 5)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(value >> bits))
                value &= (1 << bits) - 1
            }
        }
        return value == 0 ? bytes : nil
    }
}
