package import Foundation

/// Writes a payload event by event, without `Event` values: the same bytes as `Payload` writes.
package struct PayloadWriter: Sendable {
    /// A change to a plain field, with a pointer to its value.
    package struct Change {
        fileprivate let parts: EventEncoder.Parts

        package var field: UInt64 { parts.field }
        /// Empty for a plain field.
        package var key: UnsafeRawBufferPointer { parts.key }
        package var value: UnsafeRawBufferPointer? { parts.value }

        /// No value clears. The bytes must stay in place until the event has been added.
        package init(
            field: UInt64, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?, seen: SeenReference?
        ) {
            parts = EventEncoder.Parts(field: field, key: key, value: value, seen: seen)
        }
    }

    private var writer: WireWriter
    /// The replicas that the events added so far name as seen.
    package private(set) var seenReplicas = SeenReplicas()
    /// The offset of the events; the list of replicas goes before it.
    private let eventsAt: Int

    /// `used` is an old payload whose memory is reused.
    package init(
        author: String, causation: UUID?, correlation: UUID?, appendID: AppendID? = nil,
        over used: consuming [UInt8] = [], reservingCapacity capacity: Int = 0
    ) {
        writer = WireWriter(over: used, reservingCapacity: capacity)
        writer.authorship(author, causation, correlation, appendID)
        eventsAt = writer.count
    }

    /// The reference by which events of this payload name a write that an author saw.
    package mutating func reference(to seen: Seen?) -> SeenReference? { seenReplicas.reference(to: seen) }

    /// Bytes written so far.
    package var count: Int { writer.count }

    /// Bytes allocated.
    package var capacity: Int { writer.capacity }

    /// Adds an event. Returns the range of its message; O(its bytes).
    package mutating func add(
        _ verb: Verb, _ entity: EntityReference, _ changes: [Change], seen: Seen? = nil
    ) -> Range<Int> {
        let marks = EventEncoder.Marks(seen: reference(to: seen), original: nil)
        return changes.withUnsafeBufferPointer { changes in
            let size = EventEncoder.size(verb, entity, changes.count, marks) { changes[$0].parts }
            writer.write(wireSize(ofTag: Payload.eventField) + wireSize(ofVarint: UInt64(size)) + size) { start in
                let pointer = start.putTag(Payload.eventField, .delimited).putVarint(UInt64(size))
                let end = EventEncoder.put(verb, entity, changes.count, marks, at: pointer) { changes[$0].parts }
                precondition(end == pointer + size, "An event does not have the size that was computed for it.")
                return end
            }
            return writer.count - size..<writer.count
        }
    }

    /// Adds an event as it is, with what it says of when it happened and the keys of its changes. Returns the range of its message.
    package mutating func add(_ event: Event) -> Range<Int> {
        var replicas = seenReplicas
        // Pointers to keys and values leave the closures that lend them.
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

    /// Adds an event whose message is in other memory: this writer's own may move. Returns the range of its message;
    /// O(its bytes).
    package mutating func add(_ message: UnsafeRawBufferPointer) -> Range<Int> {
        writer.bytes(Payload.eventField, message)
        return writer.count - message.count..<writer.count
    }

    /// Runs `body` on written bytes.
    package func withBytes<T>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try writer.withBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The payload; `held` is what its author held of each replica. O(its bytes) if a write was seen: the list of
    /// replicas goes before the events.
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
