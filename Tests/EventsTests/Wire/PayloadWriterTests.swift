import Events
import Foundation
import TestSupport
import Testing

@Suite("Payloads written event by event")
struct PayloadWriterTests {
    private static func event(_ generator: inout SeededGenerator) -> Event {
        let verbs = [Verb.created, .edited, .deleted, Verb(rawValue: 4_000)]
        let times = [0, 1, 9, 20].map { number -> Seen? in
            // Some replicas: the first of a payload is the default.
            number == 0
                ? nil
                : Seen(
                    timestamp: Timestamp(rawValue: .max / UInt64(number)),
                    replica: Histories.stamp(1, replica: .random(in: 0..<UInt8(number), using: &generator)).replica)
        }
        let changes = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            Change(
                path: FieldPath(
                    field: .random(in: 1...300, using: &generator),
                    key: Bool.random(using: &generator) ? [] : generator.bytes(upTo: 300)),
                value: Bool.random(using: &generator) ? generator.bytes(upTo: 300) : nil,
                seen: times.randomElement(using: &generator) ?? nil)
        }
        return Event(
            verb: verbs.randomElement(using: &generator) ?? .edited,
            entity: EntityReference(
                kind: EntityKind(rawValue: .random(in: 1...(.max), using: &generator)), id: UUID()),
            changes: changes, seen: times.randomElement(using: &generator) ?? nil)
    }

    @Test("They have the bytes of the payload, in new memory and in that of another", arguments: Seeds.some(10))
    func bytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var used: [UInt8] = []
        for _ in 0..<20 {
            let held = (0..<Int.random(in: 0...3, using: &generator)).map { number in
                (
                    Histories.stamp(1, replica: UInt8(number)).replica,
                    Timestamp(rawValue: .random(in: 1...9, using: &generator))
                )
            }
            let payload = Payload(
                author: Bool.random(using: &generator) ? "ana" : "",
                causation: Bool.random(using: &generator) ? UUID() : nil,
                correlation: Bool.random(using: &generator) ? UUID() : nil,
                events: (0..<Int.random(in: 0...30, using: &generator)).map { _ in Self.event(&generator) },
                held: VersionVector(Dictionary(uniqueKeysWithValues: held)))
            let kept = used
            var writer = PayloadWriter(
                author: payload.author, causation: payload.causation, correlation: payload.correlation, over: used,
                reservingCapacity: Int.random(in: 0...200, using: &generator))
            for event in payload.events {
                var range = 0..<0
                // The values' memory stays in place as long as the event lives.
                withExtendedLifetime(event) {
                    // The list is ordered by first mention, the event itself first.
                    _ = writer.reference(to: event.seen)
                    let changes = event.changes.map { change in
                        PayloadWriter.Change(
                            field: change.path.field, key: change.path.key.withUnsafeBytes { $0 },
                            value: change.value?.withUnsafeBytes { $0 }, seen: writer.reference(to: change.seen))
                    }
                    range = writer.add(event.verb, event.entity, changes, seen: event.seen)
                }
                let replicas = writer.seenReplicas
                #expect(try writer.withBytes(range) { try EventView($0).copy(replicas) } == event)
            }
            let written = writer.finish(holding: payload.held)
            #expect(written == payload.encoded())
            #expect(try written.withUnsafeBytes { try PayloadView($0).copy() } == payload)
            // Memory that others still reference is not overwritten.
            #expect(kept == used)
            used = written
        }
    }
}
