public import Events
import Foundation

extension JournalID {
    /// Domain separation: distinguishes this use of the hash from any other.
    private static let domain = Array("TripStore journal v1\0\0\0\0\0\0\0\0\0\0\0\0".utf8)

    /// The id of the journal that a replica founds: the first 16 bytes of SHA-256(domain tag ‖ key ‖ nonce), as a UUID
    /// of version 8 (RFC 9562), of which six bits are fixed.
    init(founder publicKey: [UInt8], nonce: [UInt8]) {
        var builder = DigestBuilder()
        builder.add(Self.domain)
        builder.add(publicKey)
        builder.add(nonce)
        var bytes = Array(builder.finish().bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(bytes.withUnsafeBytes { $0.uuid() })
    }

    /// Whether a replica founded the journal, so that its members alone may write. In an open journal, for example one
    /// with a random id, every replica that has the id may write.
    public var isFounded: Bool { uuid.uuid.6 >> 4 == 8 }
}

extension Payload.Introduction {
    /// The replica of whose key a journal's id is a hash: this one or one whose key it carries; nil if none is.
    func founder(of journal: JournalID) -> ReplicaID? {
        guard let nonce else { return nil }
        let key = ([publicKey] + FormerKeys(formerKeys).keys).first { JournalID(founder: $0, nonce: nonce) == journal }
        return key.map { ReplicaID(publicKey: $0) }
    }

    /// Whether it shows who founded a journal.
    package func founds(_ journal: JournalID) -> Bool { founder(of: journal) != nil }
}
