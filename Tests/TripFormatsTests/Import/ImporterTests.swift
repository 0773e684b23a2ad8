import Foundation
import StoreSupport
import Synchronization
import Testing
import TravelingSnails
import TripStore

@testable import TripFormats

@Suite("The importer under difficulties")
struct ImporterTests {
    private let trip = Trip.ID(ExportFixture.id(1))

    @Test("What the store refuses is left out with a warning, what was written meanwhile is found, and the rest comes")
    func refusedRecords() async throws {
        let store = try await TripStore.test()
        let exported = try trips(ExportFixture(trips: [ExportFixture.trip(1), ExportFixture.trip(2)]))
        let (taken, good) = (exported[0], exported[1])
        let basis = ImportBasis(isOwnExport: false)
        func item(_ number: Int, in trip: TripValues) throws -> ImportRecord {
            let export = try ExportFixture(trips: [ExportFixture.trip(3, flights: [ExportFixture.flight(number)])])
            let flight = try #require(try trips(export).first?.exported.items.first)
            return .item(
                try ItemValues(flight, in: trip.id, zone: "UTC", currency: "USD"), organization: nil, of: trip)
        }
        let orphan = try #require(try trips(ExportFixture(trips: [ExportFixture.trip(9)])).first)
        let records: [ImportRecord] = try [
            .trip(taken), item(11, in: taken), .trip(good), item(12, in: good), item(13, in: orphan),
        ]
        let state = try ImportState(records.map(\.entity), basis, in: store)
        var draft = ImportDraft()
        for (record, decision) in zip(records, try state.decide(records)) {
            draft.append(record, decision, at: state.position)
        }
        // Before the load, so that its plan is outdated.
        try await store.create(Trip(id: taken.id, name: "Made meanwhile"))
        let tally = ImportTally(correlation: UUID())
        let batch = ImportBatch(draft, store, basis, tally)
        try await store.load { try await $0.append(batch) }
        let report = tally.report
        #expect(report.created == [.trip: 1, .transportation: 2])
        #expect(report.edited == [.trip: 1])
        #expect(report.skipped == [.transportation: 1])
        #expect(report.warnings.count == 1)
        #expect(report.events == 4)
        #expect(report.commits == 1)
        #expect(try store.trip(taken.id)?.name == "Trip 1")
        #expect(try store.items(of: good.id).count == 1)
        #expect(try store.trip(orphan.id) == nil)
        try await store.expectInvariants()
    }

    private func trips(_ export: ExportFixture) throws -> [TripValues] {
        var found: [TripValues] = []
        try export.withPath { path in
            try ExportFile(path: path).forEachTrip { found.append(TripValues($0, otherwise: nil)) }
        }
        return found
    }

    @Test("The first commit is small, and each has a quarter more than the one before, up to a thousand events")
    func growingCommits() throws {
        let trip = try #require(try trips(ExportFixture(trips: [ExportFixture.trip(1)])).first)
        let decision = ImportDecision(outcome: .created, events: [.created(Trip(name: "One of many"))])
        var draft = ImportDraft()
        var sizes: [Int] = []
        for _ in 0..<20 {
            while !draft.isFull { draft.append(.trip(trip), decision, at: Position(1)) }
            sizes.append(draft.records.count)
            draft = ImportDraft(after: draft)
        }
        #expect(sizes.first == 100 && sizes.last == 1_000)
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { min($0 + $0 / 4, 1_000) == $1 })
    }

    @Test("A device is refused at once, though it never ends", .timeLimit(.minutes(10)))
    func device() async throws {
        let store = try await TripStore.test()
        await #expect(throws: TextFormatError.self) { try await Importer(store: store).run(path: "/dev/zero") }
        try await store.expectInvariants()
    }

    @Test("A trip comes in one commit with its items, however many trips came before it, as long as they fit")
    func largeTrips() async throws {
        let store = try await TripStore.test()
        let notes = String(repeating: "n", count: 200_000)
        let small = (100..<160).map { ExportFixture.trip($0) }
        let large = ExportFixture.trip(1, flights: (1000..<1045).map { ExportFixture.flight($0, ["notes": notes]) })
        let report = try await importing(ExportFixture(trips: small + [large]), into: store)
        #expect(report.created == [.trip: 61, .transportation: 45])
        let position = try #require(try store.history(of: trip).first?.commit.position)
        for number in 1000..<1045 {
            let flight = Transportation.ID(ExportFixture.id(number))
            #expect(try store.history(of: flight).map(\.commit.position) == [position])
        }
        try await store.expectInvariants()
    }

    @Test("A trip that no commit can hold is cut up, and nothing is lost")
    func tripsBeyondACommit() async throws {
        let store = try await TripStore.test()
        let text = String(repeating: "n", count: 1 << 20)
        let full = ["name": text, "notes": text, "confirmation": text, "customLocationName": text]
        let flights = (1000..<1007).map { ExportFixture.flight($0, full) }
        let report = try await importing(
            ExportFixture(trips: [ExportFixture.trip(1, flights: flights, ["notes": text])]), into: store)
        #expect(report.created == [.trip: 1, .transportation: 7])
        #expect(report.commits == 3)
        #expect(report.warnings == [])
        #expect(try store.items(of: trip).count == 7)
        try await store.expectInvariants()
    }

    @Test("Where neither file nor option names a zone, UTC is called UTC, and so is the option's")
    func nameOfUTC() async throws {
        let bare = ExportFixture.flight(11, ["startTZId": "", "endTZId": ""])
        let export = try ExportFixture(trips: [ExportFixture.trip(1, flights: [bare])])
        for zone in [nil, TimeZone(identifier: "UTC")] {
            let store = try await TripStore.test()
            try await importing(export, into: store, ImportOptions(timeZone: zone))
            let flight = try #require(try store.entity(Transportation.ID(ExportFixture.id(11))))
            #expect(flight.start?.zone == "UTC")
            #expect(flight.end?.zone == "UTC")
            try await store.expectInvariants()
        }
    }

    @Test("An import's commits have the author and the correlation that are given, and the file as their causation")
    func authorship() async throws {
        let export = try ExportFixture(trips: [ExportFixture.trip(1, flights: [])])
        let store = try await TripStore.test()
        let work = UUID()
        let report = try await export.withFile {
            try await Importer(store: store).run(path: $0, by: Authorship(author: "ana", correlation: work))
        }
        #expect(report.correlation == work && report.commits > 0)
        #expect(try store.audit().dropFirst().allSatisfy { $0.author == "ana" && $0.correlation == work })
        for given in [Authorship(causation: UUID()), Authorship(appendID: AppendID())] {
            await #expect {
                try await export.withFile { _ = try await Importer(store: store).run(path: $0, by: given) }
            } throws: {
                ($0 as? TripStoreError)?.code == .unusableOption
            }
        }
        try await store.expectInvariants()
    }

    @Test("An import that is cancelled stops reading at once, and importing again goes on from there")
    func cancelled() async throws {
        let store = try await TripStore.test()
        let calls = Mutex(0)
        let task = Task {
            try await Importer(store: store).run(path: ExportFixture.planned) { progress in
                guard progress.stage == .importing else { return }
                calls.withLock { $0 += 1 }
                // Long enough for the cancellation below to come between two pieces of the file.
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
        while calls.withLock({ $0 }) == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let stopped = calls.withLock { $0 }
        try await Task.sleep(for: .milliseconds(200))
        #expect(calls.withLock { $0 } == stopped, "the reader goes on after the import has ended")

        let rest = try await Importer(store: store).run(path: ExportFixture.planned)
        let sum = { (kind: EntityKind) in (rest.created[kind] ?? 0) + (rest.unchanged[kind] ?? 0) }
        #expect(sum(.trip) == 649)
        #expect(sum(.transportation) == 842)
        #expect(rest.edited.isEmpty)
        #expect(try await Importer(store: store).run(path: ExportFixture.planned).events == 0)
        try await store.expectInvariants()
    }

    @Test("A mirror keeps what was moved into a trip, if the file may hold it in a trip that cannot be read")
    func movedFromTheUnreadable() async throws {
        let store = try await TripStore.test()
        let flight = Transportation.ID(ExportFixture.id(11))
        let other = Transportation.ID(ExportFixture.id(12))
        let flights = [ExportFixture.flight(11)]
        try await importing(
            ExportFixture(trips: [
                ExportFixture.trip(1, flights: flights), ExportFixture.trip(2, flights: [ExportFixture.flight(12)]),
            ]), into: store)
        try await store.move(flight, to: .init(ExportFixture.id(2)))

        let damaged = ExportFixture.trip(1, flights: flights, ["name": 1])
        let later = try ExportFixture(trips: [damaged, ExportFixture.trip(2)])
        let report = try await importing(later, into: store, ImportOptions(mirror: true))
        #expect(report.deleted == [.transportation: 1])
        #expect(try store.entity(flight) != nil)
        #expect(try store.entity(other) == nil)
        #expect(report.warnings.contains { $0.contains(flight.description) })

        // If all records can be read, items in none of the file's trips are deleted.
        let readable = try ExportFixture(trips: [ExportFixture.trip(1), ExportFixture.trip(2)])
        #expect(try await importing(readable, into: store, ImportOptions(mirror: true)).deleted == [.transportation: 1])
        try await store.expectInvariants()
    }

    @Test("What a person deleted after a mirror's deletion was taken back stays deleted")
    func personAfterMirror() async throws {
        let store = try await TripStore.test()
        let flight = Transportation.ID(ExportFixture.id(11))
        let with = try ExportFixture(trips: [ExportFixture.trip(1, flights: [ExportFixture.flight(11)])])
        let without = try ExportFixture(trips: [ExportFixture.trip(1)])
        try await importing(with, into: store)
        #expect(try await importing(without, into: store, ImportOptions(mirror: true)).events == 1)
        #expect(try await importing(with, into: store).restored == [.transportation: 1])
        try await store.delete(flight)
        let report = try await importing(with, into: store)
        #expect(report.skipped == [.transportation: 1])
        #expect(report.events == 0)
        #expect(try store.entity(flight) == nil)
        try await store.expectInvariants()
    }

    @discardableResult
    private func importing(
        _ export: ExportFixture, into store: TripStore, _ options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport {
        try await export.withFile { try await Importer(store: store, options: options).run(path: $0) }
    }
}
