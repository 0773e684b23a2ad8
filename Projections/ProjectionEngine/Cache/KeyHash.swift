import Events

/// Hashes row keys, with a different seed in each process.
enum KeyHash {
    private static let seed = UInt64.random(in: .min ... .max)

    /// The hash of a key or a prefix in a view.
    static func of(_ bytes: UnsafeRawBufferPointer, _ kind: ReadSet.Kind, view: Int) -> UInt64 {
        var hash = mix(seed ^ UInt64(truncatingIfNeeded: bytes.count), UInt64(view) << 8 | UInt64(kind.rawValue))
        var offset = 0
        while bytes.count - offset >= 8 {
            hash = mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return mix(hash, rest)
    }

    /// Folds a product of 128 bits: every bit of both affects every bit of the result.
    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
            by: 0xD6E8_FEB8_6659_FD93 ^ hash << 1 | 1)
        return product.high ^ product.low
    }
}
