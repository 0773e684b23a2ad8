import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Parents of apps' own kinds")
struct ParentTests {
    @Test("A parent must be there, and may not belong to its child", arguments: [1, 2, 5])
    func parents(depth: Int) async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
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
        let store = try await TripStore.test(schema: RelatedKinds.all)
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
        let store = try await TripStore.test(schema: RelatedKinds.all)
        var last = try await store.create(Folder("0", in: nil))
        for level in 1...64 { last = try await store.create(Folder("\(level)", in: last)) }
        let refused = await #expect(throws: TripStoreError.self) { try await store.create(Folder("65", in: last)) }
        #expect(refused?.code == .unusableParent)
        try await store.edit(last) { $0.name = "deepest" }
        try await store.expectInvariants()
    }

    @Test("An undo puts back parents that changed places, in whatever order they are written")
    func undoOfChangedPlaces() async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
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
        let store = try await TripStore.test(schema: RelatedKinds.all)
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
        let store = try await TripStore.test(schema: RelatedKinds.all)
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
        let ana = try await TripStore.test(clock: clock, schema: RelatedKinds.all)
        let a = try await ana.create(Folder("a", in: nil))
        let b = try await ana.create(Folder("b", in: nil))
        let c = try await ana.create(Folder("c", in: b))
        let ben = try await TripStore.test(journal: ana.journal, clock: clock, schema: RelatedKinds.all)
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
            let folders = Query<Folder>().sorted(by: \.name)
            #expect(try store.fetch(folders.where { $0.children(Folder.self).isEmpty }).map(\.name) == ["c"])
            #expect(try store.fetch(folders.where { $0.parent.matches { $0.name == "c" } }).rows.isEmpty)
            #expect(try store.fetch(folders.where { $0.parent.matches { $0.name == "b" } }).map(\.name) == ["c"])
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
}
