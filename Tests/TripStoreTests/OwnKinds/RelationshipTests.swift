import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Parents and references of apps' own kinds")
struct RelationshipTests {
    @Test("A parent must be there, and may not belong to its child", arguments: [1, 2, 5])
    func parents(depth: Int) async throws {
        let store = try await TripStore.test()
        var folders = [try await store.create(Folder("0", in: nil))]
        for level in 1...depth { folders.append(try await store.create(Folder("\(level)", in: folders[level - 1]))) }
        let refused = await #expect(throws: TripStoreError.self) {
            try await store.edit(folders[0]) { $0.parent = folders[depth] }
        }
        #expect(refused?.code == .unusableParent)
        let own = await #expect(throws: TripStoreError.self) {
            try await store.edit(folders[0]) { $0.parent = folders[0] }
        }
        #expect(own?.code == .unusableParent)
        let missing = await #expect(throws: TripStoreError.self) {
            try await store.edit(folders[0]) { $0.parent = .new() }
        }
        #expect(missing?.code == .unknownParent)
        #expect(try store.entities(Folder.self, in: folders[0]).map(\.name) == ["1"])
        try await store.expectInvariants()
    }

    @Test("A parent of another kind is refused, an app's own too")
    func otherKinds() async throws {
        let store = try await TripStore.test()
        let folder = try await store.create(Folder("a", in: nil))
        let person = try await store.create(Person("Ana", of: nil))
        for stranger in [person.uuid, UUID()] {
            let refused = await #expect(throws: TripStoreError.self) {
                try await store.edit(folder) { $0.parent = Folder.ID(stranger) }
            }
            #expect(refused?.code == .invalidValue && refused?.field == "parent")
        }
        try await store.expectInvariants()
    }

    @Test("More ancestors than 64 are refused")
    func deep() async throws {
        let store = try await TripStore.test()
        var last = try await store.create(Folder("0", in: nil))
        for level in 1...64 { last = try await store.create(Folder("\(level)", in: last)) }
        let refused = await #expect(throws: TripStoreError.self) { try await store.create(Folder("65", in: last)) }
        #expect(refused?.code == .unusableParent)
        try await store.edit(last) { $0.name = "deepest" }
        try await store.expectInvariants()
    }

    @Test("An undo puts back parents that changed places, in whatever order they are written")
    func undoOfChangedPlaces() async throws {
        let store = try await TripStore.test()
        let a = try await store.create(Folder("a", in: nil))
        let b = try await store.create(Folder("b", in: a))
        let c = try await store.create(Folder("c", in: b))
        let receipt = try await store.commit { commit in
            commit.edit(b, [.set(\.parent, nil)])
            commit.edit(a, [.set(\.parent, c)])
        }
        #expect(try store.entities(Folder.self, in: c).map(\.name) == ["a"])
        try await store.undo(receipt)
        #expect(try store.entity(a)?.parent == nil && store.entity(b)?.parent == a)
        try await store.redo()
        #expect(try store.entity(a)?.parent == c && store.entity(b)?.parent == nil)
        #expect(try store.unfiled(Folder.self).rows.isEmpty)
        try await store.expectInvariants()
    }

    @Test("A subtree is not moved under a parent that is too deep for what is below it")
    func deepSubtree() async throws {
        let store = try await TripStore.test()
        func chain(_ count: Int) async throws -> [Folder.ID] {
            var chain = [try await store.create(Folder("0", in: nil))]
            for _ in 1..<count { chain.append(try await store.create(Folder("n", in: chain[chain.count - 1]))) }
            return chain
        }
        let (first, second) = (try await chain(40), try await chain(40))
        let refused = await #expect(throws: TripStoreError.self) {
            try await store.edit(first[0]) { $0.parent = second[39] }
        }
        #expect(refused?.code == .unusableParent)
        try await store.edit(first[0]) { $0.parent = second[20] }
        try await store.delete(second[0])
        #expect(try store.entity(first[39]) == nil && store.entities(Folder.self).rows.isEmpty)
        try await store.expectInvariants()
    }

    @Test("An undo that would make a ring keeps the parent, and says so")
    func undoOfRing() async throws {
        let store = try await TripStore.test()
        let a = try await store.create(Folder("a", in: nil))
        let b = try await store.create(Folder("b", in: a))
        let receipt = try await store.edit(b) {
            $0.parent = nil
            $0.name = "B"
        }
        try await store.edit(a) { $0.parent = b }
        let report = try await store.undo(receipt)
        #expect(report.kept.map(\.field) == ["parent"] && report.changes.map(\.new?.name) == ["name"])
        #expect(try store.entity(b)?.name == "b" && store.entity(b)?.parent == nil)
        #expect(try store.unfiled(Folder.self).rows.isEmpty)
        try await store.expectInvariants()
    }

    @Test("A ring that a merge makes is cut where it was closed last, on every replica alike")
    func ring() async throws {
        let clock = ManualClock()
        let ana = try await TripStore.test(clock: clock)
        let a = try await ana.create(Folder("a", in: nil))
        let b = try await ana.create(Folder("b", in: nil))
        let c = try await ana.create(Folder("c", in: b))
        let ben = try await TripStore.test(journal: ana.journal, clock: clock)
        try await ana.exchange(with: .store(ben))
        try await ana.edit(b) { $0.parent = a }
        clock.advance(by: 60_000)
        try await ben.edit(a) { $0.parent = c }
        try await ana.exchange(with: .store(ben))
        for store in [ana, ben] {
            #expect(try store.unfiled(Folder.self).map(\.name) == ["a"])
            #expect(try store.entities(Folder.self, in: c).rows.isEmpty)
            #expect(try store.entities(Folder.self, in: a).map(\.name) == ["b"])
            #expect(try store.entities(Folder.self).count == 3)
        }
        // What is cut is no one's child: it stays when those above it go.
        try await ana.delete(b)
        #expect(try ana.entity(a) != nil && ana.entity(c) == nil)
        let end = try ana.status().position
        #expect(try ana.entity(a, asOf: .position(end)) != nil && ana.entity(c, asOf: .position(end)) == nil)
        try await ana.edit(a) { $0.name = "A" }
        try await ana.restore(b)
        try await ana.edit(a) { $0.parent = nil }
        #expect(try ana.unfiled(Folder.self).rows.isEmpty)
        try await ana.expectInvariants()
        try await ben.expectInvariants()
    }

    @Test("A reference reads as nil while what it names is deleted, and is not written by an edit of something else")
    func nullify() async throws {
        let store = try await TripStore.test()
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
        let store = try await TripStore.test()
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
        let store = try await TripStore.test()
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
        let store = try await TripStore.test()
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
        let store = try await TripStore.test()
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
        #expect(try await store.undo(again).kept.map(\.reason) == [.hasItems(1)])

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
        let store = try await TripStore.test()
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
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.delete(lisbon)
        let restored = try await store.restore(lisbon)
        let voucher = try await store.create(Voucher("dinner", of: lisbon))
        let report = try await store.undo(restored)
        #expect(report.receipts.isEmpty && report.kept.map(\.reason) == [.hasItems(1)])
        try await store.delete(voucher)
        try await store.undo(restored)
        #expect(try store.trip(lisbon) == nil)
        try await store.expectInvariants()
    }

    @Test("Where another deletes the parent concurrently, what needs it stays, unfiled, and the conflict is shown")
    func concurrentDenial() async throws {
        let clock = ManualClock()
        let ana = try await TripStore.test(clock: clock)
        let lisbon = try await ana.create(Trip(name: "Lisbon"))
        let ben = try await TripStore.test(journal: ana.journal, clock: clock)
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
}
