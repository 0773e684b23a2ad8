import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Parents and references of apps' own kinds")
struct RelationshipTests {
    @Test("A reference reads as nil while what it names is deleted, and is not written by an edit of something else")
    func nullify() async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let ana = try await store.create(Person("Ana", of: nil))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon))
        var task = Chore("tickets", of: lisbon)
        (task.person, task.item) = (ana, tram)
        let id = try await store.create(task)
        try await store.delete(ana)
        let position = try await store.delete(tram).position
        let read = try #require(try store.entity(id))
        #expect(read.person == nil && read.item == nil)
        #expect(try store.entities(Chore.self, in: lisbon).rows == [read])
        #expect(try store.entity(id, asOf: .position(position))?.item == nil)
        #expect(try store.entity(id, asOf: .position(position - 1))?.item == tram)
        try await store.edit(id) { $0.what = "two tickets" }
        var draft = read
        draft.what = "three tickets"
        try await store.save(draft, from: read)
        try await store.restore(ana)
        try await store.restore(tram)
        let restored = try #require(try store.entity(id))
        #expect(restored.person == ana && restored.item == tram && restored.what == "three tickets")
        // Another in its place is no conflict, for a form or for an edit that asks whether there is one.
        let conflicts = try store.conflicts().rows.map(\.id)
        let ben = try await store.create(Person("Ben", of: nil))
        try await store.delete(ana)
        let form = try #require(try store.entity(id))
        draft = form
        draft.person = ben
        try await store.save(draft, from: form)
        #expect(try store.entity(id)?.person == ben && store.conflicts().rows.map(\.id) == conflicts)
        try await store.delete(ben)
        let eve = try await store.create(Person("Eve", of: nil))
        try await store.edit(id) { if $0.person == nil { $0.person = eve } }
        #expect(try store.entity(id)?.person == eve)
        try await store.expectInvariants()
    }

    @Test("What is nullified stays without its parent, and has it again")
    func nullifiedParent() async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let ana = try await store.create(Person("Ana", of: lisbon))
        try await store.delete(lisbon)
        #expect(try store.entity(ana)?.trip == nil && store.entity(ana) != nil)
        try await store.edit(ana) { $0.name = "Ana B." }
        #expect(try store.unfiled(Person.self).map(\.name) == ["Ana B."])
        try await store.restore(lisbon)
        #expect(try store.entity(ana)?.trip == lisbon && store.unfiled(Person.self).rows.isEmpty)
        try await store.expectInvariants()
    }

    @Test("A parent that is still needed is not deleted, until its child is moved or deleted, in the same commit too")
    func deny() async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let voucher = try await store.create(Voucher("dinner", of: lisbon))
        let refused = await #expect(throws: TripStoreError.self) { try await store.delete(lisbon) }
        #expect(refused?.code == .stillNeeded && refused?.entity == voucher.reference)
        #expect(try store.trip(lisbon) != nil)
        try await store.commit { commit in
            commit.delete(voucher)
            commit.delete(lisbon)
        }
        #expect(try store.trip(lisbon) == nil && store.entity(voucher) == nil)
        try await store.expectInvariants()
    }

    @Test("What was put under a parent in the same commit, or the same load, is needed as well")
    func denyWithin() async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let refused = await #expect(throws: TripStoreError.self) {
            try await store.commit { commit in
                commit.create(Voucher("dinner", of: lisbon))
                commit.delete(lisbon)
            }
        }
        #expect(refused?.code == .stillNeeded)
        let loaded = await #expect(throws: TripStoreError.self) {
            try await store.load { load in
                try await load.append([.created(Voucher("lunch", of: lisbon))])
                try await load.append([.deleted(lisbon)])
            }
        }
        #expect(loaded?.code == .stillNeeded)
        #expect(try store.trip(lisbon) != nil)
        try await store.expectInvariants()
    }

    @Test("An undo keeps a parent whose child is edited by it, or came back to another")
    func undoneTogether() async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let voucher = try await store.create(Voucher("dinner", of: lisbon))
        try await store.commit { commit in
            commit.delete(voucher)
            commit.delete(lisbon)
        }
        let both = try await store.commit { commit in
            commit.restore(lisbon)
            commit.restore(voucher)
        }
        try await store.undo(both)
        #expect(try store.trip(lisbon) == nil && store.entity(voucher) == nil)
        let again = try await store.restore(lisbon)
        try await store.restore(voucher)
        #expect(try await store.undo(again).kept.map(\.reason) == [.hasChildren(1)])

        let other = try await store.create(Folder("other", in: nil))
        let child = try await store.create(Folder("child", in: other))
        let made = try await store.commit { commit in
            let parent = commit.create(Folder("parent", in: nil))
            commit.edit(child, [.set(\.parent, parent)])
        }
        try await store.edit(other) { $0.parent = child }
        let report = try await store.undo(made)
        #expect(report.receipts.isEmpty && report.kept.count == 2, "\(report.kept)")
        #expect(try store.entities(Folder.self).count == 3)
        try await store.expectInvariants()
    }

    @Test("What another rule keeps is edited, and gets children, under what is deleted above")
    func editUnderKept() async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let ana = try await store.create(Person("Ana", of: lisbon))
        let hat = try await store.create(Belonging("hat", of: ana))
        try await store.delete(lisbon)
        try await store.edit(hat) { $0.name = "sun hat" }
        try await store.create(Belonging("shoes", of: ana))
        #expect(try store.entities(Belonging.self, in: ana).map(\.name) == ["sun hat", "shoes"])
        try await store.expectInvariants()
    }

    @Test("An undo deletes nothing that is still needed")
    func denyUndo() async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.delete(lisbon)
        let restored = try await store.restore(lisbon)
        let voucher = try await store.create(Voucher("dinner", of: lisbon))
        let report = try await store.undo(restored)
        #expect(report.receipts.isEmpty && report.kept.map(\.reason) == [.hasChildren(1)])
        try await store.delete(voucher)
        try await store.undo(restored)
        #expect(try store.trip(lisbon) == nil)
        try await store.expectInvariants()
    }

    @Test("Where another deletes the parent concurrently, what needs it stays, unfiled, and the conflict is shown")
    func concurrentDenial() async throws {
        let clock = ManualClock()
        let ana = try await TripStore.test(clock: clock, schema: RelatedKinds.all)
        let lisbon = try await ana.create(Trip(name: "Lisbon"))
        let ben = try await TripStore.test(journal: ana.journal, clock: clock, schema: RelatedKinds.all)
        try await ana.exchange(with: .store(ben))
        let voucher = try await ana.create(Voucher("dinner", of: lisbon))
        clock.advance(by: 60_000)
        try await ben.delete(lisbon)
        try await ana.exchange(with: .store(ben))
        for store in [ana, ben] {
            #expect(try store.entity(voucher)?.what == "dinner")
            #expect(try store.unfiled(Voucher.self).map(\.what) == ["dinner"])
            #expect(try store.conflicts(of: lisbon).rows.map(\.entity) == [voucher.reference])
        }
        try await ana.edit(voucher) { $0.what = "lunch" }
        try await ana.expectInvariants()
        try await ben.expectInvariants()
    }

    @Test("Audit, conflicts and undo are bounded to an entity with what was ever under it, without a trip")
    func boundedByParent() async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
        let ana = try await store.create(Person("Ana", of: nil))
        let ben = try await store.create(Person("Ben", of: nil))
        let bag = try await store.create(Belonging("bag", of: ana))
        let position = try store.status().position
        try await store.edit(bag) { $0.person = ben }
        try await store.edit(bag) { $0.name = "red bag" }
        try await store.edit(ben) { $0.name = "Benno" }
        let touched = try store.audit(AuditFilter(under: ana.reference)).rows.flatMap(\.events).map(\.entity)
        #expect(touched == [ana.reference, bag.reference, bag.reference, bag.reference])
        #expect(try store.conflicts(of: ana).rows.isEmpty)
        let report = try await store.undo(.entity(ana.reference, since: position))
        #expect(report.commits.count == 2 && report.kept.isEmpty)
        let restored = try #require(try store.entity(bag))
        #expect(restored.name == "bag" && restored.person == ana)
        #expect(try store.entity(ben)?.name == "Benno" && store.trips().rows.isEmpty)
        try await store.expectInvariants()
    }
}
