import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Resolving conflicts of items")
struct ResolvingConflictsTests {
    private let byAna: Authorship = "ana"
    private let byBen: Authorship = "ben"

    /// An item that Ana moved to Porto, and Ben to Faro without having seen that. Ben's move won.
    private func moved() async throws -> (pair: ConflictPair, tram: Activity.ID, porto: Trip.ID, faro: Trip.ID) {
        let pair = try await ConflictPair()
        let porto = try await pair.ana.create(Trip(name: "Porto"))
        let faro = try await pair.ana.create(Trip(name: "Faro"))
        let tram = try await pair.ana.create(Activity(name: "Tram", in: pair.lisbon, from: .sample(1)))
        try await pair.exchange()
        try await pair.ana.move(tram, to: porto, by: byAna)
        try await pair.ben.move(tram, to: faro, by: byBen)
        try await pair.exchange()
        #expect(try pair.ana.entity(tram)?.trip == faro)
        return (pair, tram, porto, faro)
    }

    /// Tries to resolve, and expects the error that every verb throws for items of a missing trip.
    private func expectRefusal(
        _ store: TripStore, _ conflict: Conflict, _ side: TripStore.ConflictSide, _ trip: Trip.ID
    ) async throws {
        let position = try store.status().position
        await #expect { try await store.resolve(conflict, taking: side) } throws: {
            let error = $0 as? TripStoreError
            return error?.code == .unknownTrip && error?.entity == trip.reference
        }
        #expect(try store.status().position == position)
        #expect(try store.conflict(conflict.id).isOpen)
    }

    @Test("An item does not go into a deleted trip by resolving, and does once that is restored")
    func intoDeletedTrip() async throws {
        let (pair, tram, porto, faro) = try await moved()
        try await pair.ana.delete(porto)
        let conflict = try #require(try pair.ana.conflicts().first)
        #expect(conflict.subject == .field(FieldPath(field: 2)))
        try await expectRefusal(pair.ana, conflict, .superseded, porto)
        #expect(try pair.ana.items(of: faro).map(\.name) == ["Tram"])
        try await pair.ana.restore(porto)
        try await pair.ana.resolve(conflict, taking: .superseded)
        #expect(try pair.ana.items(of: porto).map(\.name) == ["Tram"])
        #expect(try pair.ana.entity(tram)?.trip == porto)
        try await pair.expectInvariants()
    }

    @Test("Neither does it stay in one, but it goes into the other")
    func outOfDeletedTrip() async throws {
        let (pair, tram, porto, faro) = try await moved()
        try await pair.ana.delete(faro)
        let conflict = try #require(try pair.ana.conflicts().first { $0.subject == .field(FieldPath(field: 2)) })
        try await expectRefusal(pair.ana, conflict, .winner, faro)
        try await pair.ana.resolve(conflict, taking: .superseded)
        #expect(try pair.ana.entity(tram)?.trip == porto)
        try await pair.expectInvariants()
    }

    @Test("A field of an item under a deleted trip is not written, and the item not restored under it")
    func underDeletedTrip() async throws {
        let pair = try await ConflictPair()
        let tram = try await pair.ana.create(Activity(name: "Tram", in: pair.lisbon, from: .sample(1)))
        let castle = try await pair.ana.create(Activity(name: "Castle", in: pair.lisbon, from: .sample(2)))
        try await pair.exchange()
        try await pair.ana.edit(tram, by: byAna) { $0.notes = "early" }
        try await pair.ben.edit(tram, by: byBen) { $0.notes = "late" }
        try await pair.ana.edit(castle, by: byAna) { $0.notes = "closed" }
        try await pair.ben.delete(castle, by: byBen)
        try await pair.exchange()
        let conflicts = try pair.ana.conflicts()
        #expect(conflicts.count == 2)
        try await pair.ana.delete(pair.lisbon)
        for conflict in conflicts { try await expectRefusal(pair.ana, conflict, .superseded, pair.lisbon) }
        try await pair.ana.restore(pair.lisbon)
        for conflict in conflicts { try await pair.ana.resolve(conflict, taking: .superseded) }
        #expect(try pair.ana.items(of: pair.lisbon).map(\.notes) == ["early", "closed"])
        try await pair.expectInvariants()
    }

    @Test("A field of what is deleted is not written before it is restored")
    func deletedEntity() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.edit(pair.lisbon, by: byAna) { $0.name = "Faro" }
        try await pair.ben.edit(pair.lisbon, by: byBen) { $0.name = "Porto" }
        try await pair.exchange()
        let conflict = try #require(try pair.ana.conflicts().first)
        try await pair.ana.delete(pair.lisbon)
        await #expect { try await pair.ana.resolve(conflict, taking: .superseded) } throws: {
            ($0 as? TripStoreError)?.code == .deleted
        }
        try await pair.ana.restore(pair.lisbon)
        try await pair.ana.resolve(conflict, taking: .superseded)
        #expect(try pair.ana.trip(pair.lisbon)?.name == "Faro")
        try await pair.expectInvariants()
    }
}
