import Events
import Foundation

internal import struct Crypto.SHA256

extension Identifier where Entity: TripEntity {
    /// The id of what another system knows under an id of its own: the same on every replica, so that several that bring the same thing
    /// write to one entity. Uniqueness by any other field cannot survive a merge.
    ///
    /// Texts are taken byte by byte: one that a provider spells with other characters that look the same gives another id.
    ///
    /// A UUID of version 8 (RFC 9562, section 5.8) of the first bytes of the SHA-256 of: the kind (2 bytes, most significant first; of an
    /// app's own kind then what its ids begin with),
    /// the UTF-8 of the provider, a zero byte, and the UTF-8 of the external id. O(bytes).
    ///
    /// - Parameters:
    ///   - provider: the other system, by a domain or another name without a zero byte.
    ///   - externalID: its id there, which never changes.
    public static func derived(from provider: String, _ externalID: String) -> Identifier {
        var hash = SHA256()
        hash.update(data: ConcreteKind(Entity.self).bytes + Array(provider.utf8) + [0] + Array(externalID.utf8))
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return Identifier(bytes.withUnsafeBytes { $0.uuid() }).ofKind
    }
}
