import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@Suite("Blame and differences")
struct HistoryTests {
    @Test("Blame names, for each field, who wrote what stands there, and in which commit")
    func blame() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(
            Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 2)),
            by: "ana")
        let edited = try await store.edit(lisbon, by: "ben") { $0.name = "Porto" }
        try await store.edit(lisbon, by: "ben") { $0.endDay = nil }
        let blame = try store.blame(lisbon)
        #expect(blame.name == "Porto")
        #expect(blame.created?.author == "ana")
        #expect(blame.deleted == nil)
        #expect(blame.lines.map(\.field.name) == ["name", "startDate", "destination"])
        #expect(blame.lines.map(\.field.text) == ["Porto", "2027-05-01", "Lisboa"])
        #expect(blame.lines.map(\.commit.author) == ["ben", "ana", "ana"])
        #expect(blame.lines[0].commit.position == edited.position)
        #expect(blame.lines.allSatisfy { !$0.isContested })
        let deleted = try await store.delete(lisbon, by: "cid")
        #expect(try store.blame(lisbon).deleted?.position == deleted.position)
        try await store.expectInvariants()
    }

    @Test("Blame of an unknown id is refused")
    func unknown() async throws {
        let store = try await TripStore.test()
        #expect(throws: TripStoreError.self) { try store.blame(Trip.ID.new()) }
        try await store.expectInvariants()
    }

    @Test("Differences name entities that came, went and changed, and fields with both values")
    func differences() async throws {
        let store = try await TripStore.test()
        let changed = try await store.create(Trip(name: "changed"))
        let deleted = try await store.create(Trip(name: "deleted"))
        let restored = try await store.create(Trip(name: "restored"))
        try await store.delete(restored)
        let start = try store.status().position
        try await store.edit(changed) { $0.notes = "new" }
        try await store.edit(deleted) { $0.notes = "there" }
        try await store.edit(deleted) { $0.notes = "" }
        try await store.delete(deleted)
        try await store.restore(restored)
        let created = try await store.create(Activity(name: "created", in: changed, from: .sample(1)))
        let gone = try await store.create(Trip(name: "there and gone"))
        try await store.delete(gone)
        let end = try store.status().position

        let found = try store.differences(from: .position(start), to: .position(end))
        #expect(found.map(\.name) == ["changed", "deleted", "restored", "created"])
        #expect(found.map(\.fate) == [.changed, .deleted, .restored, .created])
        #expect(found[0].fields.map(\.name) == ["notes"])
        #expect(found[0].fields[0].old.text == "" && found[0].fields[0].new.text == "new")
        #expect(found[3].entity == created.reference)
        #expect(Set(found[3].fields.map(\.name)) == ["name", "trip", "start"])
        let back = try store.differences(from: .position(end), to: .position(start))
        #expect(back.map(\.fate) == [.changed, .restored, .deleted, .deleted])
        #expect(try store.differences(from: .position(start), to: .position(start)).isEmpty)
        try await store.expectInvariants()
    }

    @Test("Entities differ exactly where the views of the two positions do", arguments: Seeds.some(5))
    func truth(seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var writer = RandomWriter(seed: seed)
        for _ in 0..<80 { try await writer.write(to: store) }
        let end = Int(try store.status().position.rawValue)
        for _ in 0..<4 {
            let (a, b) = (
                Int.random(in: 0...end, using: &writer.generator), Int.random(in: 0...end, using: &writer.generator)
            )
            let (old, new) = (Position(UInt64(min(a, b))), Position(UInt64(max(a, b))))
            let found = try store.differences(from: .position(old), to: .position(new))
            let (before, after) = (try await store.asOf(old), try await store.asOf(new))
            var expected: Set<EntityReference> = []
            func compare<Entity: TripEntity>(_ ids: [Identifier<Entity>]) throws {
                for id in ids {
                    let values = try [before, after].map { past in
                        try past.read { views in
                            try views.record(of: id.reference).flatMap { record in
                                record.isPresent ? Entity(id: id, record: record) : nil
                            }
                        }
                    }
                    let isSame = Entity.fieldNumbers.allSatisfy { values[0]?.encoded($0) == values[1]?.encoded($0) }
                    if (values[0] == nil) != (values[1] == nil) || !isSame { expected.insert(id.reference) }
                }
            }
            try compare(writer.trips)
            try compare(writer.activities)
            try compare(writer.transportations)
            #expect(
                Set(found.filter { $0.fate != .changed || !$0.fields.isEmpty }.map(\.entity)).isSuperset(of: expected))
            for difference in found where difference.fate != .changed { #expect(expected.contains(difference.entity)) }
        }
        try await store.expectInvariants()
    }
}
