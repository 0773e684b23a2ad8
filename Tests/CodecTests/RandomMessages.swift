import Events
import Foundation
import TestSupport

@testable import EventLog

extension SeededGenerator {
    mutating func number(_ range: ClosedRange<UInt64>) -> UInt64 { .random(in: range, using: &self) }

    /// A number of any magnitude: as many are short as are long.
    mutating func magnitude() -> UInt64 { number(0 ... .max) >> number(0...63) }

    mutating func optional<T>(_ value: (inout SeededGenerator) -> T) -> T? {
        number(0...2) == 0 ? nil : value(&self)
    }

    mutating func uuid() -> UUID {
        let (high, low) = (next().bigEndianBytes, next().bigEndianBytes)
        var bytes = high + low
        // Version 4, RFC 9562: never that of a founded journal.
        bytes[6] = bytes[6] & 0x0F | 0x40
        return bytes.withUnsafeBytes { $0.uuid() }
    }

    mutating func text(_ longest: UInt64 = 12) -> String {
        let scalars: [Character] = ["a", "Z", "0", " ", "é", "東", "🧳", "\"", "\\", "\n", "\u{0}", "\u{7f}"]
        return String((0..<number(0...longest)).map { _ in scalars[Int(number(0...UInt64(scalars.count - 1)))] })
    }

    mutating func seen() -> Seen {
        Seen(timestamp: timestamp(), replica: ReplicaID(publicKey: [UInt8(number(0...20))]))
    }

    mutating func timestamp() -> Timestamp { Timestamp(rawValue: next()) }

    mutating func digest() -> Digest {
        var builder = DigestBuilder()
        builder.add(next().bigEndianBytes)
        return builder.finish()
    }
}

extension Change {
    static func random(_ generator: inout SeededGenerator, largestValue: Int = 40) -> Change {
        Change(
            path: FieldPath(field: max(1, generator.magnitude() >> 8), key: generator.bytes(upTo: 3)),
            value: generator.optional { $0.bytes(upTo: $0.number(0...9) == 0 ? largestValue : 40) },
            seen: generator.optional { $0.seen() })
    }

    /// One whose path others write too.
    static func contested(_ generator: inout SeededGenerator, largestValue: Int) -> Change {
        var change = random(&generator, largestValue: largestValue)
        change.path = FieldPath(field: UInt64(generator.number(1...4)), key: generator.number(0...3) == 0 ? [1] : [])
        return change
    }
}

extension Event {
    static func random(_ generator: inout SeededGenerator) -> Event {
        Event(
            verb: Verb(rawValue: UInt32(max(1, generator.magnitude() >> 32))),
            entity: EntityReference(
                kind: EntityKind(rawValue: UInt16(generator.number(1...65535))), id: generator.uuid()),
            changes: (0..<generator.number(0...4)).map { _ in .random(&generator) },
            seen: generator.optional { $0.seen() },
            original: generator.optional { $0.timestamp() })
    }
}

extension VersionVector {
    static func random(_ generator: inout SeededGenerator) -> VersionVector {
        let seen = (0..<generator.number(0...3)).map { _ in generator.seen() }
        return VersionVector(Dictionary(seen.map { ($0.replica, $0.timestamp) }) { max($0, $1) })
    }
}

extension Payload {
    /// Events of every shape.
    static func any(_ generator: inout SeededGenerator) -> Payload {
        Payload(
            author: generator.text(), causation: generator.optional { $0.uuid() },
            correlation: generator.optional { $0.uuid() },
            events: (0..<generator.number(0...5)).map { _ in .random(&generator) },
            introduction: generator.number(0...3) == 0
                ? Introduction(
                    publicKey: generator.digest().bytes, name: generator.text(),
                    previous: generator.optional { ReplicaID(publicKey: $0.digest().bytes) }, reason: generator.text())
                : nil,
            appendID: generator.optional { AppendID($0.uuid()) }, held: .random(&generator))
    }

    /// Events of few entities and paths, so that they conflict in the merge.
    static func random(_ generator: inout SeededGenerator, largestValue: Int = 40) -> Payload {
        let events = (0..<generator.number(1...3)).map { _ in
            var id = [UInt8](repeating: 0, count: 16)
            id[15] = UInt8(generator.number(0...20))
            return Event(
                verb: Verb(rawValue: UInt32(generator.number(1...5))),
                entity: EntityReference(
                    kind: EntityKind(rawValue: UInt16(generator.number(1...2))), id: id.withUnsafeBytes { $0.uuid() }),
                changes: (0..<generator.number(0...3)).map { _ in
                    .contested(&generator, largestValue: largestValue)
                })
        }
        return Payload(author: generator.text(), events: events)
    }
}

extension CommitHeader {
    static func random(_ generator: inout SeededGenerator, payloadHash: Digest) -> CommitHeader {
        CommitHeader(
            format: UInt32(max(1, generator.magnitude() >> 32)), journal: JournalID(generator.uuid()),
            replica: ReplicaID(publicKey: generator.digest().bytes),
            sequence: SequenceNumber(max(1, generator.magnitude() >> 1)),
            timestamp: Timestamp(rawValue: max(1, generator.magnitude() >> 1)),
            wallClock: generator.optional { Int64(bitPattern: $0.magnitude()) },
            schema: UInt32(generator.magnitude() >> 32), payloadHash: payloadHash,
            needs: NeededVersion(rawValue: generator.magnitude()))
    }
}
