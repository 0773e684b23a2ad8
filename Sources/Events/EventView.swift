import Foundation

/// An event read in place, from the bytes of a commit; valid as long as they are.
public struct EventView {
    public let verb: Verb
    public let entity: EntityReference
    public let seen: Timestamp?
    public let seenNewest: Timestamp?
    /// The event's message, its changes among it.
    private let bytes: UnsafeRawBufferPointer

    /// Reads everything but the changes, and passes over them.
    ///
    /// Throws `WireError` if the bytes are no event: an id, a verb and a kind of 1 to 65,535 must be there.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var verb: UInt32 = 0
        var kind: UInt32 = 0
        var id: UUID?
        var seen: Timestamp?
        var seenNewest: Timestamp?
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: verb = try reader.uint32(field)
            case 2: kind = try reader.uint32(field)
            case 3: id = try reader.uuid(field)
            case 5: seen = Timestamp(rawValue: try reader.fixed64(field))
            case 6: seenNewest = Timestamp(rawValue: try reader.fixed64(field))
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
        self.seen = seen
        self.seenNewest = seenNewest
        self.bytes = bytes
    }

    /// Calls `body` with every change in order.
    public func forEachChange(_ body: (ChangeView) throws(WireError) -> Void) throws(WireError) {
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            guard field.number == 4 else {
                try reader.skip(field)
                continue
            }
            try body(try ChangeView(try reader.bytes(field)))
        }
    }

    /// A copy that outlives the bytes.
    public func copy() throws(WireError) -> Event {
        var changes: [Change] = []
        try forEachChange { change in
            changes.append(
                Change(
                    path: Path(field: change.field, key: [UInt8](change.key)), value: change.value.map { [UInt8]($0) },
                    seen: change.seen))
        }
        return Event(verb: verb, entity: entity, changes: changes, seen: seen, seenNewest: seenNewest)
    }
}

/// A change read in place.
public struct ChangeView {
    public let field: UInt32
    public let key: UnsafeRawBufferPointer
    /// Nil if the change clears.
    public let value: UnsafeRawBufferPointer?
    public let seen: Timestamp?

    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var number: UInt32 = 0
        var key = UnsafeRawBufferPointer(start: nil, count: 0)
        var value: UnsafeRawBufferPointer?
        var seen: Timestamp?
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: number = try reader.uint32(field)
            case 2: key = try reader.bytes(field)
            case 3: value = try reader.bytes(field)
            case 5: seen = Timestamp(rawValue: try reader.fixed64(field))
            default: try reader.skip(field)
            }
        }
        guard number != 0 else { throw WireError("a change names no field") }
        self.field = number
        self.key = key
        self.value = value
        self.seen = seen
    }
}

extension EventView {
    /// Where the event's message lies in the payload that it was read from.
    public func range(in payload: UnsafeRawBufferPointer) -> Range<Int> {
        guard let start = bytes.baseAddress, let base = payload.baseAddress else { return 0..<0 }
        let offset = start - base
        return offset..<offset + bytes.count
    }
}
