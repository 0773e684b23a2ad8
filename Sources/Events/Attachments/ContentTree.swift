internal import struct Crypto.SHA256

/// The hash tree over the parts of some bytes: that of RFC 6962, section 2.1, with SHA-256.
///
/// A leaf is the hash of 0x00 and a part; a node that of 0x01 and its two children; of n > 1 leaves the left child has the
/// largest power of two that is less than n. No parts have the hash of nothing.
package enum ContentTree {
    package static func leaf(_ part: UnsafeRawBufferPointer) -> Digest {
        var hasher = SHA256()
        hasher.update(data: [0])
        hasher.update(bufferPointer: part)
        return digest(hasher)
    }

    /// The root over leaves, in their order. O(leaves).
    package static func root(_ leaves: [Digest]) -> Digest {
        guard leaves.count > 1 else { return leaves.first ?? digest(SHA256()) }
        // The roots of whole subtrees, the larger ones first; each is at a place where a bit of the count is set.
        var roots: [Digest] = []
        for (index, leaf) in leaves.enumerated() {
            roots.append(leaf)
            for _ in 0..<(index + 1).trailingZeroBitCount { join(&roots) }
        }
        while roots.count > 1 { join(&roots) }
        return roots[0]
    }

    /// The last two become one.
    private static func join(_ roots: inout [Digest]) {
        let (right, left) = (roots.removeLast(), roots.removeLast())
        var hasher = SHA256()
        hasher.update(data: [1])
        left.withBytes { hasher.update(bufferPointer: $0) }
        right.withBytes { hasher.update(bufferPointer: $0) }
        roots.append(digest(hasher))
    }

    private static func digest(_ hasher: SHA256) -> Digest {
        hasher.finalize().withUnsafeBytes { Digest($0) ?? .zero }
    }
}

/// The leaves of some bytes' hash tree: by which every part is verified as it arrives.
public struct ContentOutline: Hashable, Sendable {
    public let content: ContentID
    /// One for each part.
    public let leaves: [Digest]

    /// Nil if the leaves are not those of the content.
    public init?(_ content: ContentID, leaves: [Digest]) {
        guard leaves.count == content.partCount, ContentTree.root(leaves) == content.root else { return nil }
        self.content = content
        self.leaves = leaves
    }

    /// Creates the outline of a content of one part or none from its root, which says all; nil for a longer content.
    public init?(short content: ContentID) {
        guard content.partCount <= 1 else { return nil }
        self.init(content, leaves: content.partCount == 0 ? [] : [content.root])
    }

    /// Whether some bytes are the part at an index.
    public func verifies(_ part: [UInt8], at index: Int) -> Bool {
        leaves.indices.contains(index) && part.count == content.size(ofPart: index)
            && part.withUnsafeBytes { ContentTree.leaf($0) } == leaves[index]
    }
}
