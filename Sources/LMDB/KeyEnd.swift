import Foundation

/// The end of a walk, for a comparison with every key on the way: many differ from it in the first eight bytes, which are compared as
/// one number.
///
/// Must not outlive the bytes that it was made of: only walks use it, on their stack.
struct KeyEnd {
    private let bytes: UnsafeRawBufferPointer?
    /// The first eight bytes, zeros where there are fewer.
    private let prefix: UInt64

    /// Nil for a walk to the last key.
    init(_ bytes: UnsafeRawBufferPointer?) {
        self.bytes = bytes
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | UInt64(bytes.map { index < $0.count ? $0[index] : 0 } ?? 0) }
        self.prefix = prefix
    }

    @inline(__always)
    func isAfter(_ key: UnsafeRawBufferPointer) -> Bool {
        guard let bytes else { return true }
        if key.count >= 8 {
            let first = UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
            // Where they differ behind a shorter end, that is zero and the key is not: the key has the end before it.
            if first != prefix { return first < prefix }
        }
        guard let other = bytes.baseAddress, let start = key.baseAddress else { return key.count < bytes.count }
        let order = memcmp(start, other, min(key.count, bytes.count))
        return order < 0 || order == 0 && key.count < bytes.count
    }
}
