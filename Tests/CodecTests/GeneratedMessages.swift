import Events
import Foundation
import SwiftProtobuf
import TestSupport

@testable import EventLog
@testable import Trips

extension Message {
    /// Some fields with numbers from 1,000 on, of every wire type.
    mutating func addUnknownFields(_ generator: inout SeededGenerator) {
        var writer = WireWriter()
        writer.varint(UInt32(generator.number(1000...2000)), generator.magnitude())
        writer.fixed64(3000, generator.next())
        writer.bytes(536_870_911, generator.bytes(upTo: 20))
        // Field 4000 with wire type 5, four bytes.
        writer.rawVarint(4000 << 3 | 5)
        writer.raw(generator.next().bigEndianBytes.prefix(4))
        // Bytes that follow a message's known fields are its unknown fields.
        guard let bytes: [UInt8] = try? serializedBytes() else { return }
        if let message = try? Self(serializedBytes: bytes + writer.bytes) { self = message }
    }
}

extension UUID {
    init(_ data: Data) { self = [UInt8](data).withUnsafeBytes { $0.uuid() } }
}

extension Tripstore_Header {
    init(_ header: CommitHeader) {
        self.init()
        format = header.format
        journal = Data(header.journal.bytes)
        replica = Data(header.replica.bytes)
        sequence = header.sequence.rawValue
        timestamp = header.timestamp.rawValue
        if let wallClock = header.wallClock { self.wallClock = wallClock }
        schema = header.schema
        payloadHash = Data(header.payloadHash.bytes)
        features = header.features
        needs = header.needs?.rawValue ?? 0
    }
}

extension Tripstore_Payload {
    init(_ payload: Payload) {
        self.init()
        author = payload.author
        if let causation = payload.causation { self.causation = Data(causation.bytes) }
        if let correlation = payload.correlation { self.correlation = Data(correlation.bytes) }
        // Each replica once, in the order in which the events name them: an event's own before those of its changes.
        var replicas: [ReplicaID] = []
        for event in payload.events {
            for seen in [event.seen] + event.changes.map(\.seen) {
                if let seen, !replicas.contains(seen.replica) { replicas.append(seen.replica) }
            }
        }
        let held = payload.held.newest.sorted { $0.key < $1.key }
        replicas += held.map(\.key).filter { !replicas.contains($0) }
        var times = replicas.map { payload.held[$0]?.rawValue ?? 0 }
        while times.last == 0 { times.removeLast() }
        newestHeld = Data(times.flatMap { withUnsafeBytes(of: $0.littleEndian, [UInt8].init) })
        seenReplicas = replicas.map { Data($0.bytes) }
        events = payload.events.map { Tripstore_Event($0, replicas) }
        if let introduction = payload.introduction {
            self.introduction.publicKey = Data(introduction.publicKey)
            self.introduction.name = introduction.name
            if let previous = introduction.previous { self.introduction.previous = Data(previous.bytes) }
            self.introduction.reason = introduction.reason
        }
        if let appendID = payload.appendID { self.appendID = Data(appendID.bytes) }
    }
}

extension Tripstore_Payload {
    fileprivate var times: [Timestamp] {
        stride(from: 0, to: newestHeld.count, by: 8).map { start in
            Timestamp(rawValue: newestHeld.dropFirst(start).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
    }
}

extension Tripstore_Event {
    init(_ event: Event, _ replicas: [ReplicaID]) {
        self.init()
        let place = { (seen: Seen) in UInt32(replicas.firstIndex(of: seen.replica) ?? 0) }
        verb = event.verb.rawValue
        kind = UInt32(event.entity.kind.rawValue)
        id = Data(event.entity.id.bytes)
        changes = event.changes.map { change in
            .with {
                $0.field = change.path.field
                $0.key = Data(change.path.key)
                if let value = change.value { $0.value = Data(value) }
                guard let seen = change.seen else { return }
                $0.seen = seen.timestamp.rawValue
                $0.seenReplica = place(seen)
            }
        }
        if let seen = event.seen {
            self.seen = seen.timestamp.rawValue
            seenReplica = place(seen)
        }
        if let original = event.original { self.original = original.rawValue }
    }
}

extension Payload {
    init(_ message: Tripstore_Payload) {
        self.init(
            author: message.author, causation: message.hasCausation ? UUID(message.causation) : nil,
            correlation: message.hasCorrelation ? UUID(message.correlation) : nil,
            events: message.events.map { Event($0, message.seenReplicas.compactMap { ReplicaID($0) }) },
            introduction: message.hasIntroduction
                ? Introduction(
                    publicKey: [UInt8](message.introduction.publicKey), name: message.introduction.name,
                    previous: message.introduction.hasPrevious ? ReplicaID(message.introduction.previous) : nil,
                    reason: message.introduction.reason) : nil,
            appendID: message.hasAppendID ? AppendID(UUID(message.appendID)) : nil,
            held: VersionVector(
                Dictionary(uniqueKeysWithValues: zip(message.seenReplicas.compactMap { ReplicaID($0) }, message.times)))
        )
    }
}

extension Event {
    init(_ message: Tripstore_Event, _ replicas: [ReplicaID]) {
        func seen(_ isThere: Bool, _ time: UInt64, _ place: UInt32) -> Seen? {
            guard isThere, replicas.indices.contains(Int(place)) else { return nil }
            return Seen(timestamp: Timestamp(rawValue: time), replica: replicas[Int(place)])
        }
        self.init(
            verb: Verb(rawValue: message.verb),
            entity: EntityReference(
                kind: EntityKind(rawValue: UInt16(clamping: message.kind)), id: UUID(message.id)),
            changes: message.changes.map { change in
                Change(
                    path: FieldPath(field: change.field, key: [UInt8](change.key)),
                    value: change.hasValue ? [UInt8](change.value) : nil,
                    seen: seen(change.hasSeen, change.seen, change.seenReplica))
            }, seen: seen(message.hasSeen, message.seen, message.seenReplica),
            original: message.hasOriginal ? Timestamp(rawValue: message.original) : nil)
    }
}

extension Trips_Money {
    init(_ money: Money) {
        self.init()
        minor = money.minorUnits
        currency = money.currency.code
    }
}

extension Trips_Moment {
    init(_ moment: Moment) {
        self.init()
        milliseconds = moment.milliseconds
        zone = moment.zone
    }
}

extension Trips_Address {
    init(_ address: Address) {
        self.init()
        street = address.street
        city = address.city
        state = address.state
        country = address.country
        postalCode = address.postalCode
        formatted = address.formatted
        if let coordinates = address.coordinates {
            self.coordinates.latitude = coordinates.latitude
            self.coordinates.longitude = coordinates.longitude
            // Present even if both are zero.
            self.coordinates = self.coordinates
        }
    }
}
