import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("Erasing a field, or what was there before")
struct ErasingFieldsTests {
    /// A trip with two notes, each beside values of other fields.
    private static func noted(_ store: TripStore) async throws -> Trip.ID {
        let lisbon = try await store.create(Trip(name: "Lisbon", destination: "Lisboa", notes: "secret 1"), by: "ana")
        try await store.edit(lisbon, by: "ana") { ($0.name, $0.notes) = ("Lisbon 2", "secret 2") }
        try await store.edit(lisbon, by: "ana") { $0.name = "Lisbon 3" }
        return lisbon
    }

    /// The names that a trip had, each with its time.
    private static func names(of trip: Trip.ID, in store: TripStore) throws -> [String] {
        try store.history(of: trip).flatMap { entry in
            entry.event.changes.filter { $0.field == "name" }.map { "\($0.new.text) \(entry.event.written.rawValue)" }
        }
    }

    @Test("Every value of the field goes, and all that the same events say of other fields stays with its time")
    func field() async throws {
        let store = try await TripStore.test()
        let lisbon = try await Self.noted(store)
        let before = try #require(try store.trip(lisbon))
        let names = try Self.names(of: lisbon, in: store)
        let preview = try await store.previewErasing(lisbon, fields: ["notes"])
        #expect(preview.count == 2 && preview.rewritten == 2 && preview.fields.allSatisfy { $0.contains("notes") })
        try await store.erase(preview)
        let after = try #require(try store.trip(lisbon))
        #expect(after.notes == "" && after.name == "Lisbon 3" && after.destination == "Lisboa")
        #expect(after.createdAt == before.createdAt)
        #expect(try Self.names(of: lisbon, in: store) == names && names.count == 3)
        #expect(try store.conflicts().isEmpty && !store.logContains("secret"))
        #expect(try store.history(of: lisbon).map(\.commit.author) == ["ana", "ana", "ana"])
        // There is nothing left to do.
        let again = try await store.previewErasing(lisbon, fields: ["notes"])
        #expect(again.commits.isEmpty && again.rewritten == 0)
        #expect(try await store.erase(again).isEmpty)
        try await store.expectInvariants()
    }

    @Test("With the history of a field its present value stays")
    func historyOfField() async throws {
        let store = try await TripStore.test()
        let lisbon = try await Self.noted(store)
        try await store.edit(lisbon) { $0.notes = "sunscreen" }
        let preview = try await store.previewErasing(lisbon, fields: ["notes"], history: true)
        #expect(preview.count == 2 && preview.rewritten == 2)
        try await store.erase(preview)
        #expect(try store.trip(lisbon)?.notes == "sunscreen" && !store.logContains("secret"))
        #expect(try Self.names(of: lisbon, in: store).count == 3)
        try await store.expectInvariants()
    }

    @Test("With the whole history an entity stays as it is, with what is under it, and nothing tells what was before")
    func history() async throws {
        let store = try await TripStore.test()
        let lisbon = try await Self.noted(store)
        let tram = try await store.create(Activity(name: "secret tram", in: lisbon))
        try await store.edit(tram) { $0.name = "Tram" }
        try await store.delete(lisbon)
        try await store.restore(lisbon)
        try await store.edit(lisbon) { $0.notes = "" }
        let gone = try await store.create(Activity(name: "Gone", in: lisbon))
        try await store.delete(gone)
        let before = try #require(try store.trip(lisbon))
        let preview = try await store.previewErasing(lisbon, history: true)
        // Both creations, whose names were changed, and an edit and a deletion of the trip.
        #expect(preview.count == 4 && preview.rewritten == 2)
        try await store.erase(preview)
        let after = try #require(try store.trip(lisbon))
        #expect(after.name == "Lisbon 3" && after.destination == "Lisboa" && after.notes == "")
        #expect(after.createdAt == before.createdAt)
        #expect(try store.entity(tram)?.name == "Tram")
        #expect(try !store.logContains("secret") && !store.logContains("Lisbon 2"))
        // A deletion that stands is the present state.
        #expect(try store.entity(gone) == nil)
        try await store.restore(gone)
        #expect(try store.entity(gone)?.name == "Gone")
        try await store.expectInvariants()
    }

    @Test("Two writes of one commit to a field keep their order, whichever of them is written anew")
    func twiceInOneCommit() async throws {
        for notes in [("secret", nil), (nil, "secret")] as [(String?, String?)] {
            let store = try await TripStore.test()
            let lisbon = Trip(name: "Lisbon", notes: notes.0 ?? "")
            let second: [FieldChange<Trip>] = [.set(\.name, "Porto")] + (notes.1.map { [.set(\.notes, $0)] } ?? [])
            try await store.append([.created(lisbon), TripEvent(.edited, lisbon.id, second)])
            try await store.erase(store.previewErasing(lisbon.id, fields: ["notes"]))
            #expect(try store.trip(lisbon.id)?.name == "Porto" && store.trip(lisbon.id)?.notes == "")
            #expect(try !store.logContains("secret"))
            try await store.expectInvariants()
        }
    }

    @Test("Asked again after the rest was written anew and nothing was erased, the rest is not written twice")
    func askedAgain() async throws {
        let store = try await TripStore.test()
        let lisbon = try await Self.noted(store)
        let names = try Self.names(of: lisbon, in: store)
        for history in [true, false] {
            let preview = try await store.previewErasing(lisbon, fields: ["notes"], history: history)
            try await store.writeRests(of: preview)
            let again = try await store.previewErasing(lisbon, fields: ["notes"], history: history)
            #expect(again.rewritten == 0 && again.count == preview.count)
            try await store.erase(again)
            #expect(try Self.names(of: lisbon, in: store) == names)
            #expect(try store.trip(lisbon)?.notes == (history ? "secret 2" : ""))
        }
        #expect(try !store.logContains("secret"))
        try await store.expectInvariants()
    }

    @Test("Undoing the last work passes over what was written anew")
    func undo() async throws {
        let store = try await TripStore.test()
        let lisbon = try await Self.noted(store)
        let start = try store.status().position
        try await store.edit(lisbon, by: "ana") { $0.destination = "Porto" }
        try await store.erase(store.previewErasing(lisbon, fields: ["notes"]))
        let plan = try store.undoPlan(.trip(lisbon, since: start))
        #expect(plan.changes.map { $0.new?.text } == ["Lisboa"])
        try await store.undo(.last(by: "ana"))
        #expect(try store.trip(lisbon)?.destination == "Lisboa" && store.trip(lisbon)?.name == "Lisbon 3")
        try await store.undo(.lastWork(by: "ana"))
        #expect(try store.trip(lisbon)?.name == "Lisbon 2")
        try await store.expectInvariants()
    }

    @Test("What is written anew stays each author's, and part of the work that it was: undoing that work undoes it")
    func authors() async throws {
        let store = try await TripStore.test()
        let (lisbon, work) = (Trip(name: "Lisbon", notes: "secret 1"), UUID())
        try await store.append([.created(lisbon)], by: Authorship(author: "ana", correlation: work))
        try await store.edit(lisbon.id, by: "ben") { ($0.destination, $0.notes) = ("Lisboa", "secret 2") }
        let preview = try await store.previewErasing(lisbon.id, fields: ["notes"])
        #expect(preview.count == 2 && preview.rewritten == 2)
        try await store.erase(preview)
        #expect(
            try store.history(of: lisbon.id).map(\.commit.author) == ["ana", "ben"] && !store.logContains("secret"))
        // What is erased of one author's is nothing of the other's.
        let ofBen = try await store.previewErasing(lisbon.id, author: "ben")
        #expect(ofBen.fields == [["destination"]] && ofBen.others.map(\.author) == ["ana"])
        try await store.erase(ofBen)
        #expect(try store.trip(lisbon.id)?.destination == "")
        try await store.undo(.correlation(work))
        #expect(try store.trip(lisbon.id) == nil)
        try await store.expectInvariants()
    }

    @Test("With the history of a set its removed elements go, whose keys say what they were, and the others stay")
    func removedElements() async throws {
        let store = try await TripStore.test(schema: SharedCollections.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"), by: "ana")
        try await store.edit(lisbon, by: "ben") { $0[Trip.packed]["secret"] = true }
        try await store.edit(lisbon) { $0[Trip.packed]["socks"] = true }
        try await store.edit(lisbon) { $0[Trip.packed]["secret"] = nil }
        // As long as another author's addition stays, so does what removed it.
        let ofAna = try await store.previewErasing(lisbon, history: true, author: "ana")
        #expect(ofAna.count == 0)
        try await store.erase(store.previewErasing(lisbon, history: true))
        let trip = try #require(try store.trip(lisbon))
        #expect(trip[Trip.packed] == ["socks": true] && trip.name == "Lisbon")
        #expect(try !store.logContains("secret"))
        try await store.expectInvariants()
    }

    @Test("If the entity changed since the plan, nothing is erased, and a new plan is needed")
    func changedSince() async throws {
        let store = try await TripStore.test()
        let lisbon = try await Self.noted(store)
        let preview = try await store.previewErasing(lisbon, fields: ["notes"])
        try await store.edit(lisbon) { $0.destination = "Porto" }
        let error = try await #require(throws: TripStoreError.self) { try await store.erase(preview) }
        #expect(error.code == .versionConflict && error.entity == lisbon.reference)
        #expect(try store.trip(lisbon)?.notes == "secret 2")
        try await store.erase(store.previewErasing(lisbon, fields: ["notes"]))
        #expect(try store.trip(lisbon)?.destination == "Porto" && store.trip(lisbon)?.notes == "")
        try await store.expectInvariants()
    }

    @Test("A field of a kind in a namespace is erased by its name")
    func namespacedKind() async throws {
        let store = try await TripStore.test()
        let ana = try await store.create(Traveller(name: "Ana"))
        try await store.edit(ana) { $0.notes = "secret" }
        let preview = try await store.previewErasing(ana, fields: ["notes"])
        #expect(preview.count == 1 && preview.rewritten == 0)
        try await store.erase(preview)
        #expect(try store.entity(ana)?.name == "Ana" && store.entity(ana)?.notes == "" && !store.logContains("secret"))
        try await store.expectInvariants()
    }

    @Test("What is written anew of an import's commit goes on being the import's, by the mark of the commit")
    func importMarks() {
        for part in ImportMark.Part.allCases {
            let anew = RewriteMark.causation(of: ImportMark(part, of: .zero).causation)
            #expect(RewriteMark.isOne(anew) && ImportMark(anew)?.part == part)
            #expect(RewriteMark.causation(of: anew) == anew)
        }
        let plain = RewriteMark.causation(of: nil)
        #expect(RewriteMark.isOne(plain) && ImportMark(plain) == nil)
        #expect(plain.uuidString == "616E6577-0000-8000-8000-000000000000")
    }
}
