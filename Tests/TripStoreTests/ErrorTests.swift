import EventLog
import Foundation
import LogExchange
import Platform
import ProjectionEngine
import StoreSupport
import Testing
import TripStore
import TripStoreTestSupport

@Suite("Errors of the store's calls")
struct ErrorTests {
    private struct Own: Error {}

    private func error(
        _ code: TripStoreError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async throws -> TripStoreError {
        let thrown = await #expect(throws: TripStoreError.self, sourceLocation: sourceLocation) { try await body() }
        let error = try #require(thrown, sourceLocation: sourceLocation)
        #expect(error.code == code && !error.message.isEmpty, "\(error)", sourceLocation: sourceLocation)
        return error
    }

    @Test("A value that breaks a rule is named with its entity and field, and the rule is the cause's code")
    func values() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: " ")
        let named = try await error(.invalidValue) { try await store.create(trip) }
        #expect(named.field == "name" && named.entity == trip.reference)
        let cause = try #require(named.cause as? ValidationError)
        #expect(cause.code == .emptyName && named.description == "\(cause)")
        _ = try await error(.invalidValue) { try await store.load { try await $0.append([.created(trip)]) } }
        _ = try await error(.invalidValue) { try await store.commit { $0.create(trip) } }
        try await store.expectInvariants()
    }

    @Test("What the log, the views, the exchange and the medium refuse is the cause")
    func layers() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let reader = try await TripStore.open(at: folder.url, options: .readOnly)
        #expect(try await error(.readOnly) { try await reader.create(Trip(name: "Porto")) }.cause is EventLogError)
        _ = try await error(.readOnly) { try await reader.rebuildViews() }
        #expect(
            try await error(.noEffect) { try await store.grant(.write, to: store.replica) }.cause is EventLogError)
        #expect(try await error(.unknownView) { try await store.rebuildViews(["none"]) }.cause is ProjectionError)
        let other = try await TripStore.test(clock: ManualClock(seed: 2))
        try await other.create(Trip(name: "Porto"))
        #expect(try await error(.otherJournal) { try await store.exchange(with: .store(other)) }.cause is ExchangeError)
        _ = try await error(.sameStore) { try await store.exchange(with: .store(store)) }
        let nowhere = folder.url.appendingPathComponent("nowhere")
        _ = try await error(.notAStore) { try await store.exchange(with: .bundle(nowhere)) }
        _ = try await error(.unusableFile) { try await store.write(bundle: folder.url) }
        _ = try await error(.invalidFrontier) { _ = try store.frontier("nonsense") }
        #expect(try await error(.nested) { try store.read { _ in _ = try store.trip(lisbon) } }.cause is StorageError)
        await reader.close()
        for store in [store, other] { try await store.expectInvariants() }
        await store.close()
        _ = try await error(.closed) { _ = try store.trips() }
        _ = try await error(.closed) { _ = try store.history(of: lisbon) }
        _ = try await error(.closed) { try await store.create(Trip(name: "Faro")) }
        var live = store.live(lisbon).makeAsyncIterator()
        _ = try await error(.closed) { _ = try await live.next() }
    }

    @Test(
        "What a closure, an interceptor or a carrier of the app's throws comes out as it is, and so does a cancellation"
    )
    func own() async throws {
        let faults = FaultInjector()
        let store = try await TripStore.temporary(
            options: TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies).intercepted(
                by: faults))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        await #expect(throws: Own.self) { try await store.edit(lisbon) { _ in throw Own() } }
        await #expect(throws: Own.self) { try await store.commit { _ in throw Own() } }
        await #expect(throws: Own.self) { try await store.load { _ in throw Own() } }
        #expect(throws: Own.self) { try store.read { _ in throw Own() } }
        faults.failWrites(with: Own())
        await #expect(throws: Own.self) { try await store.create(Trip(name: "Porto")) }
        faults.failReads(with: CancellationError())
        #expect(throws: CancellationError.self) { try store.trips() }
        await #expect(throws: Own.self) { try await store.exchange(with: .peer(Broken())) }
        try await store.expectInvariants()
    }

    /// A carrier without a connection.
    private struct Broken: ExchangePeer {
        func greet(_ greeting: Greeting) async throws -> Greeting { throw Own() }
        func frontier() async throws -> Frontier { throw Own() }
        func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {}
        func store(_ segments: [LineSegment]) async throws -> Acknowledgement { throw Own() }
        func acknowledge(_ acknowledgement: Acknowledgement) async throws {}
    }
}
