/// A SHA-256: of a commit, of a payload, of a view.
public struct Digest: Hashable, Comparable, Sendable, TextCoded {
    // Four words, most significant first, so that it needs no allocation.
    @usableFromInline let words: (UInt64, UInt64, UInt64, UInt64)

    package static let size = 32

    /// The previous hash of a line's first commit.
    package static let zero = Digest(words: (0, 0, 0, 0))

    package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// From 32 bytes; nil for another count.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.size else { return nil }
        let raw = bytes.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self)
        words = (raw.0.bigEndian, raw.1.bigEndian, raw.2.bigEndian, raw.3.bigEndian)
    }

    /// From 64 hexadecimal digits; nil for anything else.
    public init?(_ text: String) {
        guard let bytes = [UInt8](hexadecimal: text) else { return nil }
        guard let digest = bytes.withUnsafeBytes({ Digest($0) }) else { return nil }
        self = digest
    }

    public var bytes: [UInt8] { withBytes { [UInt8]($0) } }

    /// Calls `body` with the bytes, without an array.
    @inlinable
    package func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let bytes = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
        return try withUnsafeBytes(of: bytes, body)
    }

    /// The bytes as four numbers, most significant first: without an array.
    package var numbers: (UInt64, UInt64, UInt64, UInt64) { words }

    /// 64 lower-case hexadecimal digits.
    public var description: String { bytes.hexadecimal }

    public static func == (a: Digest, b: Digest) -> Bool {
        a.words.0 == b.words.0 && a.words.1 == b.words.1 && a.words.2 == b.words.2 && a.words.3 == b.words.3
    }

    /// By the bytes.
    public static func < (a: Digest, b: Digest) -> Bool {
        (a.words.0, a.words.1, a.words.2, a.words.3) < (b.words.0, b.words.1, b.words.2, b.words.3)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
