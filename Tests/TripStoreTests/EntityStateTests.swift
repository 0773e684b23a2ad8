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
        timestamp: Timestamp(rawValue: .max), replica: ReplicaID(publicKey: []), hashPrefix: .max)

    private static func stamp(_ number: Int) -> Stamp {
        Stamp(
            timestamp: Timestamp(milliseconds: UInt64(number)), replica: ReplicaID(publicKey: [1]),
            hashPrefix: UInt64(number))
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
        #expect(state.isPresent == (record?.isPresent ?? false))
        for field in UInt32(1)...4 {
            let register = record?.register(at: Path(field: field))
            let held = state.held(at: field)
            #expect(held?.stamp == register?.stamp)
            #expect(held?.value == register?.value)
        }
    }

    @Test("They say what the merged record says, in the midst of a commit and after it", arguments: Seeds.some(20))
    func merged(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        var found: EntityRecord?
        if Bool.random(using: &numbers) {
            var record = EntityRecord()
            for index in 0..<3 { record.apply(Self.event(&numbers), index: index, stamp: Self.stamp(1)) }
            found = record
        }
        var state = EntityState(found)
        expectSame(state, found)
        #expect(state.version == found?.version ?? .none)
        for commit in 2..<12 {
            var record = found
            // Some commits have more events of the entity than are kept unmerged.
            let events = (0..<Int.random(in: 0...(commit.isMultiple(of: 4) ? 40 : 3), using: &numbers)).map { _ in
                Self.event(&numbers)
            }
            for (index, event) in events.enumerated() {
                state.add(event, index: index, stamp: Self.pending)
                var merged = record ?? EntityRecord()
                merged.apply(event, index: index, stamp: Self.pending)
                record = merged
                expectSame(state, record)
            }
            state.settle(Self.pending, as: Self.stamp(commit))
            for (index, event) in events.enumerated() {
                var merged = found ?? EntityRecord()
                merged.apply(event, index: index, stamp: Self.stamp(commit))
                found = merged
            }
            expectSame(state, found)
            #expect(state.version == found?.version ?? .none)
        }
    }
}
