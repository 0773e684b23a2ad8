import Events
import Foundation

@testable import EventLog
@testable import LogExchange

/// A bundle file. The first byte of an input says whether the rest is the file, or records from which a file with right
/// lengths and checksum is made.
final class BundleFuzzer: Fuzzer {
    static let name = "bundle"
    static let longestInput = 1 << 16
    /// A packed byte may become a thousand, of which a copy is made for each record; and Foundation reads the four bytes of a
    /// length into some four thousand.
    static let allocationFactor = 8192

    private let path: String

    init(in folder: String) { path = folder + "/fuzz.bundle" }

    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        var input = InputReader(bytes)
        let file = input.byte() & 1 == 0 ? input.rest.array : Self.sealed(&input)
        try Data(file).write(to: URL(fileURLWithPath: path))
        let summary = try BundlePeer.check(path)
        expect(summary.fileSize == file.count, "\(file.count) bytes are a file of \(summary.fileSize)")
        SegmentChecks.check(summary.header.frontier)
        SegmentChecks.check(summary.header.since)
        let reader = try BundleReader(path)
        var segments = 0
        while let record = try reader.next() {
            let written = record.encoded()
            let again = written.withUnsafeBytes { try? BundleRecord($0) }
            expect(again?.encoded() == written, "a record is written in two ways")
            switch record {
            case .header, .packed, .content, .part: continue
            case .segment(let segment):
                SegmentChecks.check(segment)
                segments += 1
            case .end:
                expect(segments == summary.segments, "\(segments) segments and \(summary.segments)")
                return
            }
        }
    }

    private static func sealed(_ input: inout InputReader) -> [UInt8] {
        var records: [[UInt8]] = []
        while !input.isAtEnd { records.append(input.counted().array) }
        return sealed(records)
    }

    /// The file of some records.
    static func sealed(_ records: [[UInt8]]) -> [UInt8] {
        var file = BundleRecord.magic
        for record in records { file += UInt32(record.count).bigEndianBytes + record }
        var digest = DigestBuilder()
        digest.add(file)
        return file + digest.finish().bytes
    }
}
