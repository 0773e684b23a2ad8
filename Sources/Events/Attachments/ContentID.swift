/// The name of an attachment's bytes: the root of a hash tree over their parts, and their number.
///
/// Equal bytes have equal names, so they are stored once. See `ContentTree` for the root.
public struct ContentID: Hashable, Sendable, CustomStringConvertible {
    /// The bytes of every part but the last: 1 MiB.
    package static let partSize = 1 << 20
    /// The most bytes of an attachment: 64 GiB.
    package static let largestSize: Int64 = 64 << 30

    package let root: Digest
    /// In bytes.
    public let size: Int64

    /// Nil for a size that is negative or over `largestSize`, and for no bytes with another root than they have.
    package init?(root: Digest, size: Int64) {
        guard (0...Self.largestSize).contains(size), size > 0 || root == ContentTree.root([]) else { return nil }
        self.root = root
        self.size = size
    }

    /// The bytes of the encoding.
    package static let encodedSize = Digest.size + 8

    /// The root, then the size, 8 bytes, most significant first: as events have it.
    package var bytes: [UInt8] { root.bytes + UInt64(size).bigEndianBytes }

    /// From `bytes`; nil for others.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.encodedSize, let root = Digest(bytes.part(0..<Digest.size)),
            let size = Int64(exactly: bytes.bigEndian(UInt64.self, at: Digest.size))
        else { return nil }
        self.init(root: root, size: size)
    }

    package var partCount: Int { Int((size + Int64(Self.partSize) - 1) / Int64(Self.partSize)) }

    /// The bytes of a part.
    package func size(ofPart index: Int) -> Int {
        Int(min(Int64(Self.partSize), size - Int64(index) * Int64(Self.partSize)))
    }

    /// The root's hexadecimal digits.
    public var description: String { root.description }
}
