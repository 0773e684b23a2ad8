import EventLog
import Events

extension LineSegment {
    /// The most bytes of a segment's message.
    package static let largestMessage =
        largestByteCount + largestErasureBytes + (16 + 8 * mostErasures) * largestCommitCount + 1024

    /// The message's bytes.
    package func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: byteCount + 8 * commits.count + 192)
        write(to: &writer)
        return writer.finish()
    }

    func write(to writer: inout WireWriter) {
        writer.bytes(1, journal.bytes)
        writer.bytes(2, replica.bytes)
        writer.varint(3, first.rawValue)
        writer.bytes(4, previous.bytes)
        for commit in commits { writer.bytes(5, commit) }
        if !signature.isEmpty { writer.bytes(6, signature) }
        for erasure in erasures { writer.bytes(7, erasure) }
    }
}
