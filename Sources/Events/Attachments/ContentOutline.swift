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
