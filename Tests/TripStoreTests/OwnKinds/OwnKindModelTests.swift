import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Trees of an app's own kind on several replicas")
struct OwnKindModelTests {
    @Test(
        "Whatever five replicas do to a tree, two of them copies of each other, all show what a model says",
        arguments: Seeds.some(6))
    func random(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let clock = ManualClock(seed: seed)
        let folder = TemporaryFolder()
        let (stores, copy) = try await CopiedStores.five(in: folder, clock) {
            try await $0.create(Folder("0", in: nil))
        }
        defer { withExtendedLifetime(copy) {} }
        let first = stores[0]
        var tree = FolderModel()
        let root = try #require(try first.entities(Folder.self).rows.first).id
        tree.folders[root] = FolderModel.Folder(name: (0, "0"), parent: (0, nil), isDeleted: (0, false))
        var models = [FolderModel](repeating: tree, count: 5)
        for step in 1..<160 {
            let place = Int.random(in: 0..<5, using: &generator)
            let store = stores[place]
            clock.advance(by: 10)
            let known = models[place].folders.keys.sorted()
            let one = known.randomElement(using: &generator) ?? root
            let other = known.randomElement(using: &generator)
            // What is shown can be edited.
            var isShown = false
            do {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0, 1, 2:
                    let folder = Folder("\(step)", in: other)
                    try await store.create(folder)
                    models[place].folders[folder.id] = FolderModel.Folder(
                        name: (step, folder.name), parent: (step, other), isDeleted: (0, false))
                case 3:
                    isShown = models[place].isShown(one)
                    try await store.edit(one) { $0.name = "\(step)" }
                    models[place].folders[one]?.name = (step, "\(step)")
                case 4, 5:
                    let before = try store.read { try $0.present(one).0.parent }
                    try await store.edit(one) { $0.parent = other }
                    if before != other { models[place].folders[one]?.parent = (step, other) }
                case 6:
                    try await store.delete(one)
                    models[place].folders[one]?.isDeleted = (step, true)
                case 7:
                    try await store.restore(one)
                    models[place].folders[one]?.isDeleted = (step, false)
                default:
                    let peer = (place + Int.random(in: 1..<5, using: &generator)) % 5
                    try await store.exchange(with: .store(stores[peer]))
                    models[place].merge(models[peer])
                    models[peer] = models[place]
                }
            } catch let error as TripStoreError {
                #expect(!isShown, "\(error), seed \(seed), step \(step)")
                #expect([.deleted, .notDeleted, .unknownParent, .unusableParent].contains(error.code), "\(error)")
            }
            try models[place].expect(store, "seed \(seed), step \(step)")
        }
        for _ in 0..<2 { for store in stores.dropFirst() { try await first.exchange(with: .store(store)) } }
        for model in models { models[0].merge(model) }
        for store in stores {
            try models[0].expect(store, "seed \(seed), at the end")
            try await store.expectInvariants()
        }
    }
}

/// A tree as the rules say, from the last write of each field.
private struct FolderModel {
    struct Folder {
        var name: (step: Int, value: String)
        var parent: (step: Int, value: TripStoreTests.Folder.ID?)
        var isDeleted: (step: Int, value: Bool)
    }

    var folders: [TripStoreTests.Folder.ID: Folder] = [:]

    mutating func merge(_ other: FolderModel) {
        folders.merge(other.folders) { a, b in
            Folder(
                name: a.name.step > b.name.step ? a.name : b.name,
                parent: a.parent.step > b.parent.step ? a.parent : b.parent,
                isDeleted: a.isDeleted.step > b.isDeleted.step ? a.isDeleted : b.isDeleted)
        }
    }

    /// Where the ring is cut that a folder is part of; nil if it is part of none.
    private func cut(_ id: TripStoreTests.Folder.ID) -> TripStoreTests.Folder.ID? {
        var ring = [id]
        var next = folders[id]?.parent.value
        while let parent = next, parent != id, ring.count <= folders.count {
            ring.append(parent)
            next = folders[parent]?.parent.value
        }
        guard next == id else { return nil }
        return ring.max { (folders[$0]?.parent.step ?? 0) < (folders[$1]?.parent.step ?? 0) }
    }

    private func parent(of id: TripStoreTests.Folder.ID) -> TripStoreTests.Folder.ID? {
        cut(id) == id ? nil : folders[id]?.parent.value
    }

    func isShown(_ id: TripStoreTests.Folder.ID) -> Bool {
        var next: TripStoreTests.Folder.ID? = id
        while let folder = next.flatMap({ folders[$0] }), let one = next {
            if folder.isDeleted.value { return false }
            next = parent(of: one)
        }
        return true
    }

    func expect(_ store: TripStore, _ comment: Comment) throws {
        let shown = folders.filter { isShown($0.key) }
        let names = try Set(store.entities(TripStoreTests.Folder.self).map(\.name))
        #expect(names == Set(shown.values.map(\.name.value)), comment)
        for id in folders.keys {
            let children = isShown(id) ? shown.filter { parent(of: $0.key) == id } : [:]
            #expect(
                try Set(store.entities(TripStoreTests.Folder.self, in: id).map(\.name))
                    == Set(children.values.map(\.name.value)), comment)
        }
        let cuts = shown.filter { cut($0.key) == $0.key }.values.map(\.name.value)
        #expect(try Set(store.unfiled(TripStoreTests.Folder.self).map(\.name)) == Set(cuts), comment)
    }
}
