public import Foundation

extension PayloadView {
    /// Reads the author, the causation and the correlation of the payload, without the events.
    ///
    /// Throws `WireError` if these cannot be read.
    public func authorship() throws(WireError) -> (author: String, causation: UUID?, correlation: UUID?) {
        var found: (author: String, causation: UUID?, correlation: UUID?) = ("", nil, nil)
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: found.author = try reader.string(field)
            case 2: found.causation = try reader.uuid(field)
            case 3: found.correlation = try reader.uuid(field)
            default: try reader.skip(field)
            }
        }
        return found
    }

    /// The caller's id of the append; nil if it had none. O(fields of the payload).
    package func appendID() throws(WireError) -> AppendID? {
        var found: AppendID?
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            if field.number == 4 { found = AppendID(try reader.uuid(field)) } else { try reader.skip(field) }
        }
        return found
    }

    /// Reads the author, the causation, the correlation and the seen replicas of the payload, and the byte ranges of
    /// its events by index: for reading single events with `event(in:)`. O(events); does not validate the events'
    /// content.
    ///
    /// Throws `WireError` if the payload cannot be read.
    public func outline() throws(WireError) -> (
        author: String, causation: UUID?, correlation: UUID?, seen: SeenReplicas, events: [Range<UInt32>]
    ) {
        var found: (author: String, causation: UUID?, correlation: UUID?, seen: SeenReplicas, events: [Range<UInt32>])
        found = ("", nil, nil, SeenReplicas(), [])
        var replicas: [ReplicaID] = []
        var newestHeld: [Timestamp] = []
        var indexes = EventIndexes(without: erased)
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: found.author = try reader.string(field)
            case 2: found.causation = try reader.uuid(field)
            case 3: found.correlation = try reader.uuid(field)
            case 6 where found.events.isEmpty:
                if let replica = ReplicaID(try reader.bytes(field, count: 16)) { replicas.append(replica) }
            case 12 where found.events.isEmpty: newestHeld = try Self.times(try reader.bytes(field))
            case Payload.eventField:
                let count = UInt32(try reader.bytes(field).count)
                let end = UInt32(reader.offset)
                let index = indexes.next()
                // An erased event has no bytes.
                while found.events.count < index { found.events.append(0..<0) }
                found.events.append(end - count..<end)
            default: try reader.skip(field)
            }
        }
        found.seen = SeenReplicas(replicas, newestHeld: newestHeld)
        return found
    }

    /// Reads everything, copied. Throws `WireError` if any part of it cannot be read.
    public func copy() throws(WireError) -> Payload {
        var payload = Payload()
        let replicas = try self.seenReplicas()
        payload.held = replicas.held
        var seenReplicas = 0
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: payload.author = try reader.string(field)
            case 2: payload.causation = try reader.uuid(field)
            case 3: payload.correlation = try reader.uuid(field)
            case Payload.eventField: payload.events.append(try EventView(try reader.bytes(field)).copy(replicas))
            case 5:
                payload.introduction = try Self.introduction(try reader.bytes(field), after: payload.introduction)
            case 4: payload.appendID = AppendID(try reader.uuid(field))
            case 6:
                _ = try reader.bytes(field, count: 16)
                seenReplicas += 1
            case 8: payload.membership.append([UInt8](try reader.bytes(field)))
            case 12: _ = try Self.times(try reader.bytes(field))
            // Earlier versions skip the field, so nothing in it may make a payload malformed.
            case 13 where field.type == .delimited: payload.erasing.append([UInt8](try reader.bytes(field)))
            default: try reader.skip(field)
            }
        }
        let changes = payload.events.reduce(0) { $0 + $1.changes.count }
        guard payload.events.count <= Payload.mostEvents, changes <= Payload.mostChanges,
            seenReplicas <= Payload.mostSeenReplicas
        else {
            throw WireError(
                "a payload has \(payload.events.count) events with \(changes) changes, and names \(seenReplicas) replicas"
            )
        }
        return payload
    }

    /// A message that occurs twice is merged, as everywhere in protobuf.
    static func introduction(
        _ bytes: UnsafeRawBufferPointer, after first: Payload.Introduction?
    ) throws(WireError) -> Payload.Introduction {
        var introduction = first ?? Payload.Introduction(publicKey: [], name: "")
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: introduction.publicKey = [UInt8](try reader.bytes(field, count: 32))
            case 2: introduction.name = try reader.string(field)
            case 3: introduction.previous = ReplicaID(try reader.bytes(field, count: 16))
            case 4: introduction.reason = try reader.string(field)
            case 5: introduction.nonce = [UInt8](try reader.bytes(field, count: 16))
            case 6: introduction.handover = [UInt8](try reader.bytes(field, count: 64))
            case 7: introduction.formerKeys = [UInt8](try reader.bytes(field))
            case 8: introduction.isGranted = try reader.varint(field) != 0
            default: try reader.skip(field)
            }
        }
        return introduction
    }
}
