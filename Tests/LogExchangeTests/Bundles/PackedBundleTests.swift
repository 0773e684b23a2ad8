import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("Bundles with packed records")
struct PackedBundleTests {
    private let folder = TemporaryFolder()

    init() throws { try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true) }

    private func file(_ name: String = "a.bundle") -> URL { folder.url.appendingPathComponent(name) }

    private func size(_ file: URL) throws -> Int { try Data(contentsOf: file).count }

    /// A bundle of some records, with the right lengths and checksum.
    private func write(_ records: [BundleRecord], to name: String = "made.bundle") throws -> URL {
        let body = records.reduce(BundleRecord.magic) { bytes, record in
            let encoded = record.encoded()
            return bytes + UInt32(encoded.count).bigEndianBytes + encoded
        }
        try Data((body + [UInt8](repeating: 0, count: Digest.size)).withChecksum()).write(to: file(name))
        return file(name)
    }

    private static func framed(_ records: [BundleRecord]) -> [UInt8] {
        records.reduce([]) { bytes, record in
            let encoded = record.encoded()
            return bytes + UInt32(encoded.count).bigEndianBytes + encoded
        }
    }

    private func header(_ replica: TestReplica, version: UInt32 = 2) async throws -> BundleRecord {
        var header = BundleHeader(
            replica: replica.id, name: "maker", created: 0, since: .empty, frontier: try await replica.frontier())
        header.version = version
        return .header(header)
    }

    private static func end(_ segments: [LineSegment]) -> BundleRecord {
        .end(segments: UInt64(segments.count), commits: UInt64(segments.reduce(0) { $0 + $1.commits.count }))
    }

    @Test("They hold the same as others, in fewer bytes, and say how", arguments: Compression.available)
    func roundTrip(algorithm: Compression) async throws {
        let (one, two) = try twoReplicas()
        try await one.write(1500, bytes: 2000)
        try await two.write(20)
        try await one.exchange(with: LogPeer(two.log))
        let id = try #require(try await one.frontier().heads.first { $0.replica == one.id })
        try await one.log.erase(.some(LeafSet(events: [0])), in: id)
        let plain = try await BundleWriter.write(one.log, to: file("plain"), compression: Compression.none)
        let packed = try await BundleWriter.write(one.log, to: file(), compression: algorithm)
        #expect(plain.compressions == [] && plain.header.version == 1 && plain.unpackedSize == plain.fileSize)
        #expect(packed.compressions == (algorithm == .none ? [] : [algorithm]))
        #expect(packed.unpackedSize == plain.fileSize && packed.header.version == (algorithm == .none ? 1 : 2))
        #expect(packed.fileSize == (try size(file())))
        #expect(algorithm == .none || packed.fileSize * 10 < plain.fileSize)
        #expect(packed.lines == plain.lines && packed.events == plain.events)
        #expect(try await BundlePeer(file()).summary == packed)
        let reader = try TestReplica("reader")
        try await reader.exchange(with: BundlePeer(file()))
        try await expectEqual([one, reader])
    }

    @Test("If nothing is said, the best of this system is taken, and a small log stays as it is")
    func byDefault() async throws {
        let one = try TestReplica("one")
        try await one.write(40, bytes: 500)
        let summary = try await BundleWriter.write(one.log, to: file())
        #expect(summary.compressions == Set(Compression.available.prefix(1)).subtracting([.none]))
        #expect(try await BundleWriter.write(TestReplica("new").log, to: file("empty")).compressions == [])
    }

    @Test("Where the libraries are missing bundles are written and read as they are, and packed ones refused by name")
    func missingLibraries() async throws {
        let nothing = CompressionLibraries(zlib: [], zstd: [])
        let one = try TestReplica("one")
        try await one.write(40, bytes: 500)
        let target = file("plain")
        let bytes = Mutex<[UInt8]>([])
        let summary = try await BundleWriter.write(one.log, lacking: .empty, BundlePacking(nil, nothing)) { packing in
            try BundleOutput(.stream { part in bytes.withLock { $0 += part } }, packing)
        }
        try Data(bytes.withLock { $0 }).write(to: target)
        #expect(summary.compressions == [] && summary.header.version == 1)
        let reader = try TestReplica("reader")
        try await reader.exchange(with: BundlePeer(target, nothing))
        try await expectEqual([one, reader])
        for algorithm in CompressionTests.packing {
            let named = #expect(throws: ExchangeError.self) { try BundlePacking(algorithm, nothing) }
            #expect(named?.code == .unavailableCompression)
            _ = try await BundleWriter.write(one.log, to: file(), compression: algorithm)
            let error = await failure { _ = try await BundlePeer(file(), nothing) }
            #expect(code(error) == "unavailableCompression")
            #expect("\(String(describing: error))".contains(algorithm.rawValue))
        }
    }

    @Test("Cut at any byte, or with any one changed, a file is refused by a code", arguments: CompressionTests.packing)
    func everyByte(algorithm: Compression) async throws {
        let one = try TestReplica("one")
        try await one.write(6, bytes: 400)
        _ = try await BundleWriter.write(one.log, to: file(), compression: algorithm)
        let good = [UInt8](try Data(contentsOf: file()))
        let damaged: Set<String> = ["damagedBundle", "notAStore", "newerVersion", "unavailableCompression"]
        var accepted: [String] = []
        for index in good.indices {
            var flipped = good
            flipped[index] ^= 1 << UInt8(index % 8)
            for (name, bytes) in [("cut", Array(good[..<index])), ("flipped", flipped)] {
                try Data(bytes).write(to: file("bad"))
                let error = await failure { _ = try BundlePeer.check(file("bad").path) }
                if !damaged.contains(code(error) ?? "nothing") { accepted.append("\(name) at \(index)") }
            }
        }
        #expect(accepted == [])
    }

    @Test("A bomb is refused before it is unpacked beyond the bound", arguments: CompressionTests.packing)
    func bombs(algorithm: Compression) async throws {
        let one = try TestReplica("one")
        try await one.write(1)
        let zeros = [UInt8](repeating: 0, count: 48 << 20)
        let bytes = try #require(CompressionLibraries.system.pack(zeros, with: algorithm))
        for claimed in [zeros.count, bytes.count * 1024, BundleRecord.largestBlock, 1, Int.max] {
            let message = PackedMessage.encoded(bytes, of: claimed, by: algorithm)
            let bad = try write([try await header(one), .packed(message), Self.end([])])
            let error = await failure { _ = try await BundlePeer(bad) }
            #expect(code(error) == "damagedBundle", "\(claimed)")
        }
    }

    enum Forgery: CaseIterable, Sendable {
        case versionOne, header, end, nested, cutLength, cutRecord, garbage, unknownMethod

        var code: String { self == .unknownMethod ? "unavailableCompression" : "damagedBundle" }
    }

    @Test("What may not be packed, or is packed wrongly, is refused", arguments: Forgery.allCases)
    func forged(_ forgery: Forgery) async throws {
        let one = try TestReplica("one")
        try await one.write(5)
        let segments = try await one.allSegments()
        let good = Self.framed(segments.map { .segment($0) })
        let pack = { (bytes: [UInt8]) in PackedMessage.pack(bytes, with: Compression.best(knownTo: [.zlib])) }
        let contents: [UInt8]
        switch forgery {
        case .versionOne: contents = pack(good)
        case .header: contents = pack(Self.framed([try await header(one)]) + good)
        case .end: contents = pack(good + Self.framed([Self.end(segments)]))
        case .nested: contents = pack(Self.framed([.packed(pack(good))]))
        case .cutLength: contents = pack(good + [0, 0])
        case .cutRecord: contents = pack(good + [0, 0, 0, 9, 1])
        case .garbage: contents = [0xFF, 0xFF, 0xFF]
        case .unknownMethod: contents = [8, 9, 16, 1, 26, 1, 0]
        }
        let start = try await header(one, version: forgery == .versionOne ? 1 : 2)
        let bad = try write([start, .packed(contents), Self.end(segments)])
        let error = await failure { _ = try await BundlePeer(bad) }
        #expect(self.code(error) == forgery.code, "\(String(describing: error))")
        let right = try write([try await header(one), .packed(pack(good)), Self.end(segments)])
        let reader = try TestReplica("reader")
        try await reader.exchange(with: BundlePeer(right))
        try await expectEqual([one, reader])
    }

    private func code(_ error: (any Error)?) -> String? { (error as? ExchangeError)?.code.rawValue }

    @Test("Packed records of a kind that is not known are passed over, and those left as they are are read")
    func growth() async throws {
        let one = try TestReplica("one")
        try await one.write(5)
        let segments = try await one.allSegments()
        let unknown: [UInt8] = [0, 0, 0, 3, 0x7A, 1, 9]
        let contents = unknown + Self.framed(segments.map { .segment($0) }) + unknown
        let stored = PackedMessage.encoded(contents, of: contents.count, by: .none)
        let bundle = try write([try await header(one), .packed(stored), Self.end(segments)])
        let reader = try TestReplica("reader")
        try await reader.exchange(with: BundlePeer(bundle))
        try await expectEqual([one, reader])
        #expect(try await BundlePeer(bundle).summary.compressions == [])
    }

    @Test("With any byte changed and the checksum made right nothing false is ever stored (X3)")
    func forgedBytes() async throws {
        let one = try TestReplica("one")
        try await one.write(6, bytes: 400)
        _ = try await BundleWriter.write(one.log, to: file(), compression: Compression.best(knownTo: [.zlib]))
        let good = [UInt8](try Data(contentsOf: file()))
        let written = Set(try one.hashes())
        for index in stride(from: 8, to: good.count - Digest.size, by: 7) {
            var bytes = good
            bytes[index] ^= 1 << UInt8(index / 7 % 8)
            try Data(bytes.withChecksum()).write(to: file("forged"))
            let reader = try TestReplica("reader")
            let error = await failure { try await reader.exchange(with: BundlePeer(file("forged"))) }
            if let error { #expect(error is ExchangeError || error is EventLogError, "\(error)") }
            #expect(written.isSuperset(of: try reader.hashes()), "byte \(index)")
        }
    }
}
