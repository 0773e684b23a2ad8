import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

@Suite("Attachments' bytes in bundles")
struct BundledContentTests {
    private let folder = TemporaryFolder()

    init() throws { try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true) }

    private func file(_ name: String = "one.bundle") -> URL { folder.url.appendingPathComponent(name) }

    private func contents(_ name: String) -> ContentFolder { ContentFolder(file(name).path, now: { 0 }) }

    private static func bytes(_ count: Int) -> [UInt8] {
        var bytes = (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        while bytes.count < count { bytes += bytes }
        return Array(bytes.prefix(count))
    }

    /// A bundle with a log of three commits, and contents of these sizes.
    private func write(_ sizes: [Int]) async throws -> (BundleSummary, [ContentID], TestReplica) {
        let replica = try TestReplica("one")
        try await replica.write(3)
        let here = contents("here")
        let named = try sizes.map { size in
            var rest: [UInt8]? = Self.bytes(size)
            return try here.add {
                defer { rest = nil }
                return rest
            }
        }
        let attachments = BundledAttachments(named, in: here)
        let summary = try await BundleWriter.write(replica.log, attachments: attachments, to: file())
        return (summary, named, replica)
    }

    /// By which commit a content is named is a matter of the log that takes it in.
    private func named(_ content: ContentID, _ replica: TestReplica) async throws -> NamedContent {
        NamedContent(content, in: try #require(try await replica.frontier().heads.first))
    }

    @Test("are read part by part after the commits, from any part on, and a file promises to keep none")
    func readBack() async throws {
        let sizes = [5, 0, 1 << 20, 3 << 20 + 1]
        let (summary, contents, replica) = try await write(sizes)
        #expect(summary.contents == contents && summary.leftOut == [])
        let peer = try await BundlePeer(file())
        #expect(peer.summary == summary)
        let there = try #require(peer.contents)
        for (size, content) in zip(sizes, contents) {
            let name = try await named(content, replica)
            #expect(try await there.held([name], keeping: false) == [true])
            #expect(try await there.held([name], keeping: true) == [false])
            for first in 0...content.partCount {
                var found: [UInt8] = []
                try await there.parts(first..<content.partCount, of: name) { found += $0 }
                #expect(found == Array(Self.bytes(size).dropFirst(first << 20)))
            }
        }
        let into = self.contents("into")
        var all: [NamedContent] = []
        for content in contents { all.append(try await named(content, replica)) }
        let report = try await ContentExchange(into, with: there, canStore: false).run(all)
        #expect(report.received.contents == 4 && report.refused == [])
        #expect(try contents.allSatisfy { try into.holds($0) })
        // The commits are there as without.
        let reader = try TestReplica("reader")
        try await reader.exchange(with: peer)
        #expect(try reader.hashes() == replica.hashes())
        for one in [replica, reader] { try one.expectIntact() }
    }

    @Test("that are damaged are left out and named, and the others are there")
    func damaged() async throws {
        let (_, contents, replica) = try await write([100, 2 << 20, 200])
        let here = self.contents("here")
        try Data(count: 2 << 20).write(to: here.url(of: contents[1]))
        let attachments = BundledAttachments(contents, in: here)
        let summary = try await BundleWriter.write(replica.log, attachments: attachments, to: file())
        #expect(summary.contents == [contents[0], contents[2]])
        #expect(summary.leftOut.map(\.code) == [.damaged])
        #expect(try await BundlePeer(file()).summary.contents == summary.contents)
        try replica.expectIntact()
    }

    @Test("that are missing, or that nobody asked for, are not there")
    func missing() async throws {
        let (_, contents, replica) = try await write([100])
        try self.contents("here").remove(contents[0])
        let attachments = BundledAttachments(contents, in: self.contents("here"))
        #expect(try await BundleWriter.write(replica.log, attachments: attachments, to: file()).contents == [])
        #expect(try await BundlePeer(file()).contents == nil)
        _ = try await BundleWriter.write(replica.log, to: file())
        #expect(try await BundlePeer(file()).contents == nil)
        try replica.expectIntact()
    }

    /// What a forger writes after the segments.
    enum Forgery: CaseIterable {
        case wrongPart, shortPart, partOfNothing, tooMany, fewerParts, packed
    }

    private func forge(_ forgery: Forgery, _ outline: ContentOutline, _ part: [UInt8]) -> [BundleRecord] {
        switch forgery {
        case .wrongPart: [.content(outline), .part(Array(part.reversed()))]
        case .shortPart: [.content(outline), .part(Array(part.dropLast()))]
        case .partOfNothing: [.part(part)]
        case .tooMany: [.content(outline), .part(part), .part(part)]
        case .fewerParts: [.content(outline)]
        case .packed: [.packed(Self.packed([.content(outline), .part(part)]))]
        }
    }

    private static func packed(_ records: [BundleRecord]) -> [UInt8] {
        let bytes = records.map { $0.encoded() }.flatMap { UInt32($0.count).bigEndianBytes + $0 }
        return PackedMessage.encoded(bytes, of: bytes.count, by: .none)
    }

    @Test(
        "that are no parts of what they say are refused, and none is stored that is not what its name says",
        arguments: Forgery.allCases)
    func forged(forgery: Forgery) async throws {
        let (_, contents, replica) = try await write([1000])
        let outline = try #require(ContentOutline(short: contents[0]))
        let here = self.contents("here")
        var part: [UInt8] = []
        try here.read(0..<1, of: outline) { part = $0 }
        let summary = try await BundleWriter.write(replica.log, to: file("plain"))
        var bytes = [UInt8](try Data(contentsOf: file("plain")))
        // Without the end and the checksum.
        let end = BundleRecord.end(segments: UInt64(summary.segments), commits: UInt64(summary.commits)).encoded()
        bytes.removeLast(Digest.size + 4 + end.count)
        for record in forge(forgery, outline, part).map({ $0.encoded() }) + [end] {
            bytes += UInt32(record.count).bigEndianBytes + record
        }
        try Data((bytes + [UInt8](repeating: 0, count: Digest.size)).withChecksum()).write(to: file("forged"))
        switch forgery {
        case .wrongPart:
            let there = try #require(try await BundlePeer(file("forged")).contents)
            let into = self.contents("into")
            let report = try await ContentExchange(into, with: there, canStore: false).run([
                try await named(contents[0], replica)
            ])
            #expect(try report.refused.map(\.code) == [.wrongBytes] && !into.holds(contents[0]))
        case .fewerParts: #expect(try await BundlePeer(file("forged")).contents == nil)
        case .shortPart, .partOfNothing, .tooMany, .packed:
            let error = await failure { _ = try await BundlePeer(file("forged")) }
            #expect((error as? ExchangeError)?.code == .damagedBundle)
        }
        try replica.expectIntact()
    }

    @Test(
        "are read by a reader that was written from the document alone",
        .enabled(if: IndependentReader.isHere, IndependentReader.hint))
    func independent() async throws {
        let (_, _, replica) = try await write([5, 0, 1 << 20, 2 << 20 + 5, 5 << 20])
        let lines = try IndependentReader.read([file()])
        #expect(lines.count == 1 && lines[0].hasSuffix(" 5 contents"), "\(lines)")
        try replica.expectIntact()
    }
}
