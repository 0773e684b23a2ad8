package import Foundation

/// Writes a payload event by event, for whoever has no use for the events themselves: the same bytes as `Payload` has.
package struct PayloadWriter: Sendable {
    /// A change to a plain field, and where its value lies.
    package struct Change {
        fileprivate let parts: EventEncoder.Parts

        package var field: UInt32 { parts.field }
        package var value: UnsafeRawBufferPointer? { parts.value }

        /// No value clears. The bytes must stay where they are until the event was added.
        package init(field: UInt32, value: UnsafeRawBufferPointer?, seen: SeenReference?) {
            parts = EventEncoder.Parts(field: field, value: value, seen: seen)
        }
    }

    private var writer: WireWriter
    /// The replicas of which the events added so far name writes as seen.
    package private(set) var seenReplicas = SeenReplicas()
    /// Where the events begin, before which the list of replicas goes.
    private let eventsAt: Int

    /// `used` is a payload that is needed no longer: its memory is written over.
    package init(
        author: String, causation: UUID?, correlation: UUID?, appendID: AppendID? = nil,
        over used: consuming [UInt8] = [], reservingCapacity capacity: Int = 0
    ) {
        writer = WireWriter(over: used, reservingCapacity: capacity)
        writer.authorship(author, causation, correlation, appendID)
        eventsAt = writer.count
    }

    /// Names a write that an author saw, as the events of this payload have it.
    package mutating func reference(to seen: Seen?) -> SeenReference? { seenReplicas.reference(to: seen) }

    /// How many bytes were written.
    package var count: Int { writer.count }

    /// How many bytes of memory it takes.
    package var capacity: Int { writer.capacity }

    /// Adds an event. Answers where its message lies; O(its bytes).
    package mutating func add(
        _ verb: Verb, _ entity: EntityReference, _ changes: [Change], seen: Seen? = nil
    ) -> Range<Int> {
        let marks = EventEncoder.Marks(seen: reference(to: seen), original: nil)
        return changes.withUnsafeBufferPointer { changes in
            let size = EventEncoder.size(verb, entity, changes.count, marks) { changes[$0].parts }
            writer.write(wireSize(ofTag: Payload.eventField) + wireSize(ofVarint: UInt64(size)) + size) { start in
                let place = start.putTag(Payload.eventField, .delimited).putVarint(UInt64(size))
                let end = EventEncoder.put(verb, entity, changes.count, marks, at: place) { changes[$0].parts }
                precondition(end == place + size, "An event does not have the size that was computed for it.")
                return end
            }
            return writer.count - size..<writer.count
        }
    }

    /// Adds an event as it is, with what it says of when it happened and the keys of its changes. Answers where its message lies.
    package mutating func add(_ event: Event) -> Range<Int> {
        var replicas = seenReplicas
        // Keys and values are pointed to outside the closures that lend them.
        defer { withExtendedLifetime(event) { seenReplicas = replicas } }
        let size = EventEncoder.size(of: event, &replicas)
        writer.write(wireSize(ofTag: Payload.eventField) + wireSize(ofVarint: UInt64(size)) + size) { start in
            let place = start.putTag(Payload.eventField, .delimited).putVarint(UInt64(size))
            let end = EventEncoder.put(event, &replicas, at: place)
            precondition(end == place + size, "An event does not have the size that was computed for it.")
            return end
        }
        return writer.count - size..<writer.count
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

    /// The payload; `held` is what its author held of each replica. O(its bytes) if something was seen: the replicas of which are
    /// listed before the events.
    package consuming func finish(holding held: VersionVector = VersionVector()) -> [UInt8] {
        var replicas = seenReplicas
        replicas.note(held)
        guard !replicas.replicas.isEmpty else { return writer.finish() }
        var list = WireWriter()
        list.seenReplicas(replicas)
        let at = eventsAt
        var bytes = writer.finish()
        bytes.insert(contentsOf: list.finish(), at: at)
        return bytes
    }
}
