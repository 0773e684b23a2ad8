import Events
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("What was put under a parent that another deleted")
struct ParentDeletionTests {
    @Test("Of an app's kinds it is a conflict too, which the parent's restoration resolves", arguments: [true, false])
    func conflict(isDeletedFirst: Bool) async throws {
        let pair = try await ConflictPair()
        let ana = try await pair.ana.create(Person("Ana", of: pair.lisbon))
        try await pair.exchange()
        let belonging = Belonging("Camera", of: ana)
        if isDeletedFirst {
            try await pair.ana.delete(ana)
            try await pair.ben.create(belonging)
        } else {
            try await pair.ben.create(belonging)
            try await pair.ana.delete(ana)
        }
        try await pair.exchange()
        for store in [pair.ana, pair.ben] {
            let conflicts = try store.conflicts().rows
            #expect(conflicts.map(\.subject) == [.parentDeletion(ana.reference)])
            #expect(conflicts.map(\.entity) == [belonging.id.reference])
            #expect(try store.entity(belonging.id) == nil)
        }
        let conflict = try #require(try pair.ana.conflicts().first)
        #expect(try pair.ana.conflict(named: conflict.id.short) == conflict)
        #expect(try pair.ana.blame(belonging.id).deletionConflicts == [conflict])
        try await pair.ana.resolve(conflict, taking: .superseded)
        try await pair.exchange()
        #expect(try pair.ben.entity(belonging.id)?.name == "Camera")
        #expect(try pair.ben.conflicts().isEmpty)
        try await pair.expectInvariants()
    }

    @Test("A child that denies the deletion stays, unfiled and in conflict, until it is moved")
    func denied() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.delete(pair.lisbon)
        let voucher = try await pair.ben.create(Voucher("Museum", of: pair.lisbon))
        try await pair.exchange()
        let conflict = try #require(try pair.ana.conflicts().first)
        #expect(conflict.subject == .parentDeletion(pair.lisbon.reference))
        #expect(try pair.ana.unfiled(Voucher.self).map(\.id) == [voucher])
        await #expect(throws: TripStoreError.self) { try await pair.ana.resolve(conflict, taking: .winner) }
        let porto = try await pair.ana.create(Trip(name: "Porto"))
        try await pair.ana.edit(voucher) { $0.trip = porto }
        #expect(try pair.ana.conflicts().isEmpty && pair.ana.unfiled(Voucher.self).isEmpty)
        try await pair.expectInvariants()
    }

    @Test(
        "A child that was seen, or moved since, is none, and one edit of it is no conflict with its parent's deletion")
    func none() async throws {
        let pair = try await ConflictPair()
        let ana = try await pair.ana.create(Person("Ana", of: pair.lisbon))
        let camera = try await pair.ana.create(Belonging("Camera", of: ana))
        try await pair.exchange()
        try await pair.ana.delete(ana)
        try await pair.ben.edit(camera) { $0.name = "Phone" }
        try await pair.exchange()
        #expect(try pair.ana.conflicts(includingResolved: true).isEmpty)
        try await pair.expectInvariants()
    }
}
