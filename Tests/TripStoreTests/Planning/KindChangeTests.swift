import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Changes of an item's kind")
struct KindChangeTests {
    private let byAna: Authorship = "ana"
    private let byBen: Authorship = "ben"

    private static func lodging(_ item: TripItem.ID) throws -> Lodging.ID {
        guard case .lodging(let id) = item else { throw TripStoreError(.unknownEntity, "\(item) is no lodging.") }
        return id
    }

    @Test("The item goes on with its fields, travellers and attachments, and one undo and redo take it back and forth")
    func wholeItem() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let eva = try await store.create(Traveller(name: "Eva"))
        var room = Activity(
            name: "Reserved", in: trip, from: .sample(0), until: .sample(600), cost: Money("80", "EUR"),
            reservation: "QX7", notes: "courtyard", address: Address(city: "Lisboa"))
        (room.participants, room.payer, room.links) = ([eva], eva, [Link("https://rooms.example")])
        try await store.create(room)
        let ticket = try await store.attach(Data("ticket".utf8), to: room.id.reference, as: "ticket.txt")
        let changed = try await store.changeKind(of: .activity(room.id), to: .lodging, by: "ana")
        let position = try store.status().position
        let id = try Self.lodging(changed)
        let stay = try #require(try store.entity(id))
        #expect(stay.name == "Reserved" && stay.trip == trip && stay.start == room.start && stay.end == room.end)
        #expect(stay.cost == room.cost && stay.reservation == "QX7" && stay.notes == "courtyard")
        #expect(stay.address == room.address && stay.links == room.links)
        #expect(stay.participants == [eva] && stay.payer == eva)
        #expect(try store.entity(room.id) == nil && store.items(of: trip).map(\.id) == [changed])
        #expect(try store.attachments(of: id).map(\.id) == [ticket])
        #expect(try store.conflicts(includingResolved: true).isEmpty)
        // The id follows from the first entity, which names the item as well.
        #expect(try await store.changeKind(of: .activity(room.id), to: .lodging) == changed)
        #expect(try store.status().position == position)

        let report = try await store.undo(.commit(position))
        #expect(report.kept.isEmpty, "\(report.kept)")
        #expect(try store.entity(room.id)?.notes == "courtyard" && store.entity(id) == nil)
        #expect(try store.attachments(of: room.id).map(\.id) == [ticket])
        let again = try await store.undo(try #require(report.receipts.first))
        #expect(again.kept.isEmpty, "\(again.kept)")
        #expect(try store.entity(room.id) == nil && store.entity(id)?.notes == "courtyard")
        #expect(try store.attachments(of: id).map(\.id) == [ticket])
        try await store.expectInvariants()
    }

    @Test("The history and the blame of the item go on from those of the entity before")
    func history() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let room = Activity(name: "Reserved", in: trip)
        let creation = try await store.append([.created(room)], by: "ana")
        let id = try Self.lodging(try await store.changeKind(of: .activity(room.id), to: .lodging, by: "ben"))
        let edit = try await store.edit(id, by: "eva") { $0.notes = "late" }
        let entries = try store.history(of: id).rows
        #expect(entries.map(\.event.verb) == [.created, .created, .deleted, .edited, .edited])
        #expect(entries.map(\.event.entity.kind) == [.activity, .lodging, .activity, .lodging, .lodging])
        #expect(entries.map(\.commit.author) == ["ana", "ben", "ben", "ben", "eva"])
        #expect(try store.history(of: room.id).rows == entries)
        let blame = try store.blame(id)
        #expect(blame.created?.hash == creation.commit?.hash && blame.deleted == nil)
        let lines = Dictionary(uniqueKeysWithValues: blame.lines.map { ($0.field.name, $0.commit) })
        #expect(lines["name"]?.hash == creation.commit?.hash && lines["trip"]?.hash == creation.commit?.hash)
        #expect(lines["notes"]?.hash == edit.commit?.hash && lines["supersedes"]?.author == "ben")
        try await store.expectInvariants()
    }

    @Test("A change back goes on with the first entity, and whole days stay the same ones")
    func back() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let days = Day(2027, 6, 24)...Day(2027, 6, 27)
        let room = try await store.create(Activity(name: "Reserved", in: trip, days: days))
        let id = try Self.lodging(try await store.changeKind(of: .activity(room), to: .lodging))
        #expect(try store.entity(id)?.startDay == Day(2027, 6, 24) && store.entity(id)?.endDay == Day(2027, 6, 28))
        try await store.edit(id) { $0.checkIn = .sample(0) }
        let journey = try await store.changeKind(of: .lodging(id), to: .transportation)
        #expect(
            try store.items(of: trip).map(\.id) == [journey] && store.items(of: trip).first?.endDay == Day(2027, 6, 27))
        #expect(try await store.changeKind(of: .lodging(id), to: .activity) == .activity(room))
        #expect(try store.entity(room)?.endDay == Day(2027, 6, 27) && store.items(of: trip).count == 1)
        // What only stays have is there again.
        #expect(try await store.changeKind(of: journey, to: .lodging) == .lodging(id))
        #expect(try store.entity(id)?.checkIn == .sample(0) && store.items(of: trip).count == 1)
        try await store.expectInvariants()
    }

    @Test("Changes of the kind are undone one after another")
    func undoneInTurn() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let room = try await store.create(Activity(name: "Reserved", in: trip))
        let stay = try await store.changeKind(of: .activity(room), to: .lodging)
        let first = try store.status().position
        try await store.changeKind(of: stay, to: .transportation)
        let second = try store.status().position
        #expect(try await store.undo(.commit(second)).kept.isEmpty)
        #expect(try store.items(of: trip).map(\.id) == [stay])
        #expect(try await store.undo(.commit(first)).kept.isEmpty)
        #expect(try store.items(of: trip).map(\.id) == [.activity(room)])
        try await store.expectInvariants()
    }

    @Test(
        "A change of the kind stays whole if another wrote to the item since, as an edit or an attachment",
        arguments: [true, false])
    func inUse(isEdit: Bool) async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let room = try await store.create(Activity(name: "Reserved", in: trip))
        let stay = try await store.changeKind(of: .activity(room), to: .lodging)
        let position = try store.status().position
        if isEdit {
            try await store.edit(Self.lodging(stay), by: "ben") { $0.notes = "late" }
        } else {
            try await store.attach(Data("ticket".utf8), to: stay.reference, as: "ticket.txt", by: "ben")
        }
        let report = try await store.undo(.commit(position))
        #expect(report.receipts.isEmpty && !report.kept.isEmpty)
        #expect(try store.items(of: trip).map(\.id) == [stay])
        try await store.expectInvariants()
    }

    @Test("A form that was superseded is not listed as deleted, and restoring it is refused")
    func superseded() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let room = try await store.create(Activity(name: "Reserved", in: trip))
        let stay = try await store.changeKind(of: .activity(room), to: .lodging)
        #expect(
            try store.read { try $0.deletedEntities().isEmpty && $0.entities(named: "Reserved", deleted: true).isEmpty }
        )
        let error = try await #require(throws: TripStoreError.self) { try await store.restore(room) }
        #expect(error.code == .alreadyExists && error.entity == stay.reference)
        try await store.delete(stay)
        #expect(try store.read { try $0.deletedEntities().map(\.entity) } == [stay.reference])
        try await store.restore(stay)
        #expect(try store.items(of: trip).map(\.id) == [stay])
        try await store.expectInvariants()
    }

    @Test("What is no item, or becomes none, is refused with a reason")
    func refused() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let room = try await store.create(Activity(name: "Reserved", in: trip))
        var error = try await #require(throws: TripStoreError.self) {
            try await store.changeKind(of: .activity(room), to: .trip)
        }
        #expect(error.code == .unusableOption)
        error = try await #require(throws: TripStoreError.self) {
            try await store.changeKind(of: .activity(.new()), to: .lodging)
        }
        #expect(error.code == .unknownEntity)
        try await store.delete(room)
        error = try await #require(throws: TripStoreError.self) {
            try await store.changeKind(of: .activity(room), to: .lodging)
        }
        #expect(error.code == .deleted)
        try await store.expectInvariants()
    }

    // MARK: Two replicas

    /// A store that got what two have in one order, and then the other.
    private func merged(_ first: TripStore, _ second: TripStore, seed: UInt64) async throws -> TripStore {
        let store = try await TripStore.test(
            journal: first.journal, clock: ManualClock(seed: seed), schema: RelatedKinds.all)
        try await first.pass(to: store)
        try await second.pass(to: store)
        try await store.catchUp()
        try await store.expectInvariants()
        return store
    }

    @Test(
        "Two changes of the kind of one item at once leave one item, the later one's, in whatever order they arrive",
        arguments: [EntityKind.lodging, .transportation])
    func concurrent(kind: EntityKind) async throws {
        let pair = try await ConflictPair()
        let room = try await pair.ana.create(Activity(name: "Reserved", in: pair.lisbon, cost: Money("80", "EUR")))
        try await pair.exchange()
        let stay = try await pair.ana.changeKind(of: .activity(room), to: .lodging, by: byAna)
        let other = try await pair.ben.changeKind(of: .activity(room), to: kind, by: byBen)
        #expect((stay == other) == (kind == .lodging))
        for store in [
            try await merged(pair.ana, pair.ben, seed: 7), try await merged(pair.ben, pair.ana, seed: 8),
        ] {
            #expect(try store.items(of: pair.lisbon).map(\.id) == [other])
            #expect(try store.items(of: pair.lisbon).first?.cost == Money("80", "EUR"))
            #expect(try store.totals(of: pair.lisbon).costs.map { Int64($0.minorUnits) } == [8000])
            let conflicts = try store.conflicts().rows
            #expect(conflicts.map(\.entity) == (kind == .lodging ? [] : [stay.reference]))
            #expect(conflicts.allSatisfy { $0.subject == .deletion && $0.superseded.commit.author == "ana" })
        }
        try await pair.exchange()
        if let conflict = try pair.ana.conflicts().first {
            // The change that lost is made again.
            try await pair.ana.resolve(conflict, taking: .superseded)
            #expect(try pair.ana.items(of: pair.lisbon).map(\.id) == [stay])
            #expect(try pair.ana.conflicts().isEmpty)
        }
        try await pair.expectInvariants()
        #expect(try pair.ben.items(of: pair.lisbon).count == 1)
    }

    @Test(
        "Undoing a change of the kind while another replica changes it again leaves one item, that of the later write",
        arguments: [true, false])
    func concurrentUndo(undoIsLater: Bool) async throws {
        let journal = JournalID(UUID())
        let clocks = [ManualClock(seed: 1), ManualClock(seed: 2)]
        let ana = try await TripStore.test(journal: journal, clock: clocks[0], schema: RelatedKinds.all)
        let ben = try await TripStore.test(journal: journal, clock: clocks[1], schema: RelatedKinds.all)
        let trip = try await ana.create(Trip(name: "Lisbon"))
        let room = try await ana.create(Activity(name: "Reserved", in: trip))
        let stay = try await ana.changeKind(of: .activity(room), to: .lodging, by: byAna)
        let position = try ana.status().position
        try await ana.pass(to: ben)
        try await ben.catchUp()
        let journey: TripItem.ID
        if undoIsLater {
            journey = try await ben.changeKind(of: stay, to: .transportation, by: byBen)
            clocks[0].advance(by: 60_000)
            #expect(try await ana.undo(.commit(position)).kept.isEmpty)
        } else {
            #expect(try await ana.undo(.commit(position)).kept.isEmpty)
            clocks[1].advance(by: 60_000)
            journey = try await ben.changeKind(of: stay, to: .transportation, by: byBen)
        }
        for store in [try await merged(ana, ben, seed: 7), try await merged(ben, ana, seed: 8)] {
            #expect(try store.items(of: trip).map(\.id) == [undoIsLater ? .activity(room) : journey])
        }
        try await ana.expectInvariants()
        try await ben.expectInvariants()
    }

    @Test(
        "A deletion that knows nothing of a change of the kind leaves the item as what it became, whichever was first",
        arguments: [true, false])
    func concurrentDeletion(deletionIsLater: Bool) async throws {
        let pair = try await ConflictPair()
        let room = try await pair.ana.create(Activity(name: "Reserved", in: pair.lisbon))
        try await pair.exchange()
        let (changer, deleter) = deletionIsLater ? (pair.ana, pair.ben) : (pair.ben, pair.ana)
        let stay = try await changer.changeKind(of: .activity(room), to: .lodging)
        try await deleter.delete(room)
        try await pair.exchange()
        #expect(try pair.ana.items(of: pair.lisbon).map(\.id) == [stay] && pair.ana.conflicts().isEmpty)
        try await pair.expectInvariants()
    }

    @Test(
        "An edit of the entity before, made at once, is a conflict, and taking it edits the item that is there",
        arguments: [true, false])
    func concurrentEdit(editIsLater: Bool) async throws {
        let pair = try await ConflictPair()
        let room = try await pair.ana.create(Activity(name: "Reserved", in: pair.lisbon))
        try await pair.exchange()
        let (changer, editor) = editIsLater ? (pair.ana, pair.ben) : (pair.ben, pair.ana)
        let stay = try await changer.changeKind(of: .activity(room), to: .lodging)
        try await editor.edit(room) { $0.notes = "late" }
        try await pair.exchange()
        let conflict = try #require(try pair.ben.conflicts().first)
        #expect(conflict.subject == .deletion && conflict.entity == room.reference)
        #expect(conflict.superseded.value.text == "late")
        #expect(try pair.ana.conflicts(of: pair.lisbon).count == 1)
        try await pair.ben.resolve(conflict, taking: .superseded)
        #expect(try pair.ben.entity(Self.lodging(stay))?.notes == "late" && pair.ben.conflicts().isEmpty)
        try await pair.expectInvariants()
        #expect(try pair.ana.items(of: pair.lisbon).map(\.id) == [stay])
    }
}
