import Foundation
import Testing
import TripStore

@testable import FaultTesting

@Suite("Checks of what a fault left")
struct StoreCheckTests {
    private let place = ScratchFolder()
    // Checks keep files beside the folder.
    private var root: String { place.path + "/root" }

    /// The faults of the store `s`, on which `work` was done, after `lines` were said.
    private func faults(
        saying lines: (Trip.ID) -> [JournalLine], after work: (TripStore, Trip) async throws -> Void
    ) async throws -> [StoreFault.Kind] {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        var options = TripStore.Options()
        options.dependencies = .faulty(state: root + "/state", marks: FileOrigins())
        let trip = Trip(name: "Porto")
        do {
            let store = try await TripStore.open(at: URL(fileURLWithPath: root + "/s"), options: options)
            try await work(store, trip)
            await store.close()
        }
        var expectations = Expectations()
        for line in lines(trip.id) { expectations.note(line) }
        // As another process gets it.
        let check = StoreCheck(root: root, expectations: expectations, marks: FileOrigins())
        try check.save()
        return await (try StoreCheck(savedAt: root)).faults().map(\.kind)
    }

    @Test(
        "A replica id that a store took without being allowed to is a fault, and one that it may take is none",
        arguments: [0, 1])
    func renewals(allowed: Int) async throws {
        let faults = try await faults { trip in
            [.acknowledged(store: "s", trip: trip, name: "Porto")]
                + (0..<allowed).map { _ in .renewal(store: "s") }
        } after: { store, trip in
            try await store.create(trip)
            // The next opening finds the key missing.
            try FileManager.default.removeItem(atPath: root + "/s/replica.key")
        }
        #expect(faults.contains(.identity) == (allowed == 0), "\(faults)")
        #expect(!faults.contains(.lost) && !faults.contains(.invariant), "\(faults)")
    }

    @Test(
        "A store that was being moved is looked for under both names, and one that was moved under the new one",
        arguments: [
            { [.moving(store: "s", to: "later")] }, { [.moving(store: "before", to: "s")] },
            { [.moving(store: "before", to: "s"), .moved(store: "before", to: "s")] },
        ] as [@Sendable () -> [JournalLine]])
    func moves(lines: @Sendable () -> [JournalLine]) async throws {
        let lines = lines()
        guard case .moving(let first, _) = lines.first else { return }
        let faults = try await faults {
            [.acknowledged(store: first, trip: $0, name: "Porto")] + lines
        } after: {
            try await $0.create($1)
        }
        #expect(faults == [])
    }

    @Test("A write that was refused with a plain error and is there all the same is a fault")
    func refusedCreation() async throws {
        let faults = try await faults {
            [.begin(store: "s", trip: $0, name: "Porto"), .refused(store: "s", trip: $0, name: "Porto")]
        } after: {
            try await $0.create($1)
        }
        #expect(faults == [.refusedYetWritten])
    }

    @Test("It is one also where a later write has overwritten it")
    func refusedEdit() async throws {
        let faults = try await faults {
            [
                .acknowledged(store: "s", trip: $0, name: "Porto"), .begin(store: "s", trip: $0, name: "Lisbon"),
                .refused(store: "s", trip: $0, name: "Lisbon"), .begin(store: "s", trip: $0, name: "Braga"),
                .acknowledged(store: "s", trip: $0, name: "Braga"),
            ]
        } after: { store, trip in
            try await store.create(trip)
            for name in ["Lisbon", "Braga"] { try await store.edit(trip.id) { $0.name = name } }
        }
        #expect(faults == [.refusedYetWritten])
    }

    @Test("A write that was repeated though it was there is a fault")
    func repeated() async throws {
        let faults = try await faults {
            [.acknowledged(store: "s", trip: $0, name: "Porto"), .acknowledged(store: "s", trip: $0, name: "Lisbon")]
        } after: { store, trip in
            try await store.create(trip)
            for _ in 0..<2 {
                try await store.append([TripEvent(.edited, trip.id, [.set(\.name, "Lisbon")])])
            }
        }
        #expect(faults == [.repeated])
    }

    @Test("A trip that was erased and is shown is a fault")
    func shown() async throws {
        let faults = try await faults {
            [.acknowledged(store: "s", trip: $0, name: "Porto"), .erased(store: "s", trip: $0)]
        } after: {
            try await $0.create($1)
        }
        #expect(faults == [.remains])
    }

    @Test("A file that has the bytes of an erased trip is a fault, and without one there is none", arguments: [0, 1])
    func remains(files: Int) async throws {
        let faults = try await faults {
            [.erasing(store: "s", trip: $0), .erased(store: "s", trip: $0)]
        } after: { store, trip in
            var trip = trip
            trip.notes = Canary.text(of: trip.id)
            try await store.create(trip)
            try await store.erase(store.previewErasing(trip.id))
            for _ in 0..<files {
                try Data("left: \(trip.notes)".utf8).write(to: URL(fileURLWithPath: root + "/s/left"))
            }
        }
        #expect(faults == (files == 0 ? [] : [.remains]))
    }

    @Test("What was refused and is not there is as it should be, and so is what is there once after an unknown outcome")
    func sound() async throws {
        let refused = Trip.ID.new()
        let faults = try await faults {
            [
                .begin(store: "s", trip: refused, name: "Faro"), .refused(store: "s", trip: refused, name: "Faro"),
                .begin(store: "s", trip: $0, name: "Porto"), .unknown(store: "s", trip: $0, name: "Porto"),
                .acknowledged(store: "s", trip: $0, name: "Porto"), .begin(store: "s", trip: $0, name: "Lisbon"),
                .refused(store: "s", trip: $0, name: "Lisbon"),
            ]
        } after: {
            try await $0.create($1)
        }
        #expect(faults == [])
    }

    @Test("Writes of which it is not known whether they are there are counted until they are acknowledged")
    func unknown() {
        let (first, second) = (Trip.ID.new(), Trip.ID.new())
        var expectations = Expectations()
        for trip in [first, second] {
            expectations.note(.begin(store: "s", trip: trip, name: "Porto"))
            expectations.note(.unknown(store: "s", trip: trip, name: "Porto"))
        }
        #expect(expectations.unknown == 2)
        expectations.note(.acknowledged(store: "s", trip: second, name: "Porto"))
        #expect(expectations.unknown == 1)
        var again = Expectations()
        for line in expectations.lines.compactMap({ JournalLine($0.text) }) { again.note(line) }
        #expect(again.unknown == 1)
    }
}
