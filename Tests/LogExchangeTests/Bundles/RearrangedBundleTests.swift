import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import EventLog
@testable import LogExchange

@Suite(
    "The order of what is in a bundle, by us and by a reader written from the document alone",
    .enabled(if: IndependentReader.isHere, IndependentReader.hint))
struct RearrangedBundleTests {
    private let folder = TemporaryFolder()

    init() throws { try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true) }

    private func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// A bundle whose records were put into another order, or were replaced; its checksum is right.
    enum Rearrangement: CaseIterable {
        case unknownFirst, unknownSecond, headerSecond, segmentAfterContent
        /// Earlier versions wrote such records, and a digest of them in the header.
        case erasuresBeforeSegments, erasuresAfterContent, erasureDigest
        case headsInOtherOrder, newerVersion

        /// Whether the document allows it.
        var isAllowed: Bool {
            switch self {
            case .unknownSecond, .erasuresBeforeSegments, .erasuresAfterContent, .erasureDigest, .headsInOtherOrder:
                true
            default: false
            }
        }
    }

    @Test(
        "It accepts the orders of records and of heads that we accept, and no others", arguments: Rearrangement.allCases
    )
    func order(rearrangement: Rearrangement) async throws {
        let (one, two) = try twoReplicas()
        try await one.write(3)
        try await two.write(3)
        try await two.exchange(with: LogPeer(one.log))
        let id = try #require(try await two.frontier().heads.first { $0.replica == two.log.replica })
        try await two.log.erase(.some(LeafSet(events: [0])), in: id)
        let outline = try #require(ContentOutline(short: try contents(of: [7])))
        let summary = try await BundleWriter.write(two.log, to: file("good"), compression: Compression.none)
        var records = try BundleRecords(of: file("good")).messages
        #expect(!records.contains { $0.first == 4 << 3 | 2 } && summary.header.frontier.heads.count == 2)
        let segments = try await two.allSegments()
        let erasures = BundleRecords.erasures([try #require(segments.flatMap(\.erasures).first)])
        let content = [BundleRecord.content(outline).encoded(), BundleRecord.part([7]).encoded()]
        let unknown: [UInt8] = [9 << 3 | 2, 1, 0]
        switch rearrangement {
        case .unknownFirst: records.insert(unknown, at: 0)
        case .unknownSecond: records.insert(unknown, at: 1)
        case .headerSecond: records.swapAt(0, 1)
        case .segmentAfterContent: records.insert(contentsOf: content, at: 1)
        case .erasuresAfterContent: records.insert(contentsOf: content + [erasures], at: records.count - 1)
        case .erasuresBeforeSegments: records.insert(erasures, at: 1)
        case .headsInOtherOrder, .erasureDigest, .newerVersion:
            records[0] = Self.header(summary.header, changed: rearrangement)
        }
        var bytes = BundleRecords(messages: records).file
        // A newer version is refused before the checksum is looked at.
        if rearrangement == .newerVersion { bytes[bytes.count - 1] ^= 1 }
        try Data(bytes).write(to: file("changed"))
        let reader = try TestReplica("reader", journal: two.log.journal)
        let error = await failure { try await reader.exchange(with: BundlePeer(file("changed"))) }
        #expect((error == nil) == rearrangement.isAllowed, "\(String(describing: error))")
        let line = try #require(try IndependentReader.read([file("changed")]).first)
        #expect(line.hasPrefix("ok ") == rearrangement.isAllowed, "\(line)")
        if rearrangement == .newerVersion {
            #expect((error as? ExchangeError)?.code == .newerVersion && line == "not ok a newer version")
        }
        for replica in [one, two, reader] { try replica.expectIntact() }
    }

    /// A header's record in which something is not as a writer has it.
    private static func header(_ header: BundleHeader, changed: Rearrangement) -> [UInt8] {
        var writer = WireWriter()
        writer.message(1) { writer in
            writer.varint(1, changed == .newerVersion ? 3 : UInt64(header.version))
            writer.bytes(2, header.replica.bytes)
            writer.message(5) { _ in }
            writer.message(6) { writer in
                if let journal = header.frontier.journal { writer.bytes(1, journal.bytes) }
                let heads = Array(header.frontier.heads.reversed())
                // One of them twice.
                for head in heads + heads.prefix(1) {
                    writer.message(2) {
                        $0.bytes(1, head.replica.bytes)
                        $0.varint(2, head.sequence.rawValue)
                        $0.bytes(3, head.hash.bytes)
                    }
                }
            }
            if changed == .erasureDigest { writer.bytes(7, header.frontier.digest.bytes) }
        }
        return writer.finish()
    }

    /// The name of bytes that are the content of an attachment.
    private func contents(of bytes: [UInt8]) throws -> ContentID {
        var rest: [UInt8]? = bytes
        return try ContentFolder(file("contents").path, now: { 0 }).add {
            defer { rest = nil }
            return rest
        }
    }
}
