package import Foundation

/// Writes a payload event by event, for whoever has no use for the events themselves: the same bytes as `Payload` has.
package struct PayloadWriter: Sendable {
    /// A change to a plain field, and where its value lies.
    package struct Change {
        fileprivate let parts: EventEncoder.Parts

        package var field: UInt32 { parts.field }
        package var value: UnsafeRawBufferPointer? { parts.value }

        /// No value clears. The bytes must stay where they are until the event was added.
        package init(field: UInt32, value: UnsafeRawBufferPointer?, seen: Timestamp?) {
            parts = EventEncoder.Parts(field: field, value: value, seen: seen)
        }
    }

    private var writer: WireWriter

    /// `used` is a payload that is needed no longer: its memory is written over.
    package init(
        author: String, causation: UUID?, correlation: UUID?, over used: consuming [UInt8] = [],
        reservingCapacity capacity: Int = 0
    ) {
        writer = WireWriter(over: used, reservingCapacity: capacity)
        writer.authorship(author, causation, correlation)
    }

    /// How many bytes were written.
    package var count: Int { writer.count }

    /// How many bytes of memory it takes.
    package var capacity: Int { writer.capacity }

    /// Adds an event. Answers where its message lies; O(its bytes).
    package mutating func add(
        _ verb: Verb, _ entity: EntityReference, _ changes: [Change], seen: Timestamp? = nil,
        seenNewest: Timestamp? = nil
    ) -> Range<Int> {
        changes.withUnsafeBufferPointer { changes in
            let size = EventEncoder.size(
                verb, entity, changes.count, { changes[$0].parts }, seen: seen, seenNewest: seenNewest)
            writer.write(wireSize(ofTag: Payload.eventField) + wireSize(ofVarint: UInt64(size)) + size) { start in
                let place = start.putTag(Payload.eventField, .delimited).putVarint(UInt64(size))
                let end = EventEncoder.put(
                    verb, entity, changes.count, { changes[$0].parts }, seen: seen, seenNewest: seenNewest, at: place)
                precondition(end == place + size, "An event does not have the size that was computed for it.")
                return end
            }
            return writer.count - size..<writer.count
        }
    }

    /// Adds an event whose message was written before, and lies elsewhere: this one's memory may move. Answers where its
    /// message lies; O(its bytes).
    package mutating func add(_ message: UnsafeRawBufferPointer) -> Range<Int> {
        writer.bytes(Payload.eventField, message)
        return writer.count - message.count..<writer.count
    }

    /// Runs `body` on bytes that were written.
    package func withBytes<T>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try writer.withBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The payload.
    package consuming func finish() -> [UInt8] { writer.finish() }
}
