import Foundation

/// A payload read in place, perhaps partly erased; valid as long as its bytes.
public struct PayloadView {
    let bytes: UnsafeRawBufferPointer
    /// The erased leaves, encoded; nil for a whole payload. `bytes` has the other leaves.
    let erased: UnsafeRawBufferPointer?

    public init(_ bytes: UnsafeRawBufferPointer) { self.init(bytes, without: nil) }

    /// A payload without its erased leaves: the bytes of the others, one after another. Events keep their indexes.
    package init(_ bytes: UnsafeRawBufferPointer, without erased: UnsafeRawBufferPointer?) {
        self.bytes = bytes
        self.erased = erased
    }

    private static let eventTag = UInt8(Payload.eventField << 3 | 2)

    /// Calls `body` with every event in order and its index.
    ///
    /// Throws `WireError` at the first part of the payload that cannot be read, event or not, after it passed the events
    /// before it. Does not validate changes.
    public func forEachEvent(_ body: (borrowing EventView, Int) throws(WireError) -> Void) throws(WireError) {
        var reader = WireReader(bytes)
        var indexes = EventIndexes(without: erased)
        while let field = try reader.next() {
            switch field.number {
            case 1: _ = try reader.bytes(field)
            case 2, 3, 4: _ = try reader.uuid(field)
            case Payload.eventField: try body(try EventView(try reader.bytes(field)), indexes.next())
            case 5: _ = try Self.introduction(try reader.bytes(field), after: nil)
            case 6: _ = try reader.bytes(field, count: 16)
            case 8: _ = try reader.bytes(field)
            case 12: _ = try Self.times(try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
    }

    /// Whether the payload is well-formed: only then do its events count, and on every replica alike. And whether all
    /// its events are plain: then `forEachReadableEvent` need not validate them again. O(bytes).
    package func form() -> (isWellFormed: Bool, isPlain: Bool) {
        var isPlain = true
        let isWellFormed = readEvents { event, _ in isPlain = isPlain && event.isPlain }
        return (isWellFormed, isWellFormed && isPlain)
    }

    /// Calls `body` with every event in order and its index, fully validated, and returns whether the payload is
    /// well-formed: if it is not, the events passed so far do not count. O(bytes), in one pass.
    @inline(__always)
    package func readEvents(_ body: (borrowing EventView, Int) -> Void) -> Bool {
        var reader = WireReader(bytes)
        var indexes = EventIndexes(without: erased)
        var events = 0
        var changes = 0
        var replicas = 0
        do throws(WireError) {
            while true {
                // Nearly all fields are events.
                while let bytes = reader.mediumBytes(Self.eventTag) {
                    let event = try EventView(bytes, readingChanges: true)
                    changes += event.changeCount
                    events += 1
                    body(event, indexes.next())
                }
                guard let field = try reader.next() else { break }
                switch field.number {
                case 1: _ = try reader.bytes(field)
                case 2, 3, 4: _ = try reader.uuid(field)
                case Payload.eventField:
                    let event = try EventView(try reader.bytes(field), readingChanges: true)
                    changes += event.changeCount
                    events += 1
                    body(event, indexes.next())
                case 5: _ = try Self.introduction(try reader.bytes(field), after: nil)
                case 6:
                    _ = try reader.bytes(field, count: 16)
                    replicas += 1
                case 8: _ = try reader.bytes(field)
                case 12: _ = try Self.times(try reader.bytes(field))
                default: try reader.skip(field)
                }
            }
            return events <= Payload.mostEvents && changes <= Payload.mostChanges
                && replicas <= Payload.mostSeenReplicas
        } catch {
            return false
        }
    }

    /// Calls `body` with every event in order and its index, up to the first that cannot be read. A well-formed payload
    /// passes all of them.
    public func forEachReadableEvent(_ body: (borrowing EventView, Int) throws -> Void) rethrows {
        try forEachReadableEvent(isPlain: false, body)
    }

    /// The same; `isPlain` is as `form()` returned it.
    package func forEachReadableEvent(isPlain: Bool, _ body: (borrowing EventView, Int) throws -> Void) rethrows {
        var reader = WireReader(bytes)
        var indexes = EventIndexes(without: erased)
        while let event = Self.nextEvent(&reader, isPlain: isPlain) { try body(event, indexes.next()) }
    }

    @inline(__always)
    private static func nextEvent(_ reader: inout WireReader, isPlain: Bool) -> EventView? {
        do throws(WireError) {
            while let field = try reader.next() {
                if field.number == Payload.eventField {
                    let bytes = try reader.bytes(field)
                    return isPlain ? try EventView(plain: bytes) : try EventView(bytes)
                }
                try reader.skip(field)
            }
        } catch {}
        return nil
    }

    /// Whether the payload has this append's id. O(1): writers put it before the events.
    package func bears(_ id: AppendID) -> Bool {
        var reader = WireReader(bytes)
        do throws(WireError) {
            while let field = try reader.next(), field.number != Payload.eventField {
                if field.number == 4 { return AppendID(try reader.uuid(field)) == id }
                try reader.skip(field)
            }
        } catch {}
        return false
    }

    /// The replicas that the events' `seen` references name, and the newest time that the author held of each: the list
    /// before the first event. O(the fields before the first event).
    public func seenReplicas() throws(WireError) -> SeenReplicas {
        var replicas: [ReplicaID] = []
        var newestHeld: [Timestamp] = []
        var reader = WireReader(bytes)
        while let field = try reader.next(), field.number != Payload.eventField {
            switch field.number {
            case 6: if let replica = ReplicaID(try reader.bytes(field, count: 16)) { replicas.append(replica) }
            case 12: newestHeld = try Self.times(try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        return SeenReplicas(replicas, newestHeld: newestHeld)
    }

    /// Times of eight bytes each.
    static func times(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> [Timestamp] {
        guard bytes.count % 8 == 0, bytes.count / 8 <= Payload.mostSeenReplicas else {
            throw WireError("the times up to which others were held have \(bytes.count) bytes: not 8 each, or too many")
        }
        return stride(from: 0, to: bytes.count, by: 8).map {
            Timestamp(rawValue: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)))
        }
    }

    /// The event in a range that an outline of the same payload found; nil if it was erased, or the payload is shorter.
    public func event(in range: Range<UInt32>) throws(WireError) -> EventView? {
        guard !range.isEmpty, Int(range.upperBound) <= bytes.count else { return nil }
        return try EventView(bytes.part(Int(range.lowerBound)..<Int(range.upperBound)))
    }

    /// One event, read in place; nil if there are fewer, or it was erased. Does not validate the others.
    public func event(at index: Int) throws(WireError) -> EventView? {
        var reader = WireReader(bytes)
        var indexes = EventIndexes(without: erased)
        while let field = try reader.next() {
            if field.number == Payload.eventField {
                let event = try reader.bytes(field)
                let found = indexes.next()
                if found == index { return try EventView(event) }
                if found > index { return nil }
            } else {
                try reader.skip(field)
            }
        }
        return nil
    }

    /// Whether events and changes are within the limits of a commit. O(bytes).
    package func isWithinBounds() -> Bool {
        var changes = 0
        var events = 0
        _ = readEvents { event, _ in
            events += 1
            changes += event.changeCount
        }
        return events <= Payload.mostEvents && changes <= Payload.mostChanges
    }

    /// The number of events, without validation, including those beyond the limit of a commit.
    public func eventCount() throws(WireError) -> Int {
        var reader = WireReader(bytes)
        var count = 0
        while let field = try reader.next() {
            if field.number == Payload.eventField { count += 1 }
            try reader.skip(field)
        }
        return count
    }

    /// The indexes of the first `count` events that are not erased.
    package func indexes(ofFirst count: Int) -> [Int] {
        var indexes = EventIndexes(without: erased)
        return (0..<count).map { _ in indexes.next() }
    }
}
