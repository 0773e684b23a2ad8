import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Undo and redo")
struct UndoTests {
    /// What people see of every trip and item: fields, not when they were last changed.
    private func visible(_ store: TripStore, _ writer: RandomWriter) throws -> [EntityReference: [UInt32: [UInt8]]] {
        var found: [EntityReference: [UInt32: [UInt8]]] = [:]
        func add<Entity: TripEntity>(_ ids: [Identifier<Entity>]) throws {
            for id in ids {
                guard let entity = try store.entity(id) else { continue }
                found[id.reference] = Dictionary(
                    uniqueKeysWithValues: Entity.fields.compactMap { field in
                        entity.encoded(field).map { (field.rawValue, $0) }
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
            // An item whose trip was deleted before stays as it is: nobody sees it either way.
            #expect(report.kept.allSatisfy { if case .tripMissing = $0.reason { true } else { false } })
            if let receipt = report.receipts.first {
                try await store.undo(receipt)
                #expect(try visible(store, writer) == after)
            }
        }
        #expect(try store.conflicts(includingSettled: true).isEmpty)
        try await store.expectInvariants()
    }

    @Test("A field that somebody wrote since stays, and is named")
    func kept() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        var receipt = try #require(
            try await store.commit(author: "ana") { commit in
                commit.edit(lisbon, [.name("Porto"), .notes("from ana")])
            })
        let other = try #require(try await store.edit(lisbon, by: Authorship(author: "ben")) { $0.name = "Faro" })
        let report = try await store.undo(receipt)
        #expect(try store.trip(lisbon)?.name == "Faro")
        #expect(try store.trip(lisbon)?.notes == "")
        #expect(report.changes.map(\.new?.name) == ["notes"])
        #expect(report.kept.map(\.field) == ["name"])
        #expect(report.kept.map(\.reason) == [.changedSince(try #require(try store.commit(at: other.position)).info)])
        #expect("\(report.kept[0].reason)".contains("ben"))
        // A second time there is nothing left of it.
        receipt = try #require(report.receipts.first)
        let again = try await store.undo(.commit(receipt.position - 2))
        #expect(again.changes.isEmpty && again.receipts.isEmpty)
        #expect(again.kept.count == 2)
        try await store.expectInvariants()
    }

    @Test("Undoing a creation deletes; but not what others have written to or put something into")
    func creation() async throws {
        let store = try await TripStore.test()
        let receipt = try #require(
            try await store.commit { commit in
                let trip = commit.create(Trip(name: "with item"))
                commit.create(Activity(name: "Tram", in: trip, from: .sample(1)))
                commit.create(Trip(name: "edited"))
                commit.create(Trip(name: "filled"))
            })
        let trips = receipt.entities.compactMap { Trip.ID($0) }
        try await store.edit(trips[1]) { $0.notes = "mine" }
        try await store.create(Activity(name: "Castle", in: trips[2], from: .sample(1)))
        let report = try await store.undo(receipt)
        #expect(try trips.map { try store.trip($0)?.name } == [nil, "edited", "filled"])
        #expect(report.changes.map(\.verb) == [.deleted, .deleted])
        #expect(Set(report.kept.map(\.name)) == ["edited", "filled"])
        #expect(report.kept.contains { $0.reason == .hasItems(1) })
        try await store.undo(try #require(report.receipts.first))
        #expect(try store.items(of: trips[0]).map(\.name) == ["Tram"])
        try await store.expectInvariants()
    }

    @Test("Undoing a deletion restores, a trip with its items")
    func deletion() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let receipt = try await store.delete(lisbon)
        try await store.undo(receipt)
        #expect(try store.activity(tram)?.name == "Tram")
        let report = try await store.undo(receipt)
        #expect(report.changes.isEmpty)
        try await store.expectInvariants()
    }

    @Test("An item goes back into a trip only if that is there")
    func missingTrip() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let moved = try #require(try await store.move(tram, to: porto))
        try await store.delete(lisbon)
        let report = try await store.undo(moved)
        #expect(report.changes.isEmpty)
        #expect(report.kept.map(\.reason) == [.tripMissing(lisbon)])
        #expect(try store.activity(tram)?.trip == porto)
        try await store.expectInvariants()
    }

    @Test("Values that would not be valid together stay, and the report says why")
    func invalid() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let moved = try #require(try await store.commit { $0.edit(lisbon, [.startDay(Day(2027, 4, 1))]) })
        try await store.commit { $0.edit(lisbon, [.endDay(Day(2027, 4, 2))]) }
        let report = try await store.undo(moved)
        #expect(report.changes.isEmpty && report.kept.count == 1)
        #expect(try store.trip(lisbon)?.startDay == Day(2027, 4, 1))
        try await store.expectInvariants()
    }

    @Test("An author's edits are undone one after another, from the last, and done again")
    func stack() async throws {
        let store = try await TripStore.test()
        let (ana, ben) = (Authorship(author: "ana"), Authorship(author: "ben"))
        let lisbon = try await store.create(Trip(name: "0"), by: ben)
        for number in 1...3 {
            try await store.edit(lisbon, by: ana) { $0.name = "\(number)" }
            try await store.edit(lisbon, by: ben) { $0.notes = "\(number)" }
        }
        func name() throws -> String? { try store.trip(lisbon)?.name }
        for expected in ["2", "1", "0"] {
            try await store.undo(.last(by: "ana"), by: ana)
            #expect(try name() == expected)
        }
        await #expect { try await store.undo(.last(by: "ana"), by: ana) } throws: {
            ($0 as? TripStoreError)?.code == .nothingToUndo
        }
        for expected in ["1", "2", "3"] {
            try await store.redo(by: ana)
            #expect(try name() == expected)
        }
        await #expect { try await store.redo(by: ana) } throws: { ($0 as? TripStoreError)?.code == .nothingToUndo }
        try await store.undo(.last(by: "ana"), by: ana)
        #expect(try name() == "2")
        try await store.redo(by: ana)
        #expect(try name() == "3")
        #expect(try store.trip(lisbon)?.notes == "3")
        try await store.expectInvariants()
    }

    @Test("A creation whose edits were undone before can be undone as well, and all of it done again")
    func creationAfterEdits() async throws {
        let store = try await TripStore.test()
        let ana = Authorship(author: "ana")
        let lisbon = try await store.create(Trip(name: "Lisbon"), by: ana)
        try await store.edit(lisbon, by: ana) { $0.name = "Porto" }
        try await store.undo(.last(by: "ana"), by: ana)
        try await store.undo(.last(by: "ana"), by: ana)
        #expect(try store.trip(lisbon) == nil)
        try await store.redo(by: ana)
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        try await store.redo(by: ana)
        #expect(try store.trip(lisbon)?.name == "Porto")
        try await store.expectInvariants()
    }

    @Test("A trip that was created and filled in one commit goes with what was put into it, which goes back")
    func createdAndFilled() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let castle = try await store.create(Activity(name: "Castle", in: lisbon, from: .sample(2)))
        var porto = Trip.ID.new()
        let receipt = try #require(
            try await store.commit { commit in
                porto = commit.create(Trip(name: "Porto"))
                commit.move(tram, to: porto)
            })
        let report = try await store.undo(receipt)
        #expect(report.kept == [])
        #expect(try store.trip(porto) == nil)
        #expect(try store.items(of: lisbon).map(\.name) == ["Tram", "Castle"])
        try await store.undo(try #require(report.receipts.first))
        #expect(try store.items(of: porto).map(\.name) == ["Tram"])
        // But not with what came otherwise.
        try await store.move(castle, to: porto)
        let kept = try await store.undo(receipt)
        #expect(kept.kept.contains { $0.reason == .hasItems(1) })
        #expect(try store.items(of: porto).map(\.name) == ["Castle"])
        try await store.expectInvariants()
    }

    @Test("An item whose edit was undone before goes with its trip")
    func undoneItem() async throws {
        let store = try await TripStore.test()
        let receipt = try #require(
            try await store.commit { commit in
                let trip = commit.create(Trip(name: "Lisbon"))
                commit.create(Activity(name: "Tram", in: trip, from: .sample(1)))
            })
        let tram = try #require(receipt.entities.compactMap { Activity.ID($0) }.first)
        let edited = try #require(try await store.edit(tram) { $0.notes = "early" })
        try await store.undo(edited)
        let report = try await store.undo(receipt)
        #expect(report.kept == [])
        #expect(try store.status().trips == 0)
        try await store.expectInvariants()
    }

    @Test("An author's last passes by what cannot go back, and what was undone with other commits")
    func lastPassesBy() async throws {
        let store = try await TripStore.test()
        let ana = Authorship(author: "ana")
        let lisbon = try await store.create(Trip(name: "0"), by: ana)
        let porto = try await store.create(Trip(name: "Porto"), by: ana)
        let position = try store.status().position
        try await store.edit(lisbon, by: ana) { $0.name = "1" }
        try await store.edit(lisbon, by: ana) { $0.name = "2" }
        try await store.undo(.trip(lisbon, since: position), by: ana)
        #expect(try store.trip(lisbon)?.name == "0")
        try await store.edit(porto, by: ana) { $0.name = "Oporto" }
        try await store.edit(porto, by: Authorship(author: "ben")) { $0.name = "ben's" }
        // Nothing of the edits is left to undo, so it is the creation of what nobody else wrote to.
        let report = try await store.undo(.last(by: "ana"))
        #expect(report.changes.map(\.verb) == [.deleted])
        #expect(try store.trip(lisbon) == nil)
        #expect(try store.commit(at: try #require(report.receipts.first).position)?.author == "ana")
        await #expect { try await store.undo(.last(by: "ana")) } throws: {
            ($0 as? TripStoreError)?.code == .nothingToUndo
        }
        #expect(try store.trip(porto)?.name == "ben's")
        try await store.expectInvariants()
    }

    @Test("An undoing that comes here before what it undid counts all the same")
    func order() async throws {
        let journal = JournalID(UUID())
        let (one, other) = (
            try await TripStore.test(journal: journal, clock: ManualClock(seed: 1)),
            try await TripStore.test(journal: journal, clock: ManualClock(milliseconds: 1_798_761_660_000, seed: 2))
        )
        let ana = Authorship(author: "ana")
        let lisbon = try await one.create(Trip(name: "Lisbon"), by: ana)
        try await one.edit(lisbon, by: ana) { $0.name = "Porto" }
        try await one.pass(to: other)
        try await other.undo(.last(by: "ana"))
        let third = try await TripStore.test(journal: journal, clock: ManualClock(seed: 3))
        // The line of the undoing first.
        for segment in try await other.segments().sorted(by: { a, _ in a.line.replica == other.replica }) {
            try await third.store(segment)
        }
        #expect(try third.trip(lisbon)?.name == "Lisbon")
        let plan = try third.undoPlan(.last(by: "ana"))
        #expect(plan.changes.map(\.verb) == [.deleted])
        for store in [one, other, third] { try await store.expectInvariants() }
    }

    @Test("Edits of an item whose trip never came here go back; a deletion under a deleted trip does not")
    func unfiled() async throws {
        let store = try await TripStore.test()
        let stranger = Trip.ID.new()
        let id = Activity.ID.new()
        try await store.appendUnchecked([
            Event(
                verb: .created, entity: id.reference,
                changes: [
                    Change(path: Path(field: 1), value: Array("Tram".utf8)),
                    Change(path: Path(field: 2), value: stranger.uuid.bytes),
                ])
        ])
        try await store.settled()
        let edited = try #require(try await store.edit(id) { $0.notes = "early" })
        #expect(try await store.undo(edited).kept == [])
        #expect(try store.unfiledItems().map(\.notes) == [""])

        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let deleted = try await store.delete(tram)
        try await store.delete(lisbon)
        let report = try await store.undo(deleted)
        #expect(report.changes.isEmpty)
        #expect(report.kept.map(\.reason) == [.tripMissing(lisbon)])
        try await store.expectInvariants()
    }

    @Test("Edits of items that had left the trip before are not those of the trip")
    func leftBefore() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        try await store.move(tram, to: porto)
        let position = try store.status().position
        try await store.edit(tram) { $0.notes = "Porto's" }
        try await store.edit(lisbon) { $0.notes = "Lisbon's" }
        try await store.undo(.trip(lisbon, since: position))
        #expect(try store.activity(tram)?.notes == "Porto's")
        #expect(try store.trip(lisbon)?.notes == "")
        try await store.expectInvariants()
    }

    @Test("All edits of one trip and its items since a position go back, and no others")
    func trip() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let position = try store.status().position
        try await store.commit { commit in
            commit.edit(lisbon, [.name("Lisboa")])
            commit.edit(porto, [.name("Oporto")])
            commit.edit(tram, [.notes("early")])
        }
        try await store.edit(lisbon) { $0.name = "Lissabon" }
        try await store.create(Activity(name: "Castle", in: lisbon, from: .sample(2)))
        try await store.delete(tram)
        let report = try await store.undo(.trip(lisbon, since: position))
        #expect(report.commits.count == 4)
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        #expect(try store.trip(porto)?.name == "Oporto")
        #expect(try store.items(of: lisbon).map(\.name) == ["Tram"])
        #expect(try store.activity(tram)?.notes == "")
        try await store.undo(try #require(report.receipts.first))
        #expect(try store.trip(lisbon)?.name == "Lissabon")
        #expect(try store.items(of: lisbon).map(\.name) == ["Castle"])
        try await store.expectInvariants()
    }

    @Test("A piece of work of several commits goes back as one")
    func correlation() async throws {
        let store = try await TripStore.test()
        let work = UUID()
        let kept = try await store.create(Trip(name: "kept"))
        for number in 0..<5 {
            try await store.create(Trip(name: "\(number)"), by: Authorship(correlation: work))
            try await store.edit(kept, by: Authorship(correlation: work)) { $0.notes = "\(number)" }
        }
        let report = try await store.undo(.correlation(work))
        #expect(report.receipts.count == 1)
        #expect(try store.status().trips == 1)
        #expect(try store.trip(kept)?.notes == "")
        try await store.redo()
        #expect(try store.status().trips == 6)
        #expect(try store.trip(kept)?.notes == "4")
        try await store.expectInvariants()
    }

    @Test("What is too much for one commit goes back in several, and comes again")
    func large() async throws {
        let store = try await TripStore.test()
        let work = Authorship(correlation: UUID())
        var trips: [Trip.ID] = []
        for _ in 0..<20 { trips.append(try await store.create(Trip(name: "Lisbon", notes: "short"))) }
        for trip in trips {
            try await store.edit(trip, by: work) { $0.notes = String(repeating: "x", count: 900_000) }
        }
        let longs = Authorship(correlation: UUID())
        for trip in trips { try await store.edit(trip, by: longs) { $0.notes = "short again" } }
        let report = try await store.undo(.correlation(try #require(longs.correlation)))
        #expect(report.receipts.count > 1)
        #expect(report.changes.count == 20 && report.kept.isEmpty)
        #expect(try trips.allSatisfy { try store.trip($0)?.notes.count == 900_000 })
        try await store.redo()
        #expect(try trips.allSatisfy { try store.trip($0)?.notes == "short again" })
        try await store.expectInvariants()
    }

    @Test("What this version does not know goes back, too")
    func unknownFields() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let path = Path(field: 4000, key: [1, 2])
        let event = Event(
            verb: .edited, entity: lisbon.reference,
            changes: [Change(path: path, value: [9]), Change(path: Path(field: 3999), value: [8])])
        let appended = try #require(try await store.log.append(Payload(events: [event])))
        try await store.settled()
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
        let receipt = try #require(try await store.edit(lisbon) { $0.name = "Porto" })
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

    @Test("Undoing beside another writer puts back no field that was written meanwhile")
    func besideWriters() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        for number in 0..<20 {
            let receipt = try #require(try await store.edit(lisbon) { $0.name = "undone \(number)" })
            async let undo = store.undo(receipt)
            async let edit = store.edit(lisbon) { $0.name = "kept \(number)" }
            _ = try await (undo, edit)
            #expect(try store.trip(lisbon)?.name == "kept \(number)")
        }
        try await store.expectInvariants()
    }
}
