import Events
import Foundation
import TestSupport
import Testing
import Trips

@testable import TripStore

@Suite("The index of a planner")
struct EntityIndexTests {
    @Test("It finds every number that was given last, as it grows, and says what was written to")
    func numbers() {
        var index = EntityIndex()
        let entities = (0..<5_000).map { EntityReference(kind: EntityKind(rawValue: UInt16($0 % 3 + 1)), id: UUID()) }
        for (number, entity) in entities.enumerated() {
            let hash = index.hash(of: entity)
            #expect(index.slot(of: hash) == nil)
            index.set(hash, to: number)
            if number.isMultiple(of: 5) { index.touch(hash) }
        }
        for number in stride(from: 0, to: 5_000, by: 7) {
            index.set(index.hash(of: entities[number]), to: 9_000 + number)
        }
        #expect(index.count == 5_000 && index.touchedCount == 1_000)
        for (number, entity) in entities.enumerated() {
            index.prefetch(index.hash(of: entity))
            let slot = index.slot(of: index.hash(of: entity))
            #expect(slot?.number == (number.isMultiple(of: 7) ? 9_000 + number : number))
            #expect(slot?.isTouched == number.isMultiple(of: 5))
        }
    }

    @Test("The kind counts: of one id two entities have two hashes, and two indexes two hashes of one")
    func hashes() {
        let (index, other) = (EntityIndex(), EntityIndex())
        let id = UUID()
        let hashes = (UInt16(1)...5).map { index.hash(of: EntityReference(kind: EntityKind(rawValue: $0), id: id)) }
        #expect(Set(hashes).count == 5)
        #expect(
            other.hash(of: EntityReference(kind: .trip, id: id)) != index.hash(of: EntityReference(kind: .trip, id: id))
        )
    }
}
