import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Conflicts")
struct ConflictTests {
    private let byAna: Authorship = "ana"
    private let byBen: Authorship = "ben"

    @Test("Two edits of one field that did not know of each other are a conflict, with both values and authors")
    func field() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.edit(pair.lisbon, by: byAna) { $0.name = "Faro" }
        try await pair.ben.edit(pair.lisbon, by: byBen) { $0.name = "Porto" }
        try await pair.exchange()
        for store in [pair.ana, pair.ben] {
            let conflicts = try store.conflicts()
            #expect(conflicts.count == 1)
            let conflict = try #require(conflicts.first)
            #expect(conflict.subject == .field(FieldPath(field: 1)))
            #expect(conflict.entity == pair.lisbon.reference)
            #expect(conflict.superseded.value.text == "Faro" && conflict.superseded.commit.author == "ana")
            #expect(conflict.winner.value.text == "Porto" && conflict.winner.commit.author == "ben")
            #expect(conflict.isOpen)
            #expect(try store.conflicts(of: pair.lisbon) == conflicts)
            #expect(Conflict.ID(conflict.id.description) == conflict.id)
            #expect(try store.conflict(conflict.id) == conflict)
            #expect(try store.conflict(named: conflict.id.short) == conflict)
            #expect(try store.blame(pair.lisbon).lines.first?.isContested == true)
        }
        // The id names the superseded write, so that it is the same on every replica.
        #expect(try pair.ana.conflicts().map(\.id) == pair.ben.conflicts().map(\.id))
        try await pair.expectInvariants()
    }

    @Test("Who saw a write of one replica has not seen one that another made in the same millisecond")
    func sameMillisecond() async throws {
        let journal = JournalID(UUID())
        var stores: [TripStore] = []
        for seed in 1...2 as ClosedRange<UInt64> {
            stores.append(
                try await .test(journal: journal, clock: ManualClock(milliseconds: 1_798_761_660_000, seed: seed)))
        }
        let id = UUID()
        // Both lines have the same length, so that all timestamps are equal.
        for store in stores {
            try await store.appendUnchecked([
                Event(verb: .created, entity: EntityReference(kind: .trip, id: id), changes: [])
            ])
        }
        let trip = Trip.ID(id)
        for (store, name) in zip(stores, ["Faro", "Porto"]) { try await store.edit(trip) { $0.name = name } }
        let written = try stores.map { store in try store.history(of: trip).last?.commit.timestamp }
        #expect(written[0] == written[1])
        // Whichever is superseded, the later edit has seen only one of them.
        for store in stores { try await store.edit(trip) { $0.name += " by night" } }
        for (from, to) in [(0, 1), (1, 0)] { try await stores[from].pass(to: stores[to]) }
        for store in stores {
            try await store.catchUp()
            let lost = try store.conflicts(includingResolved: true).map(\.superseded.value.text)
            let name = try #require(try store.trip(trip)?.name)
            let loser = name.hasPrefix("Faro") ? "Porto" : "Faro"
            #expect(Set(lost).contains(loser + " by night") && !lost.contains(name))
            try await store.expectInvariants()
        }
        #expect(try stores[0].conflicts().map(\.id) == stores[1].conflicts().map(\.id))
    }

    /// Two stores that continue separately under one id, with a trip in both; `edits` are what they write, at the same
    /// time or that many milliseconds apart.
    private func forked(
        apart: Int64 = 0, _ edits: [@Sendable (TripStore, Trip.ID) async throws -> Void]
    ) async throws -> (branches: [TripStore], trip: Trip.ID) {
        let folder = TemporaryFolder()
        func open(_ folder: TemporaryFolder, after milliseconds: Int64 = 0) async throws -> TripStore {
            let clock = ManualClock(seed: 1)
            clock.advance(by: milliseconds)
            var dependencies = clock.dependencies
            // The copy does not notice that it is one.
            dependencies.fileOrigin = { _ in nil }
            var options = TripStore.Options(mapSize: 1 << 30, dependencies: dependencies)
            options.foundsJournal = false
            return try await TripStore.open(at: folder.url, options: options)
        }
        let original = try await open(folder)
        let trip = try await original.create(Trip(name: "Lisbon"))
        await original.close()
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(at: folder.url, to: copy.url)
        var branches: [TripStore] = []
        for (folder, edit) in zip([folder, copy], edits) {
            let store = try await open(folder, after: Int64(branches.count) * apart)
            try await edit(store, trip)
            branches.append(store)
        }
        return (branches, trip)
    }

    @Test("What lies on another branch of a fork was not known to who deleted, and what lies on the same was")
    func deletionOnAFork() async throws {
        // A time that two branches share names neither.
        let (branches, trip) = try await forked(
            apart: 5,
            [
                { store, trip in try await store.edit(trip) { $0.notes = "sunscreen" } },
                { store, trip in
                    try await store.edit(trip) { $0.destination = "Portugal" }
                    try await store.delete(trip)
                },
            ])
        let ben = try await TripStore.test(
            journal: branches[0].journal, clock: ManualClock(milliseconds: 1_798_761_660_000, seed: 2))
        for branch in branches { try await branch.pass(to: ben) }
        try await ben.catchUp()
        let open = try ben.conflicts()
        #expect(open.map(\.superseded.value.text) == ["sunscreen"])
        // Ben holds both branches, and his writes say so.
        try await ben.resolve(try #require(open.first), taking: .winner)
        #expect(try ben.conflicts().isEmpty)
        // A deletion in view of only one branch did not see the other.
        let (apart, other) = try await forked([
            { store, trip in try await store.edit(trip) { $0.notes = "umbrella" } },
            { store, trip in for name in ["Faro", "Porto"] { try await store.edit(trip) { $0.name = name } } },
        ])
        let dan = try await TripStore.test(
            journal: apart[0].journal, clock: ManualClock(milliseconds: 1_798_761_660_000, seed: 4))
        try await apart[1].pass(to: dan)
        try await dan.catchUp()
        try await dan.delete(other)
        #expect(try dan.conflicts().isEmpty)
        try await apart[0].pass(to: dan)
        try await dan.catchUp()
        #expect(try dan.conflicts().map(\.superseded.value.text) == ["umbrella"])
        for store in [ben, dan] { try await store.expectInvariants() }
        #expect(try ben.trip(trip) == nil)
    }

    @Test(
        "What was seen on one branch of a fork is not seen on another with the same timestamp: neither counts as seen")
    func fork() async throws {
        let (branches, trip) = try await forked([
            { store, trip in try await store.edit(trip) { $0.name = "Faro" } },
            { store, trip in try await store.edit(trip) { $0.name = "Porto" } },
        ])
        let written = try branches.map { store in try store.history(of: trip).last?.commit }
        #expect(written[0]?.timestamp == written[1]?.timestamp && written[0]?.replica == written[1]?.replica)
        let ben = try await TripStore.test(
            journal: branches[0].journal, clock: ManualClock(milliseconds: 1_798_761_660_000, seed: 2))
        try await branches[0].pass(to: ben)
        try await ben.catchUp()
        try await ben.edit(trip) { $0.name = "Braga" }
        #expect(try ben.conflicts().isEmpty)
        try await branches[1].pass(to: ben)
        try await ben.catchUp()
        #expect(try ben.trip(trip)?.name == "Braga")
        #expect(Set(try ben.conflicts().map(\.superseded.value.text)) == ["Faro", "Porto"])
        try await ben.expectInvariants()
    }

    @Test(
        "Taking a side writes its value as having seen both, on every replica, and nothing where that stands already",
        arguments: TripStore.ConflictSide.allCases)
    func resolving(side: TripStore.ConflictSide) async throws {
        let pair = try await ConflictPair()
        try await pair.ana.edit(pair.lisbon) { $0.name = "Faro" }
        try await pair.ben.edit(pair.lisbon) { $0.name = "Porto" }
        try await pair.exchange()
        let conflict = try #require(try pair.ana.conflicts().first)
        try await pair.ana.resolve(conflict, taking: side, by: byAna)
        try await pair.exchange()
        for store in [pair.ana, pair.ben] {
            #expect(try store.trip(pair.lisbon)?.name == (side == .superseded ? "Faro" : "Porto"))
            #expect(try store.conflicts().isEmpty)
            let resolved = try store.conflicts(includingResolved: true)
            #expect(resolved.count == 1 && resolved.allSatisfy { !$0.isOpen })
        }
        let position = try pair.ana.read { $0.position }
        let again = try await pair.ana.resolve(conflict, taking: side)
        #expect(again.isUnchanged && again.position == position && again.entities == [pair.lisbon.reference])
        let other: TripStore.ConflictSide = side == .winner ? .superseded : .winner
        await #expect { try await pair.ana.resolve(conflict, taking: other) } throws: {
            ($0 as? TripStoreError)?.code == .conflictResolved
        }
        try await pair.expectInvariants()
    }

    @Test("Edits of different fields, of the same value, and of authors that saw each other's are no conflict")
    func harmony() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.edit(pair.lisbon) { $0.name = "Porto" }
        try await pair.ben.edit(pair.lisbon) { $0.name = "Porto" }
        try await pair.ben.edit(pair.lisbon) { $0.destination = "Portugal" }
        try await pair.exchange()
        try await pair.ana.edit(pair.lisbon) { $0.name = "Faro" }
        try await pair.exchange()
        #expect(try pair.ana.conflicts(includingResolved: true).isEmpty)
        try await pair.expectInvariants()
    }

    @Test("A form that was open while the field moved shows its conflict")
    func form() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let original = try #require(try store.trip(lisbon))
        try await store.edit(lisbon) { $0.name = "Faro" }
        var draft = original
        draft.name = "Porto"
        try await store.save(draft, from: original)
        #expect(try store.conflicts().map(\.superseded.value.text) == ["Faro"])
        try await store.expectInvariants()
    }

    @Test(
        "A conflict that nobody knows is refused",
        arguments: ["0-1", "7-1", "0-9", "0-deleted", "0-parent", "0-4000.07"])
    func unknown(place: String) async throws {
        let store = try await TripStore.test()
        let receipt = try await store.append([.created(Trip(name: "Lisbon"))])
        for hash in ["\(try #require(receipt.commit).hash)", String(repeating: "0", count: 64)] {
            let name = "\(hash).\(place)"
            let id = try #require(Conflict.ID(name))
            #expect(id.description == name)
            #expect(throws: TripStoreError.self) { try store.conflict(id) }
            #expect(throws: TripStoreError.self) { try store.conflict(named: name) }
            #expect(throws: TripStoreError.self) { try store.conflict(named: id.short) }
        }
        #expect(throws: TripStoreError.self) { try store.conflicts(of: Trip.ID.new()) }
        try await store.expectInvariants()
    }

    @Test(
        "Of three concurrent writes, each superseded one is in conflict with the winner until an author has seen both"
    )
    func threeWriters() async throws {
        let pair = try await ConflictPair()
        let carl = try await TripStore.test(
            journal: pair.ana.journal, clock: ManualClock(milliseconds: 1_798_761_720_000, seed: 3))
        try await pair.ana.pass(to: carl)
        try await pair.ana.edit(pair.lisbon) { $0.name = "a" }
        try await pair.ben.edit(pair.lisbon) { $0.name = "b" }
        try await carl.edit(pair.lisbon) { $0.name = "c" }
        try await pair.exchange()
        try await carl.pass(to: pair.ana)
        try await pair.ana.catchUp()
        let conflicts = try pair.ana.conflicts()
        #expect(Set(conflicts.map(\.superseded.value.text)) == ["a", "b"])
        #expect(conflicts.allSatisfy { $0.winner.value.text == "c" && $0.isOpen })
        #expect(Set(conflicts.map(\.id)).count == 2)
        let lost = try #require(conflicts.first { $0.superseded.value.text == "a" })
        try await pair.ana.resolve(lost, taking: .superseded)
        #expect(try pair.ana.trip(pair.lisbon)?.name == "a")
        #expect(try pair.ana.conflicts().isEmpty)
        try await pair.ana.pass(to: carl)
        try await carl.expectInvariants()
        try await pair.expectInvariants()
    }

    @Test("A conflict about a field of a newer version is resolved as well")
    func unknownField() async throws {
        let pair = try await ConflictPair()
        let path = FieldPath(field: 4000, key: [7])
        for (store, value) in [(pair.ana, UInt8(1)), (pair.ben, 2)] {
            let change = Change(path: path, value: [value])
            try await store.appendUnchecked([
                Event(verb: .edited, entity: pair.lisbon.reference, changes: [change])
            ])
        }
        try await pair.exchange()
        let conflict = try #require(try pair.ana.conflicts().first)
        #expect(conflict.subject == .field(path))
        #expect(Conflict.ID(conflict.id.description) == conflict.id)
        try await pair.ana.resolve(conflict, taking: .superseded)
        #expect(try pair.ana.read { try $0.record(of: pair.lisbon.reference)?.register(at: path)?.value } == [1])
        #expect(try pair.ana.conflicts().isEmpty)
        try await pair.expectInvariants()
    }

    @Test(
        "What is no name of a conflict is none",
        arguments: [
            "", "HASH", "HASH.0", "HASH-1", "HASH.0-", "HASH.0-1-2", "HASH.0-1.x", "HASH.00-1", "HASH.-1-1",
            "HASH.0-+1", "abcd.0-1",
            "HASH0.0-1", "HASH.0-Trip", "HASH.0-1.", "HASH.x-1",
        ])
    func malformed(text: String) async throws {
        let name = text.replacingOccurrences(of: "HASH", with: String(repeating: "5", count: 64))
        #expect(Conflict.ID(name) == nil)
    }
}
