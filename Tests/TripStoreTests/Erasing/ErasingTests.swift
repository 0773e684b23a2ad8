import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("Erasing an entity")
struct ErasingTests {
    @Test("A trip goes with everything that was ever under it, and nothing else does")
    func wholeTrip() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Secret Lisbon"), by: "ana")
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Secret tram", in: lisbon))
        let bus = try await store.create(Activity(name: "Secret bus", in: lisbon))
        try await store.edit(bus) { $0.trip = porto }
        let cafe = try await store.create(Lodging(name: "Secret inn", in: lisbon))
        try await store.delete(cafe)
        let edit = try await store.edit(lisbon) { $0.notes = "Secret note" }
        try await store.undo(edit)
        let walk = try await store.create(Activity(name: "Walk", in: porto))

        let preview = try await store.previewErasing(lisbon)
        #expect(preview.count == 8 && preview.commits.count == 8)
        let entities: Set = [lisbon.reference, tram.reference, bus.reference, cafe.reference]
        #expect(Set(preview.commits.flatMap(\.events).map(\.entity)) == entities)
        #expect(preview.commits.map(\.position).sorted() == preview.commits.map(\.position))
        #expect(preview.commits.first?.author == "ana" && preview.commits.last?.info.undoing == .undo)
        #expect(preview.refused.isEmpty && preview.others.isEmpty && preview.rewritten == 0)
        // A plan changes nothing.
        #expect(try store.trip(lisbon)?.name == "Secret Lisbon" && store.erasures().isEmpty)

        let erasures = try await store.erase(preview)
        #expect(erasures.reduce(0) { $0 + $1.events } == 8)
        #expect(erasures.allSatisfy { $0.state == .removed && $0.eraser == store.replica })
        #expect(try store.trip(lisbon) == nil && store.trip(porto)?.name == "Porto")
        #expect(try store.entity(tram) == nil && store.entity(bus) == nil && store.entity(cafe) == nil)
        #expect(try store.entity(walk)?.name == "Walk")
        #expect(try !store.logContains("Secret") && store.logContains("Walk"))
        let error = try await #require(throws: TripStoreError.self) { try await store.previewErasing(lisbon) }
        #expect(error.code == .unknownEntity && error.entity == lisbon.reference)
        #expect(throws: TripStoreError.self) { try store.history(of: lisbon) }
        #expect(try await TripStore.verify(at: store.folder).isIntact)
        try await store.expectInvariants()
    }

    @Test("An item goes alone, in every form that it had, and its trip stays")
    func item() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Secret tram", in: lisbon))
        let walk = try await store.create(Activity(name: "Walk", in: lisbon))
        let preview = try await store.previewErasing(tram)
        #expect(preview.count == 1)
        try await store.erase(preview)
        #expect(try store.entity(tram) == nil && store.entity(walk)?.name == "Walk")
        #expect(try store.trip(lisbon)?.name == "Lisbon" && !store.logContains("Secret"))
        try await store.expectInvariants()
    }

    @Test("Of a commit with other events these stay, with their author; of one without others the author goes too")
    func partsOfCommits() async throws {
        let store = try await TripStore.test()
        let (secret, open) = (Trip(name: "Secret"), Trip(name: "Open"))
        try await store.append([.created(secret), .created(open)], by: "penelope")
        try await store.edit(secret.id, by: "benedict") { $0.notes = "Secret note" }
        let erasures = try await store.erase(store.previewErasing(secret.id))
        #expect(erasures.reduce(0) { $0 + $1.events } == 2)
        #expect(try store.trip(open.id)?.name == "Open" && store.logContains("penelope"))
        #expect(try !store.logContains("Secret") && !store.logContains("benedict"))
        #expect(try store.history(of: open.id).map(\.commit.author) == ["penelope"])
        try await store.erase(store.previewErasing(open.id))
        #expect(try !store.logContains("Open") && !store.logContains("penelope"))
        try await store.expectInvariants()
    }

    @Test("What does not count is erased as well")
    func voided() async throws {
        let store = try await TripStore.founded()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Secret tram", in: lisbon))
        try await store.void(store.status().position)
        #expect(try store.entity(tram) == nil && store.logContains("Secret tram"))
        let preview = try await store.previewErasing(lisbon)
        #expect(preview.commits.map(\.counts) == [true, false])
        try await store.erase(preview)
        #expect(try !store.logContains("Secret tram"))
        try await store.expectInvariants()
    }

    @Test("The bytes of an attachment that are stored anew while it is erased stay for the event that is to name them")
    func storedAnew() async throws {
        let clock = ManualClock()
        let store = try await TripStore.test(clock: clock)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon))
        let ticket = Data("Ticket".utf8)
        try await store.attach(ticket, to: tram.reference, as: "ticket.txt")
        let preview = try await store.previewErasing(tram)
        let time = try await store.noteErased(preview.contents)
        try await store.log.erase(preview.parts)
        clock.advance(by: 1000)
        let content = try await store.store(ticket)
        clock.advance(by: 1000)
        try await store.finishErasures(of: preview.contents, erasedAt: time)
        #expect(try preview.contents == [content] && store.contentFiles() == [content])
        try await store.attach(ticket, to: lisbon.reference, as: "ticket.txt")
        try await store.expectInvariants()
    }

    @Test("Asked again after a crash in between, the rest goes")
    func askedAgain() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock())
        let store = try await TripStore.test(clock: clock, at: folder.url)
        let lisbon = try await store.create(Trip(name: "Secret Lisbon"))
        let tram = try await store.create(Activity(name: "Secret tram", in: lisbon))
        try await store.attach(Data("Secret ticket".utf8), to: tram.reference, as: "ticket.txt")
        let preview = try await store.previewErasing(lisbon)
        let content = try #require(preview.contents.first)
        // As far as the trip's own commit.
        try await store.noteErased(preview.contents)
        let first = try #require(preview.parts.first { $0.key.sequence == preview.commits.first?.sequence })
        _ = try await store.log.erase([first.key: first.value])
        try await store.catchUp()
        #expect(try store.trip(lisbon) == nil && store.logContains("Secret tram"))

        let again = try await store.previewErasing(lisbon)
        #expect(again.count == 2 && again.contents == [content])
        // All events go, and the bytes of the attachment do not.
        try await store.noteErased(again.contents)
        _ = try await store.log.erase(again.parts)
        #expect(try !store.logContains("Secret") && store.contentFiles() == [content])
        await store.close()
        let opened = try await TripStore.test(clock: clock, at: folder.url)
        #expect(try opened.contentFiles() == [])
        try await opened.expectInvariants()
    }

    @Test(
        "Nothing is left to be undone, done again or restored, and a query as of a moment before shows what others are")
    func afterwards() async throws {
        let store = try await TripStore.test()
        let porto = try await store.create(Trip(name: "Porto"), by: "ana")
        let lisbon = try await store.create(Trip(name: "Secret Lisbon"), by: "ana")
        let edit = try await store.edit(lisbon, by: "ana") { $0.notes = "Secret note" }
        try await store.undo(edit, by: "ana")
        try await store.delete(lisbon, by: "ana")
        let before = try store.status().position
        try await store.erase(store.previewErasing(lisbon))
        let redone = try await #require(throws: TripStoreError.self) { try await store.redo(by: "ana") }
        #expect(redone.code == .nothingToUndo)
        let restored = try await #require(throws: TripStoreError.self) { try await store.restore(lisbon) }
        #expect(restored.code == .unknownEntity)
        #expect(try await store.asOf(before).trips(.undated).map(\.id) == [porto])
        // The newest work of which anything is left.
        try await store.undo(.last(by: "ana"))
        #expect(try store.trips(.undated).rows.isEmpty)
        try await store.expectInvariants()
    }

    @Test("A trip with more entities below it than a statement names goes as a whole")
    func many() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.append((0...Log.mostNames).map { .created(Activity(name: "Secret \($0)", in: lisbon)) })
        let preview = try await store.previewErasing(lisbon)
        #expect(preview.count == Log.mostNames + 2)
        try await store.erase(preview)
        #expect(try store.trip(lisbon) == nil && !store.logContains("Secret"))
        try await store.expectInvariants()
    }

    @Test("A store that is open for reading plans and lists, and erases nothing")
    func readOnly() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        try await store.erase(store.previewErasing(porto))
        let reader = try await TripStore.open(at: folder.url, options: .readOnly)
        let preview = try await reader.previewErasing(lisbon)
        #expect(preview.count == 1 && preview.refused.isEmpty)
        let erased = try #require(try reader.erasures().first)
        #expect(erased.events == 1 && erased.commits == 1 && erased.name == "test")
        let error = try await #require(throws: TripStoreError.self) { try await reader.erase(preview) }
        #expect(error.code == .readOnly)
        let second = try await #require(throws: TripStoreError.self) { try await reader.takeBack(erased) }
        #expect(second.code == .readOnly)
        await reader.close()
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        try await store.expectInvariants()
    }

    @Test("An entity of which nothing is held, and a field that there is not or must be, are refused")
    func refused() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let position = try store.status().position
        let unknown = try await #require(throws: TripStoreError.self) { try await store.previewErasing(Trip.ID.new()) }
        #expect(unknown.code == .unknownEntity)
        let misspelt = try await #require(throws: TripStoreError.self) {
            try await store.previewErasing(lisbon, fields: ["nots"])
        }
        #expect(misspelt.code == .unusableOption && misspelt.field == "nots" && misspelt.message.contains("notes"))
        let required = try await #require(throws: TripStoreError.self) {
            try await store.previewErasing(lisbon, fields: ["name"])
        }
        #expect(required.code == .unusableOption && required.field == "name")
        #expect(try await store.previewErasing(lisbon, fields: ["name"], history: true).count == 0)
        let description = EntityReference(kind: .schema, id: UUID())
        let fixed = try await #require(throws: TripStoreError.self) { try await store.previewErasing(description) }
        #expect(fixed.code == .notErasable)
        #expect(try store.status().position == position && store.erasures().isEmpty)
        try await store.expectInvariants()
    }
}
