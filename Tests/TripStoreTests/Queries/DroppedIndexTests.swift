import Events
import Foundation
import LMDB
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import ProjectionEngine
@testable import TripStore
@testable import Trips

@Suite("Indexes that are made, and those that another version drops")
struct DroppedIndexTests {
    private static let cheap = Query<Activity>().where { $0.cost < Money(minorUnits: 1_000, "EUR") }
    private static let name = "activity by cost"

    private static func options(
        _ clock: ManualClock, _ progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) -> TripStore.Options {
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: clock.dependencies, progress: progress)
        options.indexes = [Index(on: \Activity.cost)]
        return options
    }

    private static func fill(_ store: TripStore) async throws {
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.create(
            (0..<20).map { Activity(name: "Tram", in: trip, cost: Money(minorUnits: Int64($0 * 100), "EUR")) })
    }

    private static func state(of store: TripStore, _ name: String = name) throws -> IndexStatus.State? {
        try store.status().indexes.first { $0.name == name }?.state
    }

    @Test("The status names each index, and counts its rows if that is requested")
    func status() async throws {
        let store = try await TripStore.temporary(options: Self.options(ManualClock()))
        try await Self.fill(store)
        let status = try store.status(digests: true).indexes
        #expect(status.map(\.name) == status.map(\.name).sorted() && status.count == Index.builtIn.count + 1)
        #expect(status.allSatisfy { $0.state == .ready })
        #expect(status.first { $0.name == Self.name }?.rows == 20)
        #expect(status.first { $0.name == "activity by start" }?.rows == 20)
        #expect(status.first { $0.name == "lodging by start" }?.rows == 0)
        #expect(try store.status().indexes.allSatisfy { $0.rows == nil })
        try await store.expectInvariants()
    }

    @Test("What another version drops is missing, and made again with a write some minutes later")
    func dropped() async throws {
        let clock = ManualClock()
        let store = try await TripStore.temporary(options: Self.options(clock))
        try await Self.fill(store)
        // As a version does that does not know it.
        let generation = try #require(store.views.slot.serving)
        try generation.environment.write { transaction in
            let attached = try generation.attached(transaction.reading)
            let others = attached.views.filter { $0.definition != Index(on: \Activity.cost).bytes }
            try transaction.put(
                Generation.attachedKey,
                others.flatMap { view in
                    [view.number] + UInt16(clamping: view.definition.count).bigEndianBytes + view.definition
                }, in: generation.meta)
        }
        #expect(try Self.state(of: store) == .missing)
        #expect(try store.explain(Self.cheap).index == nil)
        let error = #expect(throws: TripStoreError.self) { try store.fetch(Self.cheap.scanning(atMost: 5)) }
        #expect(error?.code == .needsIndex)
        try await Self.fill(store)
        #expect(try Self.state(of: store) == .missing && store.count(Self.cheap) == 20)
        clock.advance(by: 600_000)
        try await Self.fill(store)
        #expect(try Self.state(of: store) == .ready && store.count(Self.cheap) == 30)
        #expect(try store.explain(Self.cheap).index == Self.name)
        #expect(try store.status(digests: true).indexes.first { $0.name == Self.name }?.rows == 60)
        try await store.expectInvariants()
    }

    @Test("While an index is made, progress is reported")
    func progress() async throws {
        let temporary = TemporaryFolder()
        let clock = ManualClock()
        var plain = Self.options(clock)
        plain.indexes = []
        var store = try await TripStore.open(at: temporary.url, options: plain)
        try await Self.fill(store)
        await store.close()
        let reported = Mutex<[BuildProgress]>([])
        store = try await TripStore.open(
            at: temporary.url, options: Self.options(clock) { progress in reported.withLock { $0.append(progress) } })
        #expect(try Self.state(of: store) == .ready)
        #expect(reported.withLock { $0 } == [BuildProgress(stage: .indexing, done: 0, total: 21)])
        #expect(store.views.attachingProgress == nil)
        try await store.expectInvariants()
        await store.close()
    }
}
