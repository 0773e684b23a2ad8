import Foundation

/// Writes events, which are most of what a log holds: each size is computed before its message is written, so that
/// everything goes into one allocation of exactly the needed size, and nothing is moved or copied again.
///
/// Sound: the allocation is as large as the sum of the sizes, and each message is written by the rules by which its
/// size was computed; the total is checked at the end. The bytes of keys and values are pointed to outside the closures
/// that lend them: arrays do not move their bytes, and `events` retains the arrays throughout. Retaining each of them
/// would cost more than copying it.
enum EventEncoder {
    /// The bytes of `front`, then every event as a field. `replicas` has every replica that an event names as seen.
    static func encode(
        _ events: [Event], as field: UInt32, _ replicas: inout SeenReplicas, after front: [UInt8]
    ) -> [UInt8] {
        guard !events.isEmpty else { return front }
        return events.withUnsafeBufferPointer { events in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: events.count) { sizes in
                var total = front.count
                for index in events.indices {
                    let size = Self.size(of: events[index], &replicas)
                    sizes.initializeElement(at: index, to: size)
                    total += wireSize(ofTag: field) + wireSize(ofVarint: UInt64(size)) + size
                }
                return [UInt8](unsafeUninitializedCapacity: total) { bytes, count in
                    guard let base = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
                    var pointer = front.withUnsafeBytes { base.put($0) }
                    for index in events.indices {
                        pointer = pointer.putTag(field, .delimited).putVarint(UInt64(sizes[index]))
                        let end = pointer + sizes[index]
                        pointer = put(events[index], &replicas, at: pointer)
                        precondition(pointer == end, "An event does not have the size that was computed for it.")
                    }
                    count = total
                }
            }
        }
    }

    @inline(__always)
    static func size(of event: borrowing Event, _ replicas: inout SeenReplicas) -> Int {
        let marks = Marks(event, &replicas)
        return event.changes.withUnsafeBufferPointer { changes in
            size(event.verb, event.entity, changes.count, marks) { Parts(changes[$0], &replicas) }
        }
    }

    @inline(__always)
    static func put(
        _ event: borrowing Event, _ replicas: inout SeenReplicas, at start: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        let marks = Marks(event, &replicas)
        return event.changes.withUnsafeBufferPointer { changes in
            put(event.verb, event.entity, changes.count, marks, at: start) { Parts(changes[$0], &replicas) }
        }
    }

    /// The size of an event with that many changes; `part` returns each.
    @inline(__always)
    static func size(
        _ verb: Verb, _ entity: EntityReference, _ count: Int, _ marks: Marks, _ part: (Int) -> Parts
    ) -> Int {
        var size = 1 + wireSize(ofVarint: UInt64(verb.rawValue))
        size += 1 + wireSize(ofVarint: UInt64(entity.kind.rawValue))
        size += 2 + 16
        for index in 0..<count {
            let content = Self.size(of: part(index))
            size += 1 + wireSize(ofVarint: UInt64(content)) + content
        }
        if let seen = marks.seen { size += 1 + 8 + Self.size(ofReplica: seen) }
        if marks.original != nil { size += 1 + 8 }
        return size
    }

    /// The first replica of the list is the default.
    @inline(__always)
    private static func size(ofReplica seen: SeenReference) -> Int {
        seen.replica == 0 ? 0 : 1 + wireSize(ofVarint: UInt64(seen.replica))
    }

    @inline(__always)
    static func put(
        _ verb: Verb, _ entity: EntityReference, _ count: Int, _ marks: Marks, at start: UnsafeMutableRawPointer,
        _ part: (Int) -> Parts
    ) -> UnsafeMutableRawPointer {
        var pointer = start.putTag(1, .varint).putVarint(UInt64(verb.rawValue))
        pointer = pointer.putTag(2, .varint).putVarint(UInt64(entity.kind.rawValue))
        pointer = pointer.putTag(3, .delimited).putByte(16)
        pointer.storeBytes(of: entity.id.uuid, as: type(of: entity.id.uuid))
        pointer += 16
        for index in 0..<count {
            let parts = part(index)
            pointer = pointer.putTag(4, .delimited).putVarint(UInt64(size(of: parts)))
            pointer = put(parts, at: pointer)
        }
        if let seen = marks.seen { pointer = pointer.putTag(5, .fixed64).putFixed(seen.timestamp.rawValue) }
        if let seen = marks.seen, seen.replica != 0 {
            pointer = pointer.putTag(6, .varint).putVarint(UInt64(seen.replica))
        }
        if let original = marks.original { pointer = pointer.putTag(7, .fixed64).putFixed(original.rawValue) }
        return pointer
    }

    /// What an event holds besides verb, entity and changes.
    struct Marks {
        let seen: SeenReference?
        let original: Timestamp?

        @inline(__always)
        init(seen: SeenReference?, original: Timestamp?) {
            self.seen = seen
            self.original = original
        }

        @inline(__always)
        init(_ event: borrowing Event, _ replicas: inout SeenReplicas) {
            seen = replicas.reference(to: event.seen)
            original = event.original
        }
    }

    /// A change, and pointers to its bytes.
    struct Parts {
        let field: UInt64
        let key: UnsafeRawBufferPointer
        let value: UnsafeRawBufferPointer?
        let seen: SeenReference?

        @inline(__always)
        init(_ change: borrowing Change, _ replicas: inout SeenReplicas) {
            field = change.path.field
            key = change.path.key.withUnsafeBytes { $0 }
            value = change.value?.withUnsafeBytes { $0 }
            seen = replicas.reference(to: change.seen)
        }

        init(field: UInt64, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?, seen: SeenReference?) {
            self.field = field
            self.key = key
            self.value = value
            self.seen = seen
        }
    }

    @inline(__always)
    private static func size(of change: Parts) -> Int {
        var size = 1 + wireSize(ofVarint: change.field)
        if !change.key.isEmpty { size += wireSize(ofDelimited: change.key.count) }
        if let value = change.value { size += wireSize(ofDelimited: value.count) }
        if let seen = change.seen { size += 1 + 8 + Self.size(ofReplica: seen) }
        return size
    }

    @inline(__always)
    private static func put(_ change: Parts, at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        var pointer = start.putTag(1, .varint).putVarint(change.field)
        if !change.key.isEmpty { pointer = pointer.putTag(2, .delimited).putDelimited(change.key) }
        if let value = change.value { pointer = pointer.putTag(3, .delimited).putDelimited(value) }
        if let seen = change.seen {
            pointer = pointer.putTag(5, .fixed64).putFixed(seen.timestamp.rawValue)
            if seen.replica != 0 { pointer = pointer.putTag(6, .varint).putVarint(UInt64(seen.replica)) }
        }
        return pointer
    }
}
