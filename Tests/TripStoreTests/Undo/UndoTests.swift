import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Undo and redo")
struct UndoTests {
    /// The visible fields of every trip and item, without the time of the last change.
    private func visible(_ store: TripStore, _ writer: RandomWriter) throws -> [EntityReference: [UInt64: [UInt8]]] {
        var found: [EntityReference: [UInt64: [UInt8]]] = [:]
        func add<Entity: TripEntity>(_ ids: [Identifier<Entity>]) throws {
            for id in ids {
                guard let entity = try store.entity(id) else { continue }
                found[id.reference] = Dictionary(
                    uniqueKeysWithValues: Entity.fieldNumbers.compactMap { field in
                        entity.encoded(field).map { (field, $0) }
                    })
            }
        }
        try add(writer.trips)
        try add(writer.activities)
        try add(writer.transportations)
        return found
    }

    @Test(
        "Undoing a commit at once gives back what was before it; undoing that does it again", arguments: Seeds.some(8))
    func roundTrip(seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var writer = RandomWriter(seed: seed)
        for _ in 0..<60 {
            let before = try visible(store, writer)
            let position = try store.status().position
            try await writer.write(to: store)
            let last = try store.status().position
            guard last > position else { continue }
            let after = try visible(store, writer)
            let report = try await store.undo(.commit(last))
            #expect(try visible(store, writer) == before, "\(report.kept)")
            // An item whose trip was already deleted stays as it is: it is hidden either way.
            #expect(report.kept.allSatisfy { if case .parentMissing = $0.reason { true } else { false } })
            if let receipt = report.receipts.first {
                try await store.undo(receipt)
                #expect(try visible(store, writer) == after)
            }
        }
        #expect(try store.conflicts(includingResolved: true).isEmpty)
        try await store.expectInvariants()
    }

    @Test("A field that another wrote since stays, and is named")
    func kept() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        var receipt = try await store.commit(by: "ana") { commit in
            commit.edit(lisbon, [.set(\.name, "Porto"), .set(\.notes, "from ana")])
        }
        let other = try await store.edit(lisbon, by: "ben") { $0.name = "Faro" }
        let report = try await store.undo(receipt)
        #expect(try store.trip(lisbon)?.name == "Faro")
        #expect(try store.trip(lisbon)?.notes == "")
        #expect(report.changes.map(\.new?.name) == ["notes"])
        #expect(report.kept.map(\.field) == ["name"])
        #expect(report.kept.map(\.reason) == [.changedSince(try #require(try store.commit(at: other.position)).info)])
        #expect("\(report.kept[0].reason)".contains("ben"))
        // A second time there is nothing left to undo.
        receipt = try #require(report.receipts.first)
        let again = try await store.undo(.commit(receipt.position - 2))
        #expect(again.changes.isEmpty && again.receipts.isEmpty)
        #expect(again.kept.count == 2)
        try await store.expectInvariants()
    }

    @Test("Values that would not be valid together stay, and the report says why")
    func invalid() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let moved = try await store.commit { $0.edit(lisbon, [.set(\.startDay, Day(2027, 4, 1))]) }
        try await store.commit { $0.edit(lisbon, [.set(\.endDay, Day(2027, 4, 2))]) }
        let report = try await store.undo(moved)
        #expect(report.changes.isEmpty && report.kept.count == 1)
        #expect(try store.trip(lisbon)?.startDay == Day(2027, 4, 1))
        try await store.expectInvariants()
    }

    @Test("What this version does not know goes back, too")
    func unknownFields() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let path = FieldPath(field: 4000, key: [1, 2])
        let event = Event(
            verb: .edited, entity: lisbon.reference,
            changes: [Change(path: path, value: [9]), Change(path: FieldPath(field: 3999), value: [8])])
        let appended = try #require(try await store.log.append(Payload(events: [event])))
        try await store.catchUp()
        func value() throws -> [UInt8]? {
            try store.read { try $0.record(of: lisbon.reference)?.register(at: path)?.value }
        }
        #expect(try value() == [9])
        let report = try await store.undo(.commit(appended.position))
        #expect(report.changes.count == 2)
        #expect(try value() == nil)
        try await store.redo()
        #expect(try value() == [9])
        try await store.expectInvariants()
    }

    @Test("A dry run says what would be, and writes nothing")
    func dryRun() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let receipt = try await store.edit(lisbon) { $0.name = "Porto" }
        let position = try store.status().position
        let plan = try store.undoPlan(.commit(receipt.position))
        #expect(plan.changes.map(\.new?.text) == ["Lisbon"])
        #expect(plan.receipts.isEmpty)
        #expect(try store.status().position == position)
        let report = try await store.undo(receipt)
        #expect(report.changes == plan.changes)
        #expect(try store.redoPlan().changes.map(\.new?.text) == ["Porto"])
        try await store.expectInvariants()
    }

    @Test("An undo of what is not there is refused, and says what there is")
    func nothingThere() async throws {
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        let codes: [(UndoTarget, TripStoreError.Code)] = [
            (.commit(Position(99)), .unknownPosition), (.commit(.start), .unknownPosition),
            (.commit(Position(1)), .nothingToUndo), (.last(by: "nobody"), .nothingToUndo),
            (.trip(.new(), since: .start), .unknownEntity), (.correlation(UUID()), .nothingToUndo),
        ]
        for (target, code) in codes {
            await #expect { try await store.undo(target) } throws: { ($0 as? TripStoreError)?.code == code }
            #expect { try store.undoPlan(target) } throws: { ($0 as? TripStoreError)?.code == code }
        }
        await #expect { try await store.redo() } throws: { ($0 as? TripStoreError)?.code == .nothingToUndo }
        #expect(try store.status().position == Position(2))
        try await store.expectInvariants()
    }
}
