import Foundation

/// An event read in place, from the bytes of a commit; valid as long as they are.
///
/// It is noncopyable and only borrowed, so that the compiler refuses to keep it beyond the call that lends it.
public struct EventView: ~Copyable {
    public let verb: Verb
    public let entity: EntityReference
    // Optional numbers have their flags apart: with an optional between the numbers the compiler copies the event in odd
    // pieces, and the processor stalls on reading bytes that it has just stored (2 % of a rebuild).
    @usableFromInline let seenReplica: UInt32
    @usableFromInline let seenTime: Timestamp
    @usableFromInline let originalTime: Timestamp
    /// The event's message, changes included.
    @usableFromInline let bytes: UnsafeRawBufferPointer
    /// An offset before which there are no changes.
    @usableFromInline let changesAt: Int
    /// How many changes were read with it; 0 if they were skipped.
    let changeCount: Int
    /// Whether it is in the common encoding: verb, kind and id, then changes and nothing else.
    package let isPlain: Bool
    @usableFromInline let hasSeen: Bool
    @usableFromInline let hasOriginal: Bool

    @inlinable
    public var seen: SeenReference? {
        hasSeen ? SeenReference(timestamp: seenTime, replica: seenReplica) : nil
    }

    /// The original time, if the event was brought here from elsewhere.
    @inlinable
    public var original: Timestamp? { hasOriginal ? originalTime : nil }

    /// Reads everything but the changes, which it skips.
    ///
    /// Throws `WireError` if the bytes are no event: an id, a verb and a kind of 1 to 65,535 are required.
    package init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        try self.init(bytes, readingChanges: false)
    }

    /// The same; `readingChanges` reads the changes too, so that it throws for a malformed one.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, readingChanges: Bool) throws(WireError) {
        var verb: UInt32 = 0
        var kind: UInt32 = 0
        var id: UUID?
        var seen: Timestamp?
        var seenReplica: UInt32 = 0
        var original: Timestamp?
        changesAt = Self.hasPlainStart(bytes) ? Self.plainStartSize : 0
        if changesAt > 0 {
            verb = UInt32(bytes[1])
            kind = UInt32(bytes[3])
            id = bytes.uuid(at: 6)
        }
        var reader = WireReader(bytes, from: changesAt)
        var isPlain = changesAt > 0
        var changeCount = 0
        while true {
            if readingChanges {
                while reader.skipPlainChange() || !reader.isAtEnd && reader.longPlainChange() != nil {
                    changeCount += 1
                }
            } else {
                while reader.shortBytes(Self.changeTag) != nil {}
            }
            guard let field = try reader.next() else { break }
            if field.number != 4 { isPlain = false }
            switch field.number {
            case 1: verb = try reader.uint32(field)
            case 2: kind = try reader.uint32(field)
            case 3: id = try reader.uuid(field)
            case 4 where readingChanges:
                _ = try ChangeView(try reader.bytes(field))
                changeCount += 1
            case 5: seen = Timestamp(rawValue: try reader.fixed64(field))
            case 6: seenReplica = try reader.uint32(field)
            case 7: original = Timestamp(rawValue: try reader.fixed64(field))
            default: try reader.skip(field)
            }
        }
        guard let id else { throw WireError("an event names no entity") }
        guard verb != 0 else { throw WireError("an event has no verb") }
        guard kind != 0, let kind = UInt16(exactly: kind) else {
            throw WireError("an event's kind is \(kind), not 1 to 65535")
        }
        self.verb = Verb(rawValue: verb)
        self.entity = EntityReference(kind: EntityKind(rawValue: kind), id: id)
        self.seenReplica = seenReplica
        seenTime = seen ?? .zero
        hasSeen = seen != nil
        originalTime = original ?? .zero
        hasOriginal = original != nil
        self.bytes = bytes
        self.isPlain = isPlain
        self.changeCount = changeCount
    }

    /// An event that was validated before and found to be plain: no second validation.
    @inline(__always)
    package init(plain bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard Self.hasPlainStart(bytes) else {
            self = try EventView(bytes)
            return
        }
        verb = Verb(rawValue: UInt32(bytes[1]))
        entity = EntityReference(kind: EntityKind(rawValue: UInt16(bytes[3])), id: bytes.uuid(at: 6))
        seenReplica = 0
        seenTime = .zero
        hasSeen = false
        originalTime = .zero
        hasOriginal = false
        changesAt = Self.plainStartSize
        isPlain = true
        changeCount = 0
        self.bytes = bytes
    }

    private static let changeTag: UInt8 = 4 << 3 | 2
    private static let plainStartSize = 22

    /// Whether an event begins as writers begin it: verb and kind of one byte each, then the id.
    @inline(__always)
    private static func hasPlainStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= plainStartSize else { return false }
        return bytes.bigEndian(UInt32.self) & 0xFF80_FF80 == 0x0800_1000
            && bytes.bigEndian(UInt16.self, at: 4) == 0x1A10
    }

    /// Calls `body` with every change in order.
    @inlinable @inline(__always)
    public func forEachChange(_ body: (borrowing ChangeView) throws(WireError) -> Void) throws(WireError) {
        var reader = WireReader(bytes, from: changesAt)
        while true {
            while let change = reader.plainChange() { try body(change) }
            if reader.isAtEnd { return }
            guard let change = try Self.nextChange(&reader) else { return }
            try body(change)
        }
    }

    /// The next change in any encoding; nil at the end.
    @usableFromInline @inline(never)
    static func nextChange(_ reader: inout WireReader) throws(WireError) -> ChangeView? {
        if let change = reader.longPlainChange() { return change }
        while let field = try reader.next() {
            if field.number == 4 { return try ChangeView(try reader.bytes(field)) }
            try reader.skip(field)
        }
        return nil
    }

    /// A copy that outlives the bytes; `replicas` are those that its payload lists (`PayloadView.seenReplicas()`).
    public func copy(_ replicas: SeenReplicas) throws(WireError) -> Event { try copy { replicas.resolve($0) } }

    /// The same; `resolve` returns the write that a reference names.
    func copy(_ resolve: (SeenReference?) throws(WireError) -> Seen?) throws(WireError) -> Event {
        var changes: [Change] = []
        try forEachChange { change throws(WireError) in
            changes.append(
                Change(
                    path: FieldPath(field: change.field, key: [UInt8](change.key)),
                    value: change.value.map { [UInt8]($0) },
                    seen: try resolve(change.seen)))
        }
        return Event(verb: verb, entity: entity, changes: changes, seen: try resolve(seen), original: original)
    }

    /// The range of the event's message in the payload that it was read from.
    package func range(in payload: UnsafeRawBufferPointer) -> Range<Int> { bytes.range(in: payload) }
}
