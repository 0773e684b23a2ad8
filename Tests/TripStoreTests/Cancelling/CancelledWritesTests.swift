import Foundation
import StoreSupport
import Synchronization
import Testing
import TripStore
import TripStoreTestSupport

@Suite("Exchanges, loads and adoptions whose task is cancelled")
struct CancelledWritesTests {
    /// Trips so large that they are sent in several segments.
    private func write(_ count: Int, to store: TripStore) async throws {
        for number in 0..<count {
            try await store.create(Trip(name: "\(number)", notes: String(repeating: "x", count: 900_000)))
        }
    }

    @Test("An exchange that is cancelled keeps what came whole, shows it, says so, and goes on the next time")
    func exchange() async throws {
        let (store, other) = (try await TripStore.test(), try await TripStore.test(clock: ManualClock(seed: 2)))
        try await write(6, to: other)
        let outcome = await cancelled { cancel in
            try await store.exchange(with: .store(other)) { if $0.received.commits > 0 { cancel() } }
        }
        #expect(outcome.isCancelled)
        let came = try #require(try store.status().trips)
        #expect(came > 0 && came < 6)
        #expect(try store.status().views.allSatisfy { try $0.position == store.status().position })
        #expect(try store.peers().first?.lastError?.contains("cancelled") == true)
        #expect(store.runningExchanges.isEmpty)
        let report = try await store.exchange(with: .store(other))
        #expect(report.received.commits == 6 - came)
        #expect(try store.status().trips == 6 && store.peers().first?.lastError == nil)
        for store in [store, other] { try await store.expectInvariants() }
    }

    @Test("An exchange of a task that was cancelled before does nothing")
    func before() async throws {
        let (store, other) = (try await TripStore.test(), try await TripStore.test(clock: ManualClock(seed: 2)))
        try await write(1, to: other)
        let outcome = await cancelled { cancel in
            cancel()
            return try await store.exchange(with: .store(other))
        }
        #expect(outcome.isCancelled)
        #expect(try store.status().position == .start && store.journal != other.journal)
        for store in [store, other] { try await store.expectInvariants() }
    }

    @Test("A cancelled clone is continued, and nothing stays of one that received nothing")
    func clone() async throws {
        let other = try await TripStore.test()
        try await write(6, to: other)
        let parent = TemporaryFolder()
        let folder = parent.url.appendingPathComponent("clone")
        let options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock(seed: 2).dependencies)
        let early = await cancelled { cancel in
            try await TripStore.clone(.store(other), to: folder, options: options) { _ in cancel() }
        }
        #expect(early.isCancelled && !FileManager.default.fileExists(atPath: folder.path))
        let outcome = await cancelled { cancel in
            try await TripStore.clone(.store(other), to: folder, options: options) {
                if $0.received.commits > 0 { cancel() }
            }
        }
        #expect(outcome.isCancelled && TripStore.isUnfinishedClone(at: folder))
        let (store, report) = try await TripStore.clone(.store(other), to: folder, options: options)
        #expect(report.received.commits < 6)
        #expect(try store.status().trips == 6 && !TripStore.isUnfinishedClone(at: folder))
        for store in [store, other] { try await store.expectInvariants() }
    }

    /// A commit of a load that creates a trip, computed again whenever another writer was first.
    private final class Computed: ComputedCommit, Sendable {
        private let store: TripStore
        private let trip: Trip
        private let fault: (any Error)?
        let isStored = Mutex(false)

        /// With a fault it cannot be computed again.
        init(_ name: String, _ store: TripStore, fault: (any Error)? = nil) {
            self.store = store
            self.fault = fault
            trip = Trip(name: name)
        }

        var computed: ComputedEvents { ComputedEvents([.created(trip)], at: .start) }

        func compute(without refusal: (any Error)?) throws -> ComputedEvents {
            if let error = fault ?? refusal { throw error }
            return ComputedEvents([.created(trip)], at: try store.status().position)
        }

        func stored() { isStored.withLock { $0 = true } }
    }

    @Test(
        "A load that is cancelled stores what was appended before, also if another writer came in between",
        arguments: 0..<4)
    func loadBesideWriter(round: Int) async throws {
        let store = try await TripStore.test()
        let commits = (0..<6).map { Computed("\($0)", store) }
        let outcome = await cancelled { cancel in
            try await store.load { load in
                for commit in commits[..<3] { try await load.append(commit) }
                try await store.append([.created(Trip(name: "other"))])
                for commit in commits[3...] { try await load.append(commit) }
                cancel()
                try Task.checkCancellation()
            }
        }
        #expect(outcome.isCancelled)
        #expect(commits.allSatisfy { $0.isStored.withLock { $0 } })
        #expect(try store.status().trips == 7)
        try await store.expectInvariants()
    }

    @Test("A load whose commit cannot be computed anew ends with what was appended before it stored and counted")
    func failedComputation() async throws {
        let store = try await TripStore.test()
        struct Fault: Error {}
        let commits = (0..<5).map { Computed("\($0)", store, fault: $0 == 4 ? Fault() : nil) }
        await #expect(throws: Fault.self) {
            try await store.load { load in
                for commit in commits[..<2] { try await load.append(commit) }
                try await load.flush()
                try await store.append([.created(Trip(name: "other"))])
                for commit in commits[2...] { try await load.append(commit) }
                try await load.flush()
            }
        }
        let stored = commits.map { $0.isStored.withLock { $0 } }
        // One that was accepted before the fault is stored, and is known to be.
        let names = Set(try store.trips(.undated).rows.map(\.trip.name))
        #expect(stored == (0..<5).map { names.contains("\($0)") })
        #expect(names.contains("other") && !stored[4])
        try await store.expectInvariants()
    }

    @Test("A load that is cancelled stores and shows what was appended before, and nothing more")
    func load() async throws {
        let store = try await TripStore.test()
        let outcome = await cancelled { cancel in
            try await store.load { load in
                for name in ["a", "b"] { try await load.append([.created(Trip(name: name))]) }
                cancel()
                try await load.append([.created(Trip(name: "c"))])
            }
        }
        #expect(outcome.isCancelled)
        #expect(try store.status().trips == 2)
        try await store.expectInvariants()
    }

    /// Cancels the task of the second write.
    private final class SecondWrite: StoreInterceptor {
        private let writes = Mutex(0)

        func willWrite() async throws {
            let count = writes.withLock { writes in
                writes += 1
                return writes
            }
            if count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
        }

        func willRead() throws {}
    }

    @Test("An adoption that is cancelled keeps whole commits, and goes on the next time")
    func adoption() async throws {
        let other = try await TripStore.test()
        try await write(5, to: other)
        let store = try await TripStore.temporary(
            options: TripStore.Options(
                mapSize: 1 << 30, dependencies: ManualClock(seed: 2).dependencies
            ).intercepted(by: SecondWrite()))
        let outcome = await cancelled { _ in try await store.adopt(other) }
        #expect(outcome.isCancelled)
        #expect(try store.status().trips == 2)
        #expect(try await store.adopt(other).created == 3)
        #expect(try store.status().trips == 5)
        for store in [store, other] { try await store.expectInvariants() }
    }
}
