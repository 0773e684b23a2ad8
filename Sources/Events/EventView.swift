import Foundation

/// An event read in place, from the bytes of a commit; valid as long as they are.
///
/// It cannot be copied and is only lent, so that the compiler refuses to keep it beyond the call that it was lent to.
public struct EventView: ~Copyable {
    public let verb: Verb
    public let entity: EntityReference
    // What may be missing has its flag apart: an optional's, between the numbers, would have the compiler copy the event in odd
    // pieces, whose bytes the processor cannot read before it has written them out (2 % of a rebuild).
    @usableFromInline let seenReplica: UInt32
    @usableFromInline let seenTime: Timestamp
    @usableFromInline let originalTime: Timestamp
    /// The event's message, its changes among it.
    @usableFromInline let bytes: UnsafeRawBufferPointer
    /// A place before which there are no changes.
    @usableFromInline let changesAt: Int
    /// How many changes were read with it; 0 if they were passed over.
    let changeCount: Int
    /// Whether it is written as most are: verb, kind and id, then changes and nothing else.
    package let isPlain: Bool
    @usableFromInline let hasSeen: Bool
    @usableFromInline let hasOriginal: Bool

    @inlinable
    public var seen: SeenReference? {
        hasSeen ? SeenReference(timestamp: seenTime, replica: seenReplica) : nil
    }

    /// When it happened, if it was brought here from elsewhere.
    @inlinable
    public var original: Timestamp? { hasOriginal ? originalTime : nil }

    /// Reads everything but the changes, and passes over them.
    ///
    /// Throws `WireError` if the bytes are no event: an id, a verb and a kind of 1 to 65,535 must be there.
    package init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        try self.init(bytes, readingChanges: false)
    }

    /// As the other; reads the changes, too, if it is to throw for what is wrong with one.
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

    /// An event that was read before and found to be plain: nothing is looked through again.
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

    /// The next change, however it is written; nil at the end.
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

    /// The same; `resolve` says which write a reference names.
    func copy(_ resolve: (SeenReference?) throws(WireError) -> Seen?) throws(WireError) -> Event {
        var changes: [Change] = []
        try forEachChange { change throws(WireError) in
            changes.append(
                Change(
                    path: Path(field: change.field, key: [UInt8](change.key)), value: change.value.map { [UInt8]($0) },
                    seen: try resolve(change.seen)))
        }
        return Event(verb: verb, entity: entity, changes: changes, seen: try resolve(seen), original: original)
    }
}

/// A change read in place: lent, as its event is.
public struct ChangeView: ~Copyable {
    public let field: UInt32
    /// Valid as long as the event's bytes, which nothing but the caller's care makes sure of.
    @usableFromInline package let key: UnsafeRawBufferPointer
    /// Nil if the change clears.
    @usableFromInline package let value: UnsafeRawBufferPointer?
    public let seen: SeenReference?

    @inlinable @inline(__always)
    init(field: UInt32, value: UnsafeRawBufferPointer, seen: SeenReference?) {
        self.field = field
        key = UnsafeRawBufferPointer(start: nil, count: 0)
        self.value = value
        self.seen = seen
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var number: UInt32 = 0
        var key = UnsafeRawBufferPointer(start: nil, count: 0)
        var value: UnsafeRawBufferPointer?
        var seen: Timestamp?
        var seenReplica: UInt32 = 0
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: number = try reader.uint32(field)
            case 2: key = try reader.bytes(field)
            case 3: value = try reader.bytes(field)
            case 5: seen = Timestamp(rawValue: try reader.fixed64(field))
            case 6: seenReplica = try reader.uint32(field)
            default: try reader.skip(field)
            }
        }
        guard number != 0 else { throw WireError("a change names no field") }
        guard key.count <= Payload.longestKey else {
            throw WireError("a change has a key of \(key.count) bytes, over \(Payload.longestKey)")
        }
        self.field = number
        self.key = key
        self.value = value
        self.seen = seen.map { SeenReference(timestamp: $0, replica: seenReplica) }
    }

    /// Calls `body` with the bytes of the key, which are there during the call alone.
    @inlinable
    public func withKey<T, Failure: Error>(_ body: (RawSpan) throws(Failure) -> T) throws(Failure) -> T {
        try body(key.bytes)
    }

    /// Calls `body` with the bytes of the value, which are there during the call alone; nil if the change clears.
    @inlinable
    public func withValue<T, Failure: Error>(_ body: (RawSpan?) throws(Failure) -> T) throws(Failure) -> T {
        guard let value else { return try body(nil) }
        return try body(value.bytes)
    }
}

extension WireReader {
    /// The next change of an event if it is written as most are: a message of up to 127 bytes with a field's number of one
    /// byte, a value, and perhaps what was seen there, of the first replica of the list. Nil for anything else, and then nothing was read.
    @inlinable @inline(__always)
    mutating func plainChange() -> ChangeView? {
        guard let (size, count) = plainChangeSizes(), let base = bytes.baseAddress else { return nil }
        let start = base + position
        position += 2 + size
        var seen: SeenReference?
        if count + 4 != size {
            let time = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 7 + count, as: UInt64.self))
            seen = SeenReference(timestamp: Timestamp(rawValue: time), replica: 0)
        }
        let field = UInt32(start.load(fromByteOffset: 3, as: UInt8.self))
        return ChangeView(field: field, value: UnsafeRawBufferPointer(start: start + 6, count: count), seen: seen)
    }

    /// Passes over it, and answers whether it was written so.
    @inline(__always)
    mutating func skipPlainChange() -> Bool {
        guard let (size, _) = plainChangeSizes() else { return false }
        position += 2 + size
        return true
    }

    /// How many bytes its message and its value have.
    @inlinable @inline(__always)
    func plainChangeSizes() -> (message: Int, value: Int)? {
        guard remaining >= 6, let base = bytes.baseAddress else { return nil }
        let start = base + position
        // 22 length 08 field 1A length: the first four at once.
        let head = UInt32(littleEndian: start.loadUnaligned(as: UInt32.self))
        guard head & 0x80FF_80FF == 0x0008_0022, head >> 24 != 0, start.load(fromByteOffset: 4, as: UInt8.self) == 0x1A
        else { return nil }
        let size = Int(head >> 8 & 0x7F)
        let count = Int(start.load(fromByteOffset: 5, as: UInt8.self))
        guard size <= remaining - 2 else { return nil }
        if count + 4 == size { return (size, count) }
        // 29, and eight bytes.
        guard count + 13 == size, start.load(fromByteOffset: 6 + count, as: UInt8.self) == 0x29 else { return nil }
        return (size, count)
    }
}

extension WireReader {
    /// The same for a message of 128 to 16,383 bytes: of those with longer text.
    @inline(never)
    mutating func longPlainChange() -> ChangeView? {
        guard remaining >= 8, let base = bytes.baseAddress else { return nil }
        let start = base + position
        func byte(_ offset: Int) -> Int { Int(start.load(fromByteOffset: offset, as: UInt8.self)) }
        // 22 length 08 field 1A length, where lengths may have two bytes.
        guard byte(0) == 0x22, byte(1) >= 0x80, 1..<0x80 ~= byte(2), byte(3) == 0x08, 1..<0x80 ~= byte(4),
            byte(5) == 0x1A
        else { return nil }
        let end = 3 + (byte(1) & 0x7F | byte(2) << 7)
        guard end <= remaining else { return nil }
        var (count, valueAt) = (byte(6), 7)
        if count >= 0x80 {
            guard 1..<0x80 ~= byte(7) else { return nil }
            (count, valueAt) = (count & 0x7F | byte(7) << 7, 8)
        }
        var seen: SeenReference?
        switch end - valueAt - count {
        case 0: break
        case 9 where byte(end - 9) == 0x29:
            let time = start.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self)
            seen = SeenReference(timestamp: Timestamp(rawValue: UInt64(littleEndian: time)), replica: 0)
        default: return nil
        }
        position += end
        return ChangeView(
            field: UInt32(byte(4)), value: UnsafeRawBufferPointer(start: start + valueAt, count: count), seen: seen)
    }
}

extension EventView {
    /// Where the event's message lies in the payload that it was read from.
    package func range(in payload: UnsafeRawBufferPointer) -> Range<Int> { bytes.range(in: payload) }
}
