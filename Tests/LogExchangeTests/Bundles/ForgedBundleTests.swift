import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

/// A checksum reveals damage and not lies: the content passes the same checks as any peer's.
@Suite("Bundles that are damaged or forged")
struct ForgedBundleTests {
    private let folder = TemporaryFolder()

    init() throws { try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true) }

    private func write(_ bytes: [UInt8]) throws -> URL {
        let file = folder.url.appendingPathComponent("forged.bundle")
        try Data(bytes).write(to: file)
        return file
    }

    private func good() async throws -> (TestReplica, [UInt8]) {
        let replica = try TestReplica("one")
        try await replica.write(1)
        let file = folder.url.appendingPathComponent("good.bundle")
        _ = try await BundleWriter.write(replica.log, to: file, compression: Compression.none)
        return (replica, [UInt8](try Data(contentsOf: file)))
    }

    @Test("Cut at any byte, or with any one changed, a file is refused by a code")
    func everyByte() async throws {
        let (_, good) = try await good()
        let damaged: Set<String> = ["damagedBundle", "notAStore", "newerVersion"]
        var accepted: [String] = []
        for index in good.indices {
            var flipped = good
            flipped[index] ^= 1 << UInt8(index % 8)
            for (name, bytes) in [("cut", Array(good[..<index])), ("flipped", flipped)] {
                let file = try write(bytes)
                let error = await failure { _ = try Self.records(file.path) }
                if !damaged.contains(code(error) ?? "nothing") { accepted.append("\(name) at \(index)") }
            }
        }
        #expect(accepted == [])
    }

    /// What `BundlePeer` does first, without a thread for each file.
    private static func records(_ path: String) throws -> Int {
        let reader = try BundleReader(path)
        var count = 0
        while let record = try reader.next() {
            count += 1
            if case .end = record { break }
        }
        return count
    }

    @Test("With any byte changed and the checksum made right nothing false is ever stored (X3)")
    func forged() async throws {
        let (replica, good) = try await good()
        let written = Set(try replica.hashes())
        var reader = try TestReplica("reader")
        var (refused, taken) = (0, 0)
        for index in stride(from: 8, to: good.count - Digest.size, by: 3) {
            var bytes = good
            bytes[index] ^= 1 << UInt8(index / 3 % 8)
            let file = try write(bytes.withChecksum())
            let error = await failure { try await reader.exchange(with: BundlePeer(file)) }
            if error == nil { taken += 1 } else { refused += 1 }
            if let error { #expect(error is ExchangeError || error is EventLogError, "\(error)") }
            let held = try reader.hashes()
            #expect(written.isSuperset(of: held), "byte \(index)")
            guard !held.isEmpty else { continue }
            try reader.expectIntact()
            reader = try TestReplica("reader")
        }
        // What no hash covers, a name or a time, may change undetected.
        #expect(refused > 10 * taken && taken > 0)
    }

    @Test("Records of a kind that is not known are passed over, and a version that is not known is refused")
    func growth() async throws {
        let (replica, good) = try await good()
        let unknown: [UInt8] = [0, 0, 0, 3, 0x7A, 1, 9]
        let headerLength = 4 + Int(good[11])
        let grown = Array(good[..<(8 + headerLength)]) + unknown + good[(8 + headerLength)...]
        let reader = try TestReplica("reader")
        let file = try write(grown.withChecksum())
        try await reader.exchange(with: BundlePeer(file))
        try await expectEqual([replica, reader])
        var newer = good
        // The header's version: magic, length, tag, length, tag.
        newer[15] = 3
        let newerFile = try write(newer.withChecksum())
        let error = await failure { _ = try await BundlePeer(newerFile) }
        #expect(code(error) == "newerVersion")
    }

    @Test("A record of two kinds, or of one twice, is damage: no two readers may read it differently")
    func twoKinds() async throws {
        let (_, good) = try await good()
        let header = Array(good[12..<(12 + Int(good[11]))])
        // The end, beside the header, and the header once more.
        for more in [[0x1A, 0x04, 0x08, 0x01, 0x10, 0x01], header] as [[UInt8]] {
            let record = header + more
            let bytes = good[..<8] + UInt32(record.count).bigEndianBytes + record + good[(12 + header.count)...]
            let file = try write(Array(bytes).withChecksum())
            let error = await failure { _ = try await BundlePeer(file) }
            #expect(code(error) == "damagedBundle")
        }
    }

    @Test("Counts at the end that are not those of the file, a second header, and no header are refused")
    func structure() async throws {
        let (_, good) = try await good()
        let header = Array(good[8..<(12 + Int(good[11]))])
        var counts = good
        counts[counts.count - Digest.size - 1] += 1
        let second = good[..<(8 + header.count)] + header + good[(8 + header.count)...]
        let without = good[..<8] + good[(8 + header.count)...]
        for bytes in [counts, Array(second), Array(without)] {
            let file = try write(bytes.withChecksum())
            let error = await failure { _ = try await BundlePeer(file) }
            #expect(code(error) == "damagedBundle")
        }
    }

    @Test("A bundle that announces more than it holds is missed, and what it holds stays")
    func withheld() async throws {
        let (replica, _) = try await good()
        let held = try replica.hashes()
        let segments = try await replica.allSegments()
        try await replica.write(1)
        let header = BundleHeader(
            replica: replica.id, name: "liar", created: 0, since: .empty, frontier: try await replica.frontier())
        let records: [BundleRecord] = [
            .header(header), .segment(segments[0]), .end(segments: 1, commits: UInt64(segments[0].commits.count)),
        ]
        let body = records.reduce(BundleRecord.magic) { bytes, record in
            let encoded = record.encoded()
            return bytes + UInt32(encoded.count).bigEndianBytes + encoded
        }
        let file = try write((body + [UInt8](repeating: 0, count: Digest.size)).withChecksum())
        let reader = try TestReplica("reader")
        let error = await failure { try await reader.exchange(with: BundlePeer(file)) }
        #expect(code(error) == "withheld")
        #expect(try reader.hashes() == held)
        try reader.expectIntact()
    }
}
