import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Conflicts over deletions")
struct DeletionConflictTests {
    private let byAna: Authorship = "ana"
    private let byBen: Authorship = "ben"

    @Test("An edit of what another deleted meanwhile is a conflict; taking the edit restores it")
    func deletion() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.delete(pair.lisbon, by: byAna)
        try await pair.ben.edit(pair.lisbon, by: byBen) { $0.notes = "sunscreen" }
        try await pair.exchange()
        let conflict = try #require(try pair.ben.conflicts().first)
        #expect(conflict.subject == .deletion)
        #expect(conflict.superseded.commit.author == "ben" && conflict.superseded.value.text == "sunscreen")
        #expect(conflict.winner.commit.author == "ana")
        try await pair.ben.resolve(conflict, taking: .superseded)
        try await pair.exchange()
        #expect(try pair.ana.trip(pair.lisbon)?.notes == "sunscreen")
        #expect(try pair.ana.conflicts().isEmpty)
        try await pair.expectInvariants()
    }

    @Test("A deletion that comes after an edit which it had not seen is a conflict as well")
    func laterDeletion() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.edit(pair.lisbon, by: byAna) { $0.notes = "sunscreen" }
        try await pair.ben.delete(pair.lisbon, by: byBen)
        try await pair.exchange()
        #expect(try pair.ana.conflicts().map(\.subject) == [.deletion])
        try await pair.expectInvariants()
    }

    @Test("An item put into a trip that another deleted meanwhile is a conflict; taking it restores the trip")
    func itemOfDeletedTrip() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.delete(pair.lisbon)
        let tram = try await pair.ben.create(Activity(name: "Tram", in: pair.lisbon, from: .sample(1)))
        try await pair.exchange()
        let conflict = try #require(try pair.ana.conflicts().first)
        #expect(conflict.subject == .parentDeletion(pair.lisbon.reference))
        #expect(conflict.entity == tram.reference)
        #expect(try pair.ana.conflicts(of: pair.lisbon).rows == [conflict])
        #expect(try pair.ana.conflict(conflict.id) == conflict)
        try await pair.ana.resolve(conflict, taking: .superseded)
        #expect(try pair.ana.entity(tram)?.name == "Tram")
        #expect(try pair.ana.conflicts().isEmpty)
        try await pair.expectInvariants()
    }

    @Test("Deleting again after having seen the edit resolves a deletion's conflict")
    func deletedAgain() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.delete(pair.lisbon)
        try await pair.ben.edit(pair.lisbon) { $0.notes = "sunscreen" }
        try await pair.exchange()
        let conflict = try #require(try pair.ben.conflicts().first)
        try await pair.ben.resolve(conflict, taking: .winner)
        #expect(try pair.ben.trip(pair.lisbon) == nil)
        #expect(try pair.ben.conflicts().isEmpty)
        try await pair.expectInvariants()
    }

    @Test("An edit that a deletion had not seen is a conflict, also where the deletion saw a newer one of another")
    func olderEdit() async throws {
        let pair = try await ConflictPair()
        let clock = ManualClock(milliseconds: 1_798_761_720_000, seed: 3)
        let cid = try await TripStore.test(journal: pair.ana.journal, clock: clock)
        try await pair.ana.pass(to: cid)
        try await pair.ana.edit(pair.lisbon, by: byAna) { $0.notes = "sunscreen" }
        // Ben sees what Cid wrote later, but not what Ana wrote.
        try await cid.edit(pair.lisbon) { $0.destination = "Portugal" }
        try await cid.pass(to: pair.ben)
        try await pair.ben.catchUp()
        try await pair.ben.delete(pair.lisbon, by: byBen)
        try await pair.exchange()
        for store in [pair.ana, pair.ben] {
            let conflicts = try store.conflicts()
            #expect(conflicts.map(\.subject) == [.deletion])
            #expect(conflicts.map(\.superseded.value.text) == ["sunscreen"])
            #expect(conflicts.map(\.winner.commit.author) == ["ben"])
        }
        try await cid.expectInvariants()
        try await pair.expectInvariants()
    }

    @Test("A deletion that saw all edits, also by those who wrote in its replica's place before, is no conflict")
    func seen() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.edit(pair.lisbon) { $0.notes = "sunscreen" }
        try await pair.ben.edit(pair.lisbon) { $0.destination = "Portugal" }
        let tram = try await pair.ben.create(Activity(name: "Tram", in: pair.lisbon, from: .sample(1)))
        try await pair.exchange()
        try await pair.ana.delete(tram)
        try await pair.ana.delete(pair.lisbon)
        try await pair.exchange()
        #expect(try pair.ben.conflicts(includingResolved: true).isEmpty)
        try await pair.expectInvariants()
    }

    @Test("An item put into a trip before another deleted it, unseen, is a conflict; an item that was seen is none")
    func itemBeforeDeletion() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.create(Activity(name: "Castle", in: pair.lisbon, from: .sample(1)))
        try await pair.exchange()
        let tram = try await pair.ana.create(Activity(name: "Tram", in: pair.lisbon, from: .sample(2)), by: byAna)
        try await pair.ben.delete(pair.lisbon, by: byBen)
        try await pair.exchange()
        for store in [pair.ana, pair.ben] {
            let conflicts = try store.conflicts()
            #expect(conflicts.map(\.subject) == [.parentDeletion(pair.lisbon.reference)])
            #expect(conflicts.map(\.entity) == [tram.reference])
            #expect(try store.conflict(try #require(conflicts.first).id) == conflicts.first)
        }
        let conflict = try #require(try pair.ben.conflicts().first)
        try await pair.ben.resolve(conflict, taking: .superseded)
        try await pair.exchange()
        #expect(try pair.ana.entity(tram)?.name == "Tram")
        #expect(try pair.ana.conflicts().isEmpty)
        try await pair.expectInvariants()
    }

    @Test("An item whose creation was erased is in no open conflict over the deletion of its trip")
    func erasedCreation() async throws {
        let pair = try await ConflictPair()
        let porto = try await pair.ben.create(Trip(name: "Porto"))
        let tram = try await pair.ben.create(Activity(name: "Tram", in: porto, from: .sample(1)))
        let creation = try #require(try pair.ben.commit(at: pair.ben.status().position))
        try await pair.ana.delete(pair.lisbon)
        try await pair.ben.edit(tram) { $0.trip = pair.lisbon }
        try await pair.exchange()
        #expect(try pair.ana.conflicts().map(\.subject) == [.parentDeletion(pair.lisbon.reference)])
        try await pair.ben.erase(.all, in: creation.info.id)
        try await pair.ben.exchange(with: .store(pair.ana))
        for store in [pair.ana, pair.ben] {
            try await store.catchUp()
            #expect(try store.conflicts().isEmpty)
            let all = try store.conflicts(includingResolved: true)
            #expect(all.map(\.subject) == [.parentDeletion(pair.lisbon.reference)])
        }
        try await pair.expectInvariants()
    }

    @Test("The deletion of a trip that never arrived is in no conflict with what is put into it")
    func deletionAlone() async throws {
        let pair = try await ConflictPair()
        let (trip, item) = (Trip.ID.new(), Activity.ID.new())
        try await pair.ana.appendUnchecked([Event(verb: .deleted, entity: trip.reference)])
        let parent = Change(
            path: FieldPath(field: 2), value: trip.reference.kind.rawValue.bigEndianBytes + trip.uuid.bytes)
        try await pair.ana.appendUnchecked([Event(verb: .created, entity: item.reference, changes: [parent])])
        try await pair.ana.catchUp()
        #expect(try pair.ana.conflicts(includingResolved: true).isEmpty)
        #expect(try pair.ana.conflicts(of: trip, includingResolved: true).isEmpty)
        try await pair.expectInvariants()
    }

    @Test("A load that deletes says what it had seen")
    func loadedDeletion() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.edit(pair.lisbon) { $0.notes = "sunscreen" }
        let lisbon = pair.lisbon
        try await pair.ben.load { load in try await load.append([.deleted(lisbon)]) }
        let faro = try await pair.ben.create(Trip(name: "Faro"))
        try await pair.exchange()
        try await pair.ana.load { load in try await load.append([.deleted(faro)]) }
        try await pair.exchange()
        #expect(try pair.ben.conflicts(includingResolved: true).map(\.entity) == [lisbon.reference])
        try await pair.expectInvariants()
    }
}
