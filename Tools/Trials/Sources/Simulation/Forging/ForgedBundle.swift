import EventLog
import Foundation
import LogExchange

@testable import Events

/// A bundle file with any segments, and a right checksum.
enum ForgedBundle {
    static func write(
        _ segments: [LineSegment], announcing heads: [CommitID], from replica: ReplicaID, in journal: JournalID,
        to file: URL
    ) throws {
        var bytes = Array("TSBUNDLE".utf8)
        add(to: &bytes) { record in
            record.message(1) { header in
                header.varint(1, 1)
                header.bytes(2, replica.bytes)
                header.string(3, "eve's")
                header.signed(4, 0)
                header.message(6) { frontier in
                    frontier.bytes(1, journal.bytes)
                    for head in heads {
                        frontier.message(2) {
                            $0.bytes(1, head.replica.bytes)
                            $0.varint(2, head.sequence.rawValue)
                            $0.bytes(3, head.hash.bytes)
                        }
                    }
                }
            }
        }
        for segment in segments { add(to: &bytes) { $0.message(2) { segment.write(to: &$0) } } }
        add(to: &bytes) { record in
            record.message(3) {
                $0.varint(1, UInt64(segments.count))
                $0.varint(2, UInt64(segments.reduce(0) { $0 + $1.commits.count }))
            }
        }
        try sealed(bytes).write(to: file)
    }

    /// Flips bits of a bundle between its magic and its checksum, and corrects the checksum.
    static func flip(bits: [Int], of file: URL) throws {
        var bytes = Array(try Data(contentsOf: file).dropLast(Digest.size))
        guard bytes.count > 8 else { return }
        for bit in bits { bytes[8 + bit / 8 % (bytes.count - 8)] ^= 1 << UInt8(bit % 8) }
        try sealed(bytes).write(to: file)
    }

    private static func sealed(_ bytes: [UInt8]) -> Data {
        var checksum = DigestBuilder()
        checksum.add(bytes)
        return Data(bytes + checksum.finish().bytes)
    }

    private static func add(to bytes: inout [UInt8], _ body: (inout WireWriter) -> Void) {
        var record = WireWriter()
        body(&record)
        let message = record.finish()
        bytes += UInt32(message.count).bigEndianBytes + message
    }
}

extension LineSegment {
    fileprivate func write(to writer: inout WireWriter) {
        writer.bytes(1, journal.bytes)
        writer.bytes(2, replica.bytes)
        writer.varint(3, first.rawValue)
        writer.bytes(4, previous.bytes)
        for commit in commits { writer.bytes(5, commit) }
        writer.bytes(6, signature)
    }
}
