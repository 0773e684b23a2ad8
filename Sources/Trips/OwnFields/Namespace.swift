import Events

internal import struct Crypto.SHA256

/// The name under which an app numbers its own fields, so that apps that share a journal do not collide: a domain that is the
/// app's, backwards, as in `org.example.reading`. The store's own namespace is taken: a field in it stops the program.
///
/// In the log a field of a namespace is one number: the first 5 bytes of the SHA-256 of the name, in UTF-8, then the number that the
/// app gave it in 2 bytes. So an old version, or a store whose app is not here, merges, keeps and forwards it like any other.
public struct Namespace: Hashable, Sendable, ExpressibleByStringLiteral {
    package let name: String
    private let hash: UInt64

    public init(_ name: String) {
        self.name = name
        let digest = SHA256.hash(data: Array(name.utf8))
        let hash = digest.prefix(5).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        // 0 would be the store's own numbers, so a hash of 0 counts as 1.
        self.hash = max(hash, 1)
    }

    public init(stringLiteral name: String) { self.init(name) }

    /// A number of the namespace as the log has it.
    func number(_ number: UInt16) -> UInt64 { hash << 16 | UInt64(number) }
}

extension FieldPath {
    /// An app's field without its schema: the hash of the namespace in hexadecimal digits, and the number in it, as in
    /// `2f9a04c117.3`; nil for a field of the store's own schema.
    package static func ownName(of field: UInt64) -> String? {
        guard field > highestBuiltIn else { return nil }
        return "\((field >> 16).bigEndianBytes.suffix(5).hexadecimal).\(field & 0xFFFF)"
    }
}
