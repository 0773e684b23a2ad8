import Testing

import struct Crypto.SHA256

@testable import Events

@Suite("The hash tree over an attachment's parts")
struct ContentTreeTests {
    /// As RFC 6962 defines it.
    private static func defined(_ leaves: ArraySlice<Digest>) -> Digest {
        if leaves.isEmpty { return digest([]) }
        if leaves.count == 1 { return leaves[leaves.startIndex] }
        var left = 1
        while left * 2 < leaves.count { left *= 2 }
        let middle = leaves.startIndex + left
        return digest([1] + defined(leaves[..<middle]).bytes + defined(leaves[middle...]).bytes)
    }

    private static func digest(_ bytes: [UInt8]) -> Digest {
        SHA256.hash(data: bytes).withUnsafeBytes { Digest($0) ?? .zero }
    }

    @Test("is that of RFC 6962 over any number of parts")
    func root() {
        for count in 0..<140 {
            let leaves = (0..<count).map { Self.digest([UInt8($0)]) }
            #expect(ContentTree.root(leaves) == Self.defined(leaves[...]), "\(count) leaves")
        }
    }

    @Test("has the leaves that its log's test vectors have")
    func vectors() {
        let empty = [UInt8]().withUnsafeBytes { ContentTree.leaf($0) }
        #expect(empty.description == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d")
        #expect(
            ContentTree.root([]).description == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let zero = [UInt8]([0]).withUnsafeBytes { ContentTree.leaf($0) }
        #expect(
            ContentTree.root([empty, zero]).description
                == "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125")
    }

    @Test("names no content with a size that cannot be, or no bytes by another root than theirs")
    func sizes() {
        let root = Self.digest([7])
        #expect(ContentID(root: root, size: -1) == nil && ContentID(root: root, size: 0) == nil)
        #expect(ContentID(root: root, size: ContentID.largestSize + 1) == nil)
        #expect(ContentID(root: ContentTree.root([]), size: 0)?.partCount == 0)
        let content = ContentID(root: root, size: Int64(ContentID.partSize) + 1)
        #expect(content?.partCount == 2 && content?.size(ofPart: 1) == 1)
        #expect(content?.bytes.withUnsafeBytes { ContentID($0) } == content)
    }

    @Test("verifies each part, at its place and of its size alone")
    func outline() throws {
        let parts: [[UInt8]] = [[UInt8](repeating: 1, count: ContentID.partSize), [2, 3]]
        let leaves = parts.map { part in part.withUnsafeBytes { ContentTree.leaf($0) } }
        let content = try #require(
            ContentID(root: ContentTree.root(leaves), size: Int64(ContentID.partSize) + 2))
        let outline = try #require(ContentOutline(content, leaves: leaves))
        #expect(outline.verifies(parts[0], at: 0) && outline.verifies(parts[1], at: 1))
        #expect(
            !outline.verifies(parts[1], at: 0) && !outline.verifies([2, 3, 4], at: 1) && !outline.verifies([], at: 2))
        #expect(ContentOutline(content, leaves: leaves.reversed()) == nil && ContentOutline(short: content) == nil)
    }
}
