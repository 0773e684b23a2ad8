import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Appends that are repeated")
struct AppendIDTests {
    private static func authorship(_ id: AppendID) -> Authorship { Authorship(author: "ana", appendID: id) }

    /// Expects that a receipt names the same commit as an earlier one.
    private func expectRepeat(
        _ receipt: Receipt, of first: Receipt, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(!first.isRepeat && receipt.isRepeat, sourceLocation: sourceLocation)
        #expect(receipt.commit == first.commit && receipt.position == first.position, sourceLocation: sourceLocation)
        #expect(!receipt.isUnchanged, sourceLocation: sourceLocation)
        #expect(receipt.entities == first.entities, sourceLocation: sourceLocation)
        #expect(receipt.versions == first.versions, sourceLocation: sourceLocation)
    }

    @Test("The second attempt of an append writes nothing, and its receipt is that of the first, versions and all")
    func append() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Lisbon")
        let tram = Activity(name: "Tram", in: trip.id)
        let by = Self.authorship(AppendID())
        let first = try await store.append([.created(trip), .created(tram)], by: by)
        // Later commits do not matter.
        try await store.edit(trip.id) { $0.name = "Porto" }
        let again = try await store.append([.created(trip), .created(tram)], by: by)
        expectRepeat(again, of: first)
        #expect(try again.version(of: trip.id) != store.version(of: trip.id))
        #expect(again.isVisible)
        #expect(try store.trip(trip.id)?.name == "Porto")
        #expect(try store.status().position == Position(3))
        #expect(try store.commit(at: first.position)?.author == "ana")
        try await store.expectInvariants()
    }

    @Test("Every verb recognises its second attempt, whatever the first one left behind")
    func verbs() async throws {
        let store = try await TripStore.test()
        let (lisbon, porto) = (Trip(name: "Lisbon"), Trip(name: "Porto"))
        let ids = (0..<7).map { _ in AppendID() }
        for _ in 0..<2 { #expect(try await store.create(lisbon, by: Self.authorship(ids[0])) == lisbon.id) }
        try await store.create(porto)
        let tram = try await store.create(Activity(name: "Tram", in: lisbon.id, cost: Money(minorUnits: 100, "EUR")))

        var receipts: [Receipt] = []
        for _ in 0..<2 {
            let receipt = try await store.edit(tram, by: Self.authorship(ids[1])) { $0.cost?.minorUnits += 50 }
            receipts.append(receipt)
        }
        expectRepeat(receipts[1], of: receipts[0])
        #expect(try store.entity(tram)?.cost == Money(minorUnits: 150, "EUR"))

        var draft = lisbon
        draft.notes = "By train"
        let saved = [
            try await store.save(draft, from: lisbon, by: Self.authorship(ids[2])),
            try await store.save(draft, from: lisbon, by: Self.authorship(ids[2])),
        ]
        expectRepeat(saved[1], of: saved[0])

        let moved = [
            try await store.move(tram, to: porto.id, by: Self.authorship(ids[3])),
            try await store.move(tram, to: porto.id, by: Self.authorship(ids[3])),
        ]
        expectRepeat(moved[1], of: moved[0])

        let deleted = [
            try await store.delete(lisbon.id, by: Self.authorship(ids[4])),
            try await store.delete(lisbon.id, by: Self.authorship(ids[4])),
        ]
        expectRepeat(deleted[1], of: deleted[0])
        let restored = [
            try await store.restore(lisbon.id, by: Self.authorship(ids[5])),
            try await store.restore(lisbon.id, by: Self.authorship(ids[5])),
        ]
        expectRepeat(restored[1], of: restored[0])
        // Also after it was undone: it is not done again.
        expectRepeat(try await store.delete(lisbon.id, by: Self.authorship(ids[4])), of: deleted[0])
        #expect(try store.trip(lisbon.id) != nil)

        let faro = Trip(name: "Faro")
        var commits: [Receipt] = []
        for _ in 0..<2 {
            let receipt = try await store.commit(by: Self.authorship(ids[6])) { commit in
                commit.create(faro)
                commit.move(tram, to: faro.id)
            }
            commits.append(receipt)
        }
        expectRepeat(commits[1], of: commits[0])
        try await store.expectInvariants()
    }

    @Test("A conflict that was resolved with an id is not resolved twice")
    func resolving() async throws {
        let journal = JournalID(UUID())
        let ana = try await TripStore.test(journal: journal, clock: ManualClock(seed: 1))
        let ben = try await TripStore.test(journal: journal, clock: ManualClock(seed: 2))
        let trip = try await ana.create(Trip(name: "Lisbon"))
        try await ana.exchange(with: .store(ben))
        try await ana.edit(trip) { $0.name = "Porto" }
        try await ben.edit(trip) { $0.name = "Faro" }
        try await ana.exchange(with: .store(ben))
        let conflict = try #require(try ana.conflicts(of: trip).first)
        let by = Self.authorship(AppendID())
        let first = try await ana.resolve(conflict, taking: .superseded, by: by)
        expectRepeat(try await ana.resolve(conflict, taking: .superseded, by: by), of: first)
        #expect(try await ana.resolve(conflict, taking: .superseded).isUnchanged)
        // Another side, or another conflict of the same trip, is another write.
        let code = await code { try await ana.resolve(conflict, taking: .winner, by: by) }
        #expect(code == .appendIDReused)
        try await ana.exchange(with: .store(ben))
        try await ana.edit(trip) { $0.notes = "By train" }
        try await ben.edit(trip) { $0.notes = "By ship" }
        try await ana.exchange(with: .store(ben))
        let other = try #require(try ana.conflicts(of: trip).first)
        #expect(await self.code { try await ana.resolve(other, taking: .superseded, by: by) } == .appendIDReused)
        #expect(try ana.conflicts(of: trip).map(\.id) == [other.id])
        for store in [ana, ben] { try await store.expectInvariants() }
    }

    private func code(_ body: () async throws -> Void) async -> TripStoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? TripStoreError)?.code
        }
    }

    @Test("An id that was used for something else is refused, and nothing is written")
    func reused() async throws {
        let store = try await TripStore.test()
        let (lisbon, porto) = (Trip(name: "Lisbon"), Trip(name: "Porto"))
        let by = Self.authorship(AppendID())
        try await store.append([.created(lisbon)], by: by)
        try await store.create(porto)
        let position = try store.status().position
        func expectRefused(
            sourceLocation: SourceLocation = #_sourceLocation, _ attempt: () async throws -> Void
        ) async throws {
            let error = await #expect(throws: TripStoreError.self, sourceLocation: sourceLocation) {
                try await attempt()
            }
            #expect(error?.code == .appendIDReused, sourceLocation: sourceLocation)
            #expect(error?.entity == lisbon.id.reference, sourceLocation: sourceLocation)
            #expect(error?.message.contains("position 2") == true, sourceLocation: sourceLocation)
        }
        var other = lisbon
        other.name = "Lisboa"
        try await expectRefused { try await store.append([.created(other)], by: by) }
        try await expectRefused { try await store.append([.created(porto)], by: by) }
        try await expectRefused { try await store.append([.created(lisbon), .deleted(lisbon.id)], by: by) }
        try await expectRefused { try await store.delete(lisbon.id, by: by) }
        try await expectRefused { try await store.edit(porto.id, by: by) { $0.name = "Faro" } }
        try await expectRefused { try await store.save(other, from: lisbon, by: by) }
        #expect(try store.status().position == position)

        // A form that was changed after the first attempt is another write.
        let form = Self.authorship(AppendID())
        var draft = porto
        draft.name = "Faro"
        try await store.save(draft, from: porto, by: form)
        try await store.save(draft, from: porto, by: form)
        draft.notes = "By bus"
        let error = await #expect(throws: TripStoreError.self) { try await store.save(draft, from: porto, by: form) }
        #expect(error?.code == .appendIDReused)

        // A change without effect was left out the first time, and is no difference.
        let same = Self.authorship(AppendID())
        let original = try #require(try store.trip(porto.id))
        draft = original
        draft.destination = "Faro"
        draft.notes = "By train"
        try await store.edit(porto.id) { $0.notes = "By train" }
        let first = try await store.save(draft, from: original, by: same)
        try await store.edit(porto.id) { $0.notes = "On foot" }
        expectRepeat(try await store.save(draft, from: original, by: same), of: first)
        draft.notes = "On foot"
        let late = await #expect(throws: TripStoreError.self) {
            try await store.save(draft, from: original, by: same)
        }
        #expect(late?.code == .appendIDReused)
        try await store.expectInvariants()
    }

    @Test("What may take several commits takes no id")
    func several() async throws {
        let store = try await TripStore.test()
        let other = try await TripStore.test(clock: ManualClock(seed: 2))
        try await store.create(Trip(name: "Lisbon"))
        let by = Self.authorship(AppendID())
        let attempts: [() async throws -> Void] = [
            { try await store.undo(.last(by: ""), by: by) }, { try await store.redo(by: by) },
            { try await store.adopt(other, by: by) }, { try await store.load(by: by) { _ in } },
        ]
        for attempt in attempts {
            let error = await #expect(throws: TripStoreError.self) { try await attempt() }
            #expect(error?.code == .appendIDUnusable)
        }
        try await store.expectInvariants()
    }

    @Test("Of many tasks that append with one id one writes, and all learn of the same commit")
    func concurrently() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Lisbon")
        let by = Self.authorship(AppendID())
        let receipts = try await withThrowingTaskGroup(of: Receipt.self) { group in
            for _ in 0..<50 { group.addTask { try await store.append([.created(trip)], by: by) } }
            var receipts: [Receipt] = []
            for try await receipt in group { receipts.append(receipt) }
            return receipts
        }
        #expect(Set(receipts.map(\.commit)).count == 1)
        #expect(receipts.count { !$0.isRepeat } == 1)
        #expect(Set(receipts.map(\.versions)).count == 1)
        #expect(try store.status().position == Position(2))
        try await store.expectInvariants()
    }

    @Test("A process that was lost tries again after opening the store, also where it goes on as another replica")
    func afterLoss() async throws {
        let folder = TemporaryFolder()
        let trip = Trip(name: "Lisbon")
        let by = Self.authorship(AppendID())
        let first: Receipt
        do {
            let store = try await TripStore.test(at: folder.url)
            first = try await store.append([.created(trip)], by: by)
            await store.close()
        }
        do {
            let store = try await TripStore.test(at: folder.url)
            expectRepeat(try await store.append([.created(trip)], by: by), of: first)
            await store.close()
        }
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("replica.key"))
        let store = try await TripStore.test(at: folder.url)
        #expect(store.replica != first.commit?.replica)
        expectRepeat(try await store.append([.created(trip)], by: by), of: first)
        #expect(try store.status().position == Position(2))
        try await store.expectInvariants()
    }
}
