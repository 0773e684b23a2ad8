import EventLog
import Events
import TestSupport
import Testing

@testable import LogExchange

/// Random bytes that a test sends part by part.
struct SentContent: Sendable {
    let bytes: [UInt8]
    let outline: ContentOutline

    var content: ContentID { outline.content }
    var count: Int { content.partCount }

    /// The content with a commit of no log: a folder does not look for it.
    var named: NamedContent {
        NamedContent(
            content,
            in: CommitID(
                replica: ReplicaID(publicKey: [UInt8](repeating: 1, count: 32)), sequence: SequenceNumber(1),
                hash: .zero)
        )
    }

    init(_ size: Int, seed: UInt64 = 1) throws {
        var generator = SeededGenerator(seed: seed)
        bytes = generator.bytes(count: size)
        let leaves = stride(from: 0, to: size, by: ContentID.partSize).map { [bytes] start in
            Array(bytes[start..<min(start + ContentID.partSize, size)]).withUnsafeBytes { ContentTree.leaf($0) }
        }
        let content = try #require(ContentID(root: ContentTree.root(leaves), size: Int64(size)))
        outline = try #require(ContentOutline(content, leaves: leaves))
    }

    func part(_ index: Int) -> [UInt8] {
        Array(bytes[(index * ContentID.partSize)..<min((index + 1) * ContentID.partSize, bytes.count)])
    }

    func begin(at peer: any ContentPeer) async throws -> Int { try await peer.begin(named, outline) }

    /// Sends one part; returns the next one that is missing.
    func send(_ index: Int, to peer: any ContentPeer) async throws -> Int {
        try await peer.store(part(index), at: index, of: named)
    }

    /// The bytes in a folder, verified.
    func stored(in folder: ContentFolder) throws -> [UInt8] {
        let outline = try #require(try folder.outline(of: content))
        var found: [UInt8] = []
        try folder.read(0..<count, of: outline) { found += $0 }
        return found
    }
}
