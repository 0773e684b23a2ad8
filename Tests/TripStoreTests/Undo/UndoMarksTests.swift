import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("What is undone already")
struct UndoMarksTests {
    private let ana: Authorship = "ana"

    @Test("An undoing of one trip leaves what the commit did to another to be undone, and is done again by itself")
    func part() async throws {
        let store = try await TripStore.test()
        let (lisbon, porto, faro) = (
            try await store.create(Trip(name: "Lisbon")), try await store.create(Trip(name: "Porto")),
            try await store.create(Trip(name: "Faro"))
        )
        try await store.edit(faro, by: ana) { $0.name = "Far away" }
        let position = try store.status().position
        try await store.commit(by: "ana") { commit in
            commit.edit(lisbon, [.set(\.name, "Lisboa")])
            commit.edit(porto, [.set(\.name, "Oporto")])
        }
        func names() throws -> [String?] { try [lisbon, porto, faro].map { try store.trip($0)?.name } }
        try await store.undo(.trip(lisbon, since: position), by: ana)
        #expect(try names() == ["Lisbon", "Oporto", "Far away"])
        try await store.undo(.last(by: "ana"))
        #expect(try names() == ["Lisbon", "Porto", "Far away"])
        try await store.redo(by: ana)
        #expect(try names() == ["Lisbon", "Oporto", "Far away"])
        try await store.redo(by: ana)
        #expect(try names() == ["Lisboa", "Oporto", "Far away"])
        // All of it is visible again.
        try await store.undo(.last(by: "ana"))
        #expect(try names() == ["Lisbon", "Porto", "Far away"])
        try await store.undo(.last(by: "ana"))
        #expect(try names() == ["Lisbon", "Porto", "Faro"])
        try await store.expectInvariants()
    }

    @Test("What two replicas undid at the same time, and one did again, is there to be undone")
    func twice() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.edit(pair.lisbon, by: ana) { $0.notes = "old" }
        try await pair.ana.edit(pair.lisbon, by: ana) { $0.name = "Porto" }
        try await pair.exchange()
        for store in [pair.ana, pair.ben] { try await store.undo(.last(by: "ana")) }
        try await pair.exchange()
        try await pair.ana.redo(by: ana)
        try await pair.exchange()
        for store in [pair.ana, pair.ben] {
            #expect(try store.trip(pair.lisbon)?.name == "Porto")
            #expect { try store.redoPlan(by: ana) } throws: { ($0 as? TripStoreError)?.code == .nothingToUndo }
            #expect(try store.undoPlan(.last(by: "ana")).changes.map(\.new?.text) == ["Lisbon"])
        }
        try await pair.ben.undo(.last(by: "ana"))
        #expect(try pair.ben.trip(pair.lisbon)?.name == "Lisbon")
        #expect(try pair.ben.trip(pair.lisbon)?.notes == "old")
        try await pair.expectInvariants()
    }

    @Test(
        "What two authors undid at the same time stays undone when each does it again, and the report names the undoing that stands"
    )
    func undoneElsewhere() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.edit(pair.lisbon, by: ana) { $0.name = "Porto" }
        try await pair.exchange()
        try await pair.ana.undo(.last(by: "ana"), by: ana)
        try await pair.ben.undo(.last(by: "ana"), by: "ben")
        try await pair.exchange()
        for store in [pair.ana, pair.ben] {
            for (author, other) in [("ana", "ben"), ("ben", "ana")] {
                let report = try await store.redo(by: Authorship(author: author))
                #expect(report.changes.isEmpty && report.receipts.isEmpty && report.kept.map(\.field) == ["name"])
                guard case .undoneElsewhere(let commit)? = report.kept.first?.reason else {
                    Issue.record("\(author): \(report.kept)")
                    continue
                }
                #expect(commit.author == other)
                #expect("\(report.kept[0].reason)".contains("\(other) at position \(commit.position)"))
            }
            #expect(try store.trip(pair.lisbon)?.name == "Lisbon")
        }
        try await pair.expectInvariants()
    }

    @Test("What took several commits to undo and to do again is undone once more, and nothing older in its place")
    func again() async throws {
        let store = try await TripStore.test()
        // So long that one commit of an undo holds only one of them.
        func long(_ letter: Character) -> String { String(repeating: letter, count: 600_000) }
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        var items: [Activity.ID] = []
        for name in ["Tram", "Castle", "Fado"] {
            items.append(
                try await store.create(Activity(name: name, in: lisbon, from: .sample(1), notes: long("a"))))
        }
        let porto = try await store.create(Trip(name: "Porto"))
        try await store.edit(porto, by: ana) { $0.name = "Oporto" }
        try await store.commit(by: "ana") { commit in
            for item in items { commit.edit(item, [.set(\.notes, long("b"))]) }
        }
        func notes() throws -> [Character?] { try items.map { try store.entity($0)?.notes.first } }
        let undone = try await store.undo(.last(by: "ana"))
        #expect(undone.receipts.count == 3)
        for _ in 0..<2 {
            let redone = try await store.redo(by: ana)
            #expect(redone.receipts.count == 3)
            #expect(try notes() == ["b", "b", "b"])
            let again = try await store.undo(.last(by: "ana"))
            #expect(again.commits == undone.commits)
            #expect(try notes() == ["a", "a", "a"])
            #expect(try store.trip(porto)?.name == "Oporto")
        }
        try await store.undo(.last(by: "ana"))
        #expect(try store.trip(porto)?.name == "Porto")
        try await store.expectInvariants()
    }

    @Test("Doing again does not bring back what an undoing that its author had not seen took away as well")
    func undoneByBoth() async throws {
        let pair = try await ConflictPair()
        let since = try pair.ben.status().position
        let tram = try await pair.ana.create(Activity(name: "Tram", in: pair.lisbon), by: "ana")
        try await pair.exchange()
        // The newest commit that Ben undoes, which his mark names.
        try await pair.ben.create(Activity(name: "Castle", in: pair.lisbon), by: "ben")
        try await pair.ana.undo(.last(by: "ana"))
        try await pair.ben.undo(.trip(pair.lisbon, since: since), by: "ben")
        try await pair.exchange()
        #expect(try await pair.ana.redo(by: "ana").changes.isEmpty)
        #expect(try pair.ana.entity(tram) == nil)
        try await pair.expectInvariants()
    }
}
