import Events
import Foundation
import TripStore

/// Events that a peer may write and this version would not: malformed values, unknown fields, kinds and verbs, edits of
/// entities that were never created.
struct OddEvents {
    private var generator: SeededRandom

    init(seed: UInt64) { generator = SeededRandom(seed: seed ^ 0xABCD) }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func events(_ writer: RandomWriter) -> [Event] { (0..<number(1...3)).map { _ in event(writer) } }

    private mutating func event(_ writer: RandomWriter) -> Event {
        let known =
            writer.trips.map(\.reference) + writer.activities.map(\.reference) + writer.transportations.map(\.reference)
        let stranger = EntityReference(
            kind: EntityKind(rawValue: UInt16(number(1...8))),
            id: Trip.ID.new(at: Date(timeIntervalSince1970: 0), using: &generator).uuid)
        let own = OwnKindIDs.entity(UInt8(number(0...3)))
        let entity =
            number(0...4) == 0
            ? (number(0...1) == 0 ? own : stranger) : known.randomElement(using: &generator) ?? stranger
        let verb = Verb(rawValue: UInt32([1, 2, 2, 2, 2, 3, 4, 77][number(0...7)]))
        return Event(verb: verb, entity: entity, changes: (0..<number(0...4)).map { _ in change(writer) })
    }

    private mutating func change(_ writer: RandomWriter) -> Change {
        if number(0...5) == 0, let trip = writer.trips.randomElement(using: &generator)?.reference {
            // What an item belongs to; the same of an entity that belongs to nothing.
            let parent = number(0...3) == 0 ? OwnKindIDs.entity(UInt8(number(0...3))) : trip
            return Change(path: FieldPath(field: 2), value: parent.kind.rawValue.bigEndianBytes + parent.id.bytes)
        }
        let field = UInt64(number(0...3) == 0 ? number(4000...4002) : number(1...14))
        let key = number(0...5) == 0 ? bytes(8) : []
        return Change(path: FieldPath(field: field, key: key), value: number(0...5) == 0 ? nil : bytes(24))
    }

    private mutating func bytes(_ limit: Int) -> [UInt8] {
        (0..<number(0...limit)).map { _ in UInt8(number(0...255)) }
    }
}
