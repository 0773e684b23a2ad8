import Foundation

@testable import Events
@testable import TripStore
@testable import TripStoreTestSupport

/// Draws events that are well-formed and that no honest replica would write.
struct HostileEvents {
    /// Entities of honest replicas.
    let known: [EntityReference]
    var random: SeededRandom

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func events() -> [Event] { (0..<number(0...3)).map { _ in event() } }

    /// Claims anything of what was held.
    mutating func held() -> VersionVector {
        let seen = (0..<number(0...3)).map { _ in self.seen() }
        return VersionVector(Dictionary(seen.map { ($0.replica, $0.timestamp) }) { max($0, $1) })
    }

    private mutating func event() -> Event {
        let stranger = EntityReference(kind: EntityKind(rawValue: UInt16(number(1...600))), id: UUID(random: &random))
        let own = OwnKindIDs.entity(UInt8(number(0...3)))
        let entity =
            number(0...5) == 0 ? (number(0...1) == 0 ? own : stranger) : known.randomElement(using: &random) ?? stranger
        let verb = Verb(rawValue: UInt32([1, 2, 2, 2, 2, 3, 4, 4_000_000_000][number(0...7)]))
        var event = Event(verb: verb, entity: entity, changes: (0..<number(0...3)).map { _ in change() })
        if number(0...3) == 0 { event.seen = seen() }
        if number(0...3) == 0 { event.original = time() }
        return event
    }

    private mutating func change() -> Change {
        let path: FieldPath
        switch number(0...7) {
        case 0: path = FieldPath(field: UInt64(number(1...14)), key: random.bytes(number(0...40)))
        // An app's own fields, and some that no replica here knows.
        case 1 where number(0...1) == 0: path = SimulatedFields.anyPath(&random)
        case 1: path = FieldPath(field: [FieldPath.highestField, 1 << 16 | UInt64(number(1...3))][number(0...1)])
        // What an item belongs to.
        case 2: path = FieldPath(field: 2)
        default: path = FieldPath(field: UInt64(number(1...14)))
        }
        return Change(path: path, value: value(), seen: number(0...2) == 0 ? seen() : nil)
    }

    private mutating func value() -> [UInt8]? {
        switch number(0...6) {
        case 0: return nil
        case 1: return []
        case 2: return Array("eve \(number(0...9))".utf8)
        case 3: return [0xFF, 0xFE, 0x00]
        // A reference to something that an item may belong to.
        case 4:
            let own = OwnKindIDs.entity(UInt8(number(0...3)))
            guard let entity = number(0...3) == 0 ? own : known.randomElement(using: &random) else { return nil }
            return entity.kind.rawValue.bigEndianBytes + entity.id.bytes
        default: return random.bytes(number(1...24))
        }
    }

    /// The write of an unknown replica.
    private mutating func seen() -> Seen {
        Seen(timestamp: time(), replica: ReplicaID(publicKey: random.bytes(2)))
    }

    private mutating func time() -> Timestamp {
        switch number(0...4) {
        case 0: Timestamp(rawValue: 1)
        case 1: Timestamp(rawValue: .max)
        case 2: Timestamp(milliseconds: Timestamp.limit - 1)
        default: Timestamp(milliseconds: UInt64(1_798_761_600_000 + number(-100_000_000...100_000_000)))
        }
    }
}
