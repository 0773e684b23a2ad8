import Events
import Foundation
import TestSupport
import Testing

@Suite("Events on the wire")
struct PayloadTests {
    @Test("A payload has these bytes, in this version and every later one")
    func golden() throws {
        #expect(Samples.payload.encoded().hexadecimal == Samples.payloadBytes.joined())
    }

    @Test("A payload comes back from its bytes")
    func roundTrip() throws {
        #expect(try copy(Samples.payload.encoded()) == Samples.payload)
    }

    @Test("Fields that a later version added to a payload, an event or a change are passed over")
    func laterFields() throws {
        let change = message {
            $0.varint(1, 7)
            $0.bytes(3, [1])
            $0.string(99, "later")
        }
        let event = message {
            $0.varint(1, 2)
            $0.varint(2, 1)
            $0.uuid(3, Samples.id)
            $0.bytes(4, change)
            $0.fixed64(99, 1)
        }
        let payload = message {
            $0.varint(99, 1)
            $0.bytes(15, event)
        }
        let read = try copy(payload)
        #expect(read.events.map(\.verb) == [.edited])
        #expect(read.events.flatMap(\.changes) == [Change(path: Path(field: 7), value: [1])])
    }

    @Test("Verbs and kinds that this version does not know are kept")
    func unknownVerbs() throws {
        var payload = Payload()
        payload.events = [
            Event(
                verb: Verb(rawValue: 77), entity: EntityReference(kind: EntityKind(rawValue: 65_535), id: Samples.id),
                changes: [Change(path: Path(field: 1 << 29), value: [])])
        ]
        #expect(try copy(payload.encoded()) == payload)
    }

    @Test("An empty value and a cleared one are two things")
    func emptyIsNotCleared() throws {
        var event = Event(verb: .edited, entity: EntityReference(kind: EntityKind(rawValue: 1), id: Samples.id))
        event.changes = [
            Change(path: Path(field: 1), value: []), Change(path: Path(field: 2), value: nil),
        ]
        let read = try copy(Payload(events: [event]).encoded())
        #expect(read.events.first?.changes.map(\.value) == [[], nil])
    }

    @Test(
        "An event that lacks a part is refused, and the error says which",
        arguments: [
            (0, 1, true, 1, "an event has no verb"), (2, 0, true, 1, "an event's kind is 0, not 1 to 65535"),
            (2, 65_536, true, 1, "an event's kind is 65536, not 1 to 65535"),
            (2, 1, false, 1, "an event names no entity"), (2, 1, true, 0, "a change names no field"),
        ])
    func incomplete(verb: UInt64, kind: UInt64, named: Bool, field: UInt64, message text: String) {
        let event = message {
            $0.varint(1, verb)
            $0.varint(2, kind)
            if named { $0.uuid(3, Samples.id) }
            $0.message(4) { $0.varint(1, field) }
        }
        let error = #expect(throws: WireError.self) { try copy(message { $0.bytes(15, event) }) }
        #expect(error?.description == text)
    }

    @Test("Damaged payloads are read or refused, never more", arguments: Seeds.some(20))
    func damage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = Samples.payload.encoded()
        var refused = 0
        for _ in 0..<1_000 where (try? copy(generator.damaged(bytes))) == nil { refused += 1 }
        #expect(refused > 0 && refused < 1_000, "no damage, or nothing but damage, was noticed")
    }

    @Test(
        "A payload is well-formed if every part of it can be read, and hands out the same events",
        arguments: Seeds.some(20))
    func wellFormed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<1_000 {
            let sample = (round.isMultiple(of: 2) ? Samples.payload : Samples.plainPayload).encoded()
            let bytes = round < 2 ? sample : generator.damaged(sample)
            bytes.withUnsafeBytes { raw in
                let payload = PayloadView(raw)
                let replicas = (try? payload.seenReplicas()) ?? SeenReplicas()
                var events: [Event] = []
                var isReadable = true
                do throws(WireError) {
                    try payload.forEachEvent { event, _ throws(WireError) in events.append(try event.copy(replicas)) }
                } catch { isReadable = false }
                let (isWellFormed, isPlain) = payload.form()
                #expect(isWellFormed == isReadable)
                if round < 2 { #expect(isPlain == (round == 1)) }
                guard isReadable else { return }
                for isPlain in [false, isPlain] {
                    var readable: [Event] = []
                    payload.forEachReadableEvent(isPlain: isPlain) { event, index in
                        #expect(index == readable.count)
                        if let event = try? event.copy(replicas) { readable.append(event) }
                    }
                    #expect(readable == events)
                }
            }
        }
    }

    @Test("Single events are found by an index, with the replicas that they name", arguments: [0, 1, 31, 32, 33, 500])
    func index(count: Int) throws {
        let events = (0..<count).map { number in
            let seen = Seen(
                timestamp: Timestamp(rawValue: UInt64(number + 1)),
                replica: Histories.stamp(1, replica: UInt8(number & 63)).replica)
            return Event(
                verb: .edited, entity: EntityReference(kind: EntityKind(rawValue: 1), id: UUID()),
                changes: [
                    Change(path: Path(field: 1), value: [7], seen: seen), Change(path: Path(field: 2), value: nil),
                ], seen: number % 2 == 0 ? seen : nil)
        }
        let held = VersionVector(count % 2 == 0 ? [:] : [Samples.replica: Timestamp(rawValue: 5)])
        let payload = Payload(author: "ana", causation: UUID(), correlation: UUID(), events: events, held: held)
        try payload.encoded().withUnsafeBytes { bytes in
            let view = PayloadView(bytes)
            let index = try PayloadIndex(view)
            #expect(index.author == payload.author && index.causation == payload.causation)
            #expect(index.correlation == payload.correlation && index.saysHeld == !held.isEmpty)
            #expect(index.cost <= count / 16 + 2)
            for number in 0..<count {
                let event = try index.event(at: number, of: view)
                #expect(event == events[number])
            }
            let beyond = try index.event(at: count, of: view)
            #expect(beyond == nil)
        }
    }

    @Test("Of more replicas than fit those are named that wrote last, and equal times go by replica")
    func latestOfMany() throws {
        let replicas = try (0..<1_100).map { number in
            try #require(ReplicaID([UInt8](repeating: 0, count: 14) + [UInt8(number >> 8), UInt8(number & 255)]))
        }
        let held = VersionVector(
            Dictionary(
                uniqueKeysWithValues: replicas.enumerated().map { ($1, Timestamp(rawValue: UInt64(1 + $0 / 100))) }))
        let latest = held.latest()
        // Ten hundreds that wrote last, and the first of the hundred before them.
        #expect(Set(latest.newest.keys) == Set(replicas[0..<24] + replicas[100...]))
        #expect(latest.newest.count == VersionVector.mostTimes)
        #expect(try copy(Payload(held: latest).encoded()).held == latest)
    }

    @Test("Of the times up to which others were held the first 1,024 count, of one replica the 65 latest")
    func heededTimes() throws {
        let replicas = try (0..<2_200).map { number in
            try #require(ReplicaID([UInt8](repeating: 0, count: 14) + [UInt8(number >> 8), UInt8(number & 255)]))
        }
        let many = try copy(
            message { writer in
                for replica in replicas { writer.bytes(6, replica.bytes) }
                // Of every other replica nothing is said.
                writer.bytes(12, (0..<1_100).flatMap { _ in [0, 9].flatMap(time) })
            }
        ).held
        #expect(many == VersionVector(times: (0..<1_024).map { (replicas[2 * $0 + 1], Timestamp(rawValue: 9)) }))

        let one = try copy(
            message { writer in
                for _ in 0..<67 { writer.bytes(6, replicas[0].bytes) }
                writer.bytes(12, ([3, 67, 1, 5, 2, 4] + Array(6...66)).flatMap(time))
            }
        ).held
        #expect(one.times(of: replicas[0]).map(\.rawValue) == (3...67).reversed())
        #expect(one.times(of: replicas[1]).isEmpty)
    }

    private func time(_ byte: UInt8) -> [UInt8] { [byte] + [UInt8](repeating: 0, count: 7) }

    @Test("Times up to which others were held are eight bytes each, and of as many replicas as are named or fewer")
    func malformedHeld() throws {
        let replica = [UInt8](repeating: 7, count: 16)
        func payload(_ times: [UInt8]) -> [UInt8] {
            message {
                $0.bytes(6, replica)
                $0.bytes(12, times)
            }
        }
        #expect(try copy(payload([1, 0, 0, 0, 0, 0, 0, 0])).held.newest.values.map(\.rawValue) == [1])
        for count in [1, 7, 9, 15] {
            #expect(throws: WireError.self) { try copy(payload([UInt8](repeating: 1, count: count))) }
        }
        // Of a replica that is named again another branch was held.
        let time = Timestamp(rawValue: 0x0101_0101_0101_0101)
        let name = try #require(ReplicaID(replica))
        let forked = VersionVector(times: [(name, time), (name, Timestamp(rawValue: 9)), (name, time)])
        #expect(forked.times.map(\.newest) == [time, Timestamp(rawValue: 9)])
        #expect(try copy(Payload(held: forked).encoded()).held == forked)
        #expect(forked.latest(1).times.map(\.newest) == [time])
        // Times of replicas that are not named say nothing.
        #expect(try copy(payload([UInt8](repeating: 1, count: 24))).held.newest.count == 1)
    }

    @Test("A change is read the same at once and part by part, whatever its size", arguments: [false, true])
    func changeSizes(isSeen: Bool) throws {
        for count in [0, 1, 2] + Array(105...135) + [255, 256, 300] + Array(16_360...16_390) {
            let change = Change(
                path: Path(field: 127), value: [UInt8](repeating: 66, count: count),
                seen: isSeen ? Seen(timestamp: Timestamp(rawValue: .max - 5), replica: Samples.replica) : nil)
            let event = Event(
                verb: .edited, entity: EntityReference(kind: EntityKind(rawValue: 1), id: Samples.id), changes: [change]
            )
            let bytes = Payload(events: [event]).encoded()
            #expect(try copy(bytes).events == [event])
            try bytes.withUnsafeBytes { bytes in
                let found = PayloadView(bytes).form()
                #expect(found.isWellFormed && found.isPlain)
                var read: [Event] = []
                try PayloadView(bytes).forEachReadableEvent(isPlain: true) { event, _ in
                    read.append(try event.copy(SeenReplicas([Samples.replica])))
                }
                #expect(read == [event])
            }
            // Cut short anywhere it is none.
            for cut in 1...min(20, bytes.count - 1) {
                bytes.dropLast(cut).withUnsafeBytes { #expect(!PayloadView($0).form().isWellFormed) }
                // So is a change that claims more than its event has.
                let whole = try bytes.withUnsafeBytes { bytes in
                    try PayloadView(bytes).outline().events.map {
                        Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)])
                    }
                }
                // Of which nothing is left but the front, it has none.
                guard whole.allSatisfy({ $0.count - cut != 22 }) else { continue }
                let short = message { writer in for event in whole { writer.bytes(15, event.dropLast(cut)) } }
                short.withUnsafeBytes { #expect(!PayloadView($0).form().isWellFormed) }
            }
        }
    }

    private func copy(_ bytes: [UInt8]) throws -> Payload {
        try bytes.withUnsafeBytes { bytes in try PayloadView(bytes).copy() }
    }

    private func message(_ body: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        body(&writer)
        return writer.bytes
    }
}

private enum Samples {
    static let replica = Histories.stamp(1, replica: 7).replica
    static let other = Histories.stamp(1, replica: 8).replica
    static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    static let payload = Payload(
        author: "ana", causation: id, correlation: id,
        events: [
            Event(
                verb: .created, entity: EntityReference(kind: EntityKind(rawValue: 1), id: id),
                changes: [
                    Change(path: Path(field: 1), value: Array("Porto".utf8)),
                    Change(
                        path: Path(field: 300, key: [0xAA]), value: nil,
                        seen: Seen(timestamp: Timestamp(milliseconds: 1, counter: 2), replica: replica)),
                ]),
            Event(
                verb: .deleted, entity: EntityReference(kind: EntityKind(rawValue: 2), id: id),
                seen: Seen(timestamp: Timestamp(rawValue: 3), replica: other),
                original: Timestamp(rawValue: 6)),
        ],
        introduction: Payload.Introduction(publicKey: [UInt8](repeating: 7, count: 32), name: "Phone"),
        held: VersionVector([replica: Timestamp(rawValue: 4), other: Timestamp(rawValue: 5)]))

    /// Events as most are.
    static let plainPayload = Payload(
        author: "ana",
        events: (1...4).map { number in
            Event(
                verb: .edited, entity: EntityReference(kind: EntityKind(rawValue: 3), id: id),
                changes: [
                    Change(path: Path(field: 1), value: [UInt8](repeating: 65, count: number * 60)),
                    Change(
                        path: Path(field: 2), value: [1],
                        seen: Seen(timestamp: Timestamp(rawValue: 5), replica: replica)),
                    Change(path: Path(field: 9), value: []), Change(path: Path(field: 4), value: nil),
                ])
        })

    private static let uuid = "0102030405060708090a0b0c0d0e0f10"

    static let payloadBytes = [
        "0a03616e61",  // author
        "1210", uuid, "1a10", uuid,  // causation, correlation
        "2a29" + "0a20", String(repeating: "07", count: 32), "120550686f6e65",  // key and device
        "3210" + String(repeating: "07", count: 16),  // whose writes were seen: the first, which goes without saying
        "3210" + String(repeating: "08", count: 16),  // and the second
        "6210" + "0400000000000000" + "0500000000000000",  // up to when their commits were held
        "7a32",  // an event of 50 bytes
        "08011001" + "1a10", uuid,  // created, of kind 1
        "22090801" + "1a05506f72746f",  // field 1: Porto
        "220f08ac02" + "1201aa" + "290200010000000000",  // field 300, element aa: cleared, seen at 1 ms, 2
        "7a2a",  // an event of 42 bytes
        "08031002" + "1a10", uuid,  // deleted, of kind 2
        "290300000000000000" + "3001",  // the deletion that it saw, of the second replica
        "390600000000000000",  // which happened earlier
    ]
}
