import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import EventLog
@testable import LogExchange

/// A reader in Python, written from the description of the format alone, applied to our bundles.
@Suite(
    "A reader of bundles written from the document alone",
    .enabled(if: IndependentReader.isHere, IndependentReader.hint))
struct IndependentReaderTests {
    private let folder = TemporaryFolder()

    init() throws { try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true) }

    private func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// The reader's expected output for a file whose whole content is new.
    private func line(_ summary: BundleSummary, new: Int? = nil, events: Int? = nil) -> String {
        let segments = "\(summary.segments) segments \(new ?? summary.commits) commits"
        return "ok \(segments) \(events ?? summary.events) events \(summary.header.frontier.digest)"
    }

    @Test("It holds files to the bounds that we hold them to, and the document names them")
    func bounds() throws {
        let expected = [
            "LARGEST_RECORD": BundleRecord.largestRecord,
            "LARGEST_BLOCK": BundleRecord.largestBlock,
            "MOST_BYTES_PER_PACKED": PackedMessage.mostBytesPerPacked,
            "VERSION": Int(BundleHeader.currentVersion),
            "MOST_COMMITS": LineSegment.largestCommitCount,
            "MOST_BYTES_BEFORE_LAST": Int(LineSignature.bytesBetween),
            "LARGEST_COMMIT": CommitView.sizeLimit,
            "MOST_ERASURE_BYTES": LineSegment.largestErasureBytes,
            "MOST_ERASURES_OF_ONE": LineSegment.mostErasures,
        ]
        let names = expected.keys.sorted()
        let folder = SourceFile.path("Tests/LogExchangeTests")
        let program =
            "import sys; sys.path.insert(0, sys.argv[1]); import read_bundle as it; "
            + "[print(getattr(it, name)) for name in sys.argv[2:]]"
        let output = try #require(try Program.run("python3", ["-B", "-c", program, folder] + names))
        try #require(output.complaint == "", "\(output.complaint)")
        let numbers = names.map { name in "\(expected[name] ?? 0)" }
        let lines = output.text.split(separator: "\n").map(String.init)
        #expect(lines == numbers)
        let document = try String(
            contentsOfFile: SourceFile.path("Sources/LogExchange/LogExchange.docc/ExchangeFormat.md"), encoding: .utf8)
        for number in [BundleRecord.largestRecord, ExchangeMessage.largest] {
            #expect(document.contains("\(Self.grouped(number)) bytes"), "\(number)")
        }
        let words = document.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("At most \(LineSegment.mostErasures) are of one commit"))
    }

    /// In groups of three digits.
    private static func grouped(_ number: Int) -> String {
        let digits = Array("\(number)")
        return digits.enumerated().map { index, digit in
            (index > 0 && (digits.count - index) % 3 == 0 ? "," : "") + String(digit)
        }.joined()
    }

    @Test("It accepts the rest of an erased commit, and nothing that lacks more")
    func readsErasures() async throws {
        let (one, _) = try twoReplicas()
        try await one.write(5)
        let id = try #require(try await one.frontier().heads.first)
        try await one.log.erase(.some(LeafSet(events: [0])), in: id)
        try await one.write(2)
        let second = try #require(try await one.frontier().heads.first)
        try await one.log.erase(.all, in: second)
        let summary = try await BundleWriter.write(one.log, to: file("1"), compression: Compression.none)
        #expect(try IndependentReader.read([file("1")]) == [line(summary)])
        // The first erasure of a segment, renamed to an unknown field.
        let segments = try await one.allSegments()
        let erasure = try #require(segments.flatMap(\.erasures).first)
        var bytes = try [UInt8](Data(contentsOf: file("1")))
        let place = try #require(Data(bytes).range(of: Data(erasure))?.lowerBound)
        let tag = try #require(bytes[..<place].lastIndex(of: 7 << 3 | 2))
        bytes[tag] = 15 << 3 | 2
        bytes.removeLast(32)
        var digest = DigestBuilder()
        digest.add(bytes)
        try Data(bytes + digest.finish().bytes).write(to: file("2"))
        #expect(
            try IndependentReader.read([file("2")]).first?.hasPrefix("not ok a payload that is not all there") == true)
        let error = await failure {
            try await TestReplica("new", journal: one.log.journal).exchange(with: BundlePeer(file("2")))
        }
        let words = "\(try #require(error))"
        #expect(words.contains("no erasure names"))
        try one.expectIntact()
    }

    @Test("It reads complete bundles, later ones and ones with nothing new, and holds what we hold")
    func readsOurs() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(1030)
        try await two.write(3, bytes: 400_000)
        try await two.exchange(with: LogPeer(one.log))
        let first = try await BundleWriter.write(two.log, to: file("1"))
        let since = try await two.frontier()
        try await one.write(2)
        try await two.exchange(with: LogPeer(one.log))
        let second = try await BundleWriter.write(two.log, lacking: since, to: file("2"))
        let lines = try IndependentReader.read([file("1"), file("2"), file("1"), file("2")])
        #expect(lines.prefix(2) == [line(first), line(second)])
        let digest = second.header.frontier.digest
        #expect(lines[2] == "ok \(first.segments) segments 0 commits 0 events \(digest)")
        #expect(lines[3] == line(second, new: 0, events: 0))
        let needed = "not ok commit \(since.heads[0].sequence) of \(since.heads[0].replica) is needed"
        #expect(try IndependentReader.read([file("2")]) == [needed])
        try two.expectIntact()
    }

    @Test("It reads bundles packed in each way", arguments: Compression.available)
    func readsPacked(algorithm: Compression) async throws {
        let one = try TestReplica("one")
        try await one.write(1500, bytes: 1500)
        let id = try #require(try await one.frontier().heads.first)
        try await one.log.erase(.all, in: id)
        let summary = try await BundleWriter.write(one.log, to: file("1"), compression: algorithm)
        #expect(summary.compressions == (algorithm == .none ? [] : [algorithm]))
        #expect(try IndependentReader.read([file("1")]) == [line(summary)])
        try one.expectIntact()
    }

    @Test("It holds both branches of a fork, from one bundle or from one of each")
    func readsForks() async throws {
        let original = try TestReplica("original")
        try await original.write(4)
        let copy = try original.copied(as: "copy")
        try await original.write(2)
        try await copy.write(3)
        _ = try await BundleWriter.write(original.log, to: file("left"))
        _ = try await BundleWriter.write(copy.log, to: file("right"))
        try await original.exchange(with: LogPeer(copy.log))
        let both = try await BundleWriter.write(original.log, to: file("both"))
        #expect(both.header.frontier.heads.count >= 2)
        #expect(try IndependentReader.read([file("both")]) == [line(both)])
        let apart = try IndependentReader.read([file("left"), file("right"), file("both")])
        #expect(apart.last?.hasSuffix("\(both.header.frontier.digest)") == true)
        #expect(apart.allSatisfy { $0.hasPrefix("ok ") })
        try original.expectIntact()
    }

    @Test(
        "It refuses what we refuse: changed, cut off and forged files", arguments: Compression.available, Seeds.some(3))
    func refuses(algorithm: Compression, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let replica = try TestReplica("one")
        try await replica.write(6, bytes: 200)
        _ = try await BundleWriter.write(replica.log, to: file("good"), compression: algorithm)
        let good = [UInt8](try Data(contentsOf: file("good")))
        var expected: [Bool] = []
        var files: [URL] = []
        for index in 0..<20 {
            var bytes = good
            switch index % 3 {
            case 0:
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            default:
                bytes[Int.random(in: 8..<bytes.count - 32, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
                bytes = bytes.withChecksum()
            }
            try Data(bytes).write(to: file("\(index)"))
            let reader = try TestReplica("reader")
            let error = await failure { try await reader.exchange(with: BundlePeer(file("\(index)"))) }
            try reader.expectIntact()
            expected.append(error == nil)
            files.append(file("\(index)"))
        }
        let found = try IndependentReader.read(files, "--each").map { $0.hasPrefix("ok ") }
        #expect(found == expected)
    }
}

extension [UInt8] {
    /// A bundle's bytes with the right checksum.
    func withChecksum() -> [UInt8] {
        var digest = DigestBuilder()
        digest.add(Array(dropLast(Digest.size)))
        return dropLast(Digest.size) + digest.finish().bytes
    }
}
