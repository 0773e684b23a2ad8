import Events
import Foundation
import TestSupport
import Testing

@Suite("Events on the wire")
struct PayloadTests {
    @Test("A payload has these bytes, in this version and every later one")
    func golden() throws {
        #expect(PayloadSamples.payload.encoded().hexadecimal == PayloadSamples.payloadBytes.joined())
    }

    @Test("A payload comes back from its bytes")
    func roundTrip() throws {
        #expect(try Payload.reading(PayloadSamples.payload.encoded()) == PayloadSamples.payload)
    }

    @Test("Fields that a later version added to a payload, an event or a change are passed over")
    func laterFields() throws {
        let change = WireWriter.message {
            $0.varint(1, 7)
            $0.bytes(3, [1])
            $0.string(99, "later")
        }
        let event = WireWriter.message {
            $0.varint(1, 2)
            $0.varint(2, 1)
            $0.uuid(3, PayloadSamples.id)
            $0.bytes(4, change)
            $0.fixed64(99, 1)
        }
        let payload = WireWriter.message {
            $0.varint(99, 1)
            $0.bytes(15, event)
        }
        let read = try Payload.reading(payload)
        #expect(read.events.map(\.verb) == [.edited])
        #expect(read.events.flatMap(\.changes) == [Change(path: FieldPath(field: 7), value: [1])])
    }

    @Test("Verbs and kinds that this version does not know are kept")
    func unknownVerbs() throws {
        var payload = Payload()
        payload.events = [
            Event(
                verb: Verb(rawValue: 77),
                entity: EntityReference(kind: EntityKind(rawValue: 65_535), id: PayloadSamples.id),
                changes: [Change(path: FieldPath(field: 1 << 29), value: [])])
        ]
        #expect(try Payload.reading(payload.encoded()) == payload)
    }

    @Test("An empty value and a cleared one are two things")
    func emptyIsNotCleared() throws {
        var event = Event(verb: .edited, entity: EntityReference(kind: EntityKind(rawValue: 1), id: PayloadSamples.id))
        event.changes = [
            Change(path: FieldPath(field: 1), value: []), Change(path: FieldPath(field: 2), value: nil),
        ]
        let read = try Payload.reading(Payload(events: [event]).encoded())
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
        let event = WireWriter.message {
            $0.varint(1, verb)
            $0.varint(2, kind)
            if named { $0.uuid(3, PayloadSamples.id) }
            $0.message(4) { $0.varint(1, field) }
        }
        let error = #expect(throws: WireError.self) { try Payload.reading(WireWriter.message { $0.bytes(15, event) }) }
        #expect(error?.description == text)
    }

    @Test("Damaged payloads are read or refused, never more", arguments: Seeds.some(20))
    func damage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = PayloadSamples.payload.encoded()
        var refused = 0
        for _ in 0..<1_000 where (try? Payload.reading(generator.damaged(bytes))) == nil { refused += 1 }
        #expect(refused > 0 && refused < 1_000, "no damage, or nothing but damage, was noticed")
    }

    @Test(
        "A payload is well-formed if every part of it can be read, and hands out the same events",
        arguments: Seeds.some(20))
    func wellFormed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<1_000 {
            let sample = (round.isMultiple(of: 2) ? PayloadSamples.payload : PayloadSamples.plainPayload).encoded()
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
                    Change(path: FieldPath(field: 1), value: [7], seen: seen),
                    Change(path: FieldPath(field: 2), value: nil),
                ], seen: number % 2 == 0 ? seen : nil)
        }
        let held = VersionVector(count % 2 == 0 ? [:] : [PayloadSamples.replica: Timestamp(rawValue: 5)])
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

    @Test("A change is read the same at once and part by part, whatever its size", arguments: [false, true])
    func changeSizes(isSeen: Bool) throws {
        for count in [0, 1, 2] + Array(105...135) + [255, 256, 300] + Array(16_360...16_390) {
            let change = Change(
                path: FieldPath(field: 127), value: [UInt8](repeating: 66, count: count),
                seen: isSeen ? Seen(timestamp: Timestamp(rawValue: .max - 5), replica: PayloadSamples.replica) : nil)
            let event = Event(
                verb: .edited, entity: EntityReference(kind: EntityKind(rawValue: 1), id: PayloadSamples.id),
                changes: [change]
            )
            let bytes = Payload(events: [event]).encoded()
            #expect(try Payload.reading(bytes).events == [event])
            try bytes.withUnsafeBytes { bytes in
                let found = PayloadView(bytes).form()
                #expect(found.isWellFormed && found.isPlain)
                var read: [Event] = []
                try PayloadView(bytes).forEachReadableEvent(isPlain: true) { event, _ in
                    read.append(try event.copy(SeenReplicas([PayloadSamples.replica])))
                }
                #expect(read == [event])
            }
            // Cut short anywhere it is invalid.
            for cut in 1...min(20, bytes.count - 1) {
                bytes.dropLast(cut).withUnsafeBytes { #expect(!PayloadView($0).form().isWellFormed) }
                // So is a change that claims more than its event has.
                let whole = try bytes.withUnsafeBytes { bytes in
                    try PayloadView(bytes).outline().events.map {
                        Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)])
                    }
                }
                // If only the front is left, there is none.
                guard whole.allSatisfy({ $0.count - cut != 22 }) else { continue }
                let short = WireWriter.message { writer in for event in whole { writer.bytes(15, event.dropLast(cut)) }
                }
                short.withUnsafeBytes { #expect(!PayloadView($0).form().isWellFormed) }
            }
        }
    }
}
