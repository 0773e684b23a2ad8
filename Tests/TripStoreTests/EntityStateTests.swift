import Events
import Foundation
import TestSupport
import Testing

@testable import TripStore

/// What is looked up unmerged is what merging would have said.
@Suite("States of entities in a commit")
struct EntityStateTests {
    private static let entity = EntityReference(kind: .trip, id: UUID())
    private static let pending = Stamp(
        timestamp: Timestamp(rawValue: .max), replica: ReplicaID(publicKey: []), hash: .zero)

    private static func stamp(_ number: Int) -> Stamp {
        Stamp(
            timestamp: Timestamp(milliseconds: UInt64(number)), replica: ReplicaID(publicKey: [1]),
            hash: Digest(words: (UInt64(number), 0, 0, 0)))
    }

    private static func event(_ numbers: inout SeededGenerator) -> Event {
        let verb = [Verb.edited, .edited, .edited, .created, .deleted, .restored].randomElement(using: &numbers)
        let changes = (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
            Change(
                path: Path(
                    field: .random(in: 1...4, using: &numbers), key: Bool.random(using: &numbers) ? [] : [7]),
                value: Bool.random(using: &numbers) ? numbers.bytes(upTo: 3) : nil)
        }
        return Event(verb: verb ?? .edited, entity: entity, changes: changes)
    }

    private func expectSame(_ state: EntityState, _ record: EntityRecord?) {
        #expect(state.record == record)
        #expect(state.isHeld == (record != nil))
        #expect(state.isCreated == (record?.creation != nil))
        #expect(state.isDeleted == (record?.isDeleted ?? false))
        #expect(state.presence.isPresent == (record?.isPresent ?? false))
        for field in UInt32(1)...4 {
            let register = record?.register(at: Path(field: field))
            let held = state.held(at: field)
            #expect(held?.stamp == register?.stamp)
            #expect(held?.value == register?.value)
        }
    }

    @Test("They say what the merged record says, in the midst of a commit", arguments: Seeds.some(20))
    func merged(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        var record: EntityRecord?
        if Bool.random(using: &numbers) {
            var found = EntityRecord()
            for index in 0..<3 { found.apply(Self.event(&numbers), index: index, stamp: Self.stamp(1)) }
            record = found
        }
        var state = EntityState(record)
        expectSame(state, record)
        // More events than are kept unmerged.
        for index in 0..<Int.random(in: 0...40, using: &numbers) {
            let event = Self.event(&numbers)
            state.add(event, index: index, stamp: Self.pending)
            var merged = record ?? EntityRecord()
            merged.apply(event, index: index, stamp: Self.pending)
            record = merged
            expectSame(state, record)
        }
    }
}
