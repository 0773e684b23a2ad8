import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripProjections
@testable import TripStore
@testable import Trips

@Suite("The index of words, and live searches")
struct SearchViewsTests {
    /// With an index of words, and without one.
    private static let modes: [TripStore.Options.Search] = [.indexed, .scanned]

    private func store(_ search: TripStore.Options.Search) async throws -> TripStore { try await .searching(search) }

    private func found(
        _ text: String, in store: TripStore, kinds: [any TripEntity.Type] = [], trip: Trip.ID? = nil
    ) async throws -> [String] { try await store.names(found: text, kinds: kinds, in: trip) }

    @Test("A live search returns what it finds, and then what came, changed and went", arguments: modes)
    func live(mode: TripStore.Options.Search) async throws {
        let store = try await store(mode)
        let trip = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: trip))
        if store.searchViews.exists { try await store.searchViews.catchUp() }
        var updates = store.live(.search("tra")).makeAsyncIterator()
        #expect(try await updates.next()?.rows.map(\.name) == ["Tram"])
        let ferry = try await store.create(Activity(name: "Ferry", in: trip, notes: "behind the tram"))
        #expect(try await updates.next()?.changes.inserted == [ferry.reference])
        try await store.create(Activity(name: "Museum", in: trip))
        try await store.edit(ferry) { $0.notes = "in front of the trams" }
        #expect(try await updates.next()?.changes.changed == [ferry.reference])
        try await store.delete(tram)
        #expect(try await updates.next()?.changes.removed == [tram.reference])
        try await store.delete(trip)
        #expect(try await updates.next()?.rows.isEmpty == true)
        try await store.expectInvariants()
    }

    @Test("A live search that is cancelled while it looks at all entities ends without a result")
    func liveCancelled() async throws {
        let canceller = Canceller()
        let store = try await TripStore.temporary(
            options: TripStore.Options(
                mapSize: 1 << 30, dependencies: ManualClock().dependencies
            ).intercepted(by: canceller))
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.append((0..<400).map { .created(Activity(name: "Tram \($0)", in: trip)) })
        canceller.isOn = true
        let task = Task {
            var updates = store.live(.search("tram")).makeAsyncIterator()
            return try await updates.next()?.rows.count
        }
        #expect(try await task.value == nil)
        canceller.isOn = false
        var updates = store.live(.search("tram")).makeAsyncIterator()
        #expect(try await updates.next()?.rows.count == 50)
        try await store.expectInvariants()
    }

    @Test("A live search that looks at all entities does so on a thread of its own, for models as well")
    func liveThread() async throws {
        let threads = ReadingThreads()
        let store = try await TripStore.temporary(
            options: TripStore.Options(
                mapSize: 1 << 30, dependencies: ManualClock().dependencies
            ).intercepted(by: threads))
        let trip = try await store.create(Trip(name: "Lisbon"))
        threads.begin()
        var updates = store.live(.search("lis")).makeAsyncIterator()
        #expect(try await updates.next()?.rows.map(\.name) == ["Lisbon"])
        #expect(threads.names == ["tripstore.live"])
        let model = await LiveModel(store.live(.search("lis")))
        await until { model.rows.count == 1 }
        try await store.edit(trip) { $0.name = "Porto" }
        await until { model.phase.name == "empty" }
        #expect(!threads.names.contains("main"))
        // One that looks at a trip alone takes no longer than others.
        var few = store.live(.search("porto", in: trip)).makeAsyncIterator()
        #expect(try await few.next()?.rows.count == 1)
        #expect(threads.names.last != "tripstore.live")
        try await store.expectInvariants()
    }

    @Test("A live search says whether all was looked at, also when that alone changes")
    func liveCompleteness() async throws {
        let store = try await store(.scanned)
        let trip = try await store.create(Trip(name: "Lisbon"))
        let row = Trip(id: trip)
        let request = FetchRequest(rows: "the trip") { views, _ in
            try views.listed([row], isComplete: views.entity(trip)?.notes.isEmpty == true)
        }
        var updates = store.live(request).makeAsyncIterator()
        #expect(try await updates.next()?.isComplete == true)
        try await store.edit(trip) { $0.notes = "more than was looked at" }
        let update = try #require(try await updates.next())
        #expect(!update.isComplete && update.rows == [row] && update.changes.isEmpty)
        var found = store.live(.search("lis")).makeAsyncIterator()
        #expect(try await found.next()?.isComplete == true)
        try await store.expectInvariants()
    }

    @Test("A live phrase follows when its words change places")
    func livePhrase() async throws {
        let store = try await store(.indexed)
        let trip = try await store.create(Trip(name: "new york"))
        try await store.searchViews.catchUp()
        var updates = store.live(.search("\"new york\"")).makeAsyncIterator()
        #expect(try await updates.next()?.rows.count == 1)
        try await store.edit(trip) { $0.name = "york new" }
        #expect(try await updates.next()?.rows.isEmpty == true)
        try await store.edit(trip) { $0.name = "in new york" }
        #expect(try await updates.next()?.rows.count == 1)
        try await store.expectInvariants()
    }

    @Test("An acknowledged write is found once the views of words are there, and a search says up to where they are")
    func position() async throws {
        let store = try await store(.indexed)
        let receipt = try await store.commit { $0.create(Trip(name: "Lisbon")) }
        try await store.searchViews.catchUp(to: receipt.position)
        let found = try store.search("lisbon")
        #expect(found.count == 1 && found.position >= receipt.position && found.isComplete)
        #expect(try store.searchViews.position >= receipt.position && store.searchViews.fault == nil)
        let group = try #require(store.searchGroup)
        let hits = group.cacheStatistics.hits
        #expect(try store.search("lisbon") == found)
        #expect(group.cacheStatistics.hits == hits + 1)
        let scanned = try await self.store(.scanned)
        #expect(!scanned.searchViews.exists)
        #expect(throws: TripStoreError.self) { try scanned.searchViews.position }
        for store in [store, scanned] { try await store.expectInvariants() }
    }

    @Test("Replicas with the same commits have equal words, and a rebuild gives the same")
    func digests() async throws {
        let (a, b) = (try await store(.indexed), try await store(.indexed))
        let trip = try await a.create(Trip(name: "Lisbon", notes: "東京 Москва"))
        for index in 0..<20 { try await b.create(Trip(name: "Trip \(index)")) }
        try await a.exchange(withTest: b)
        try await a.edit(trip) { $0.name = "Lisbon and Porto" }
        try await b.edit(trip) { $0.notes = "Αθήνα" }
        try await a.exchange(withTest: b)
        for store in [a, b] { try await store.searchViews.catchUp() }
        func digests(_ store: TripStore) throws -> [Digest?] {
            try store.searchViews.status(digests: true).map(\.digest)
        }
        #expect(try digests(a) == digests(b))
        let before = try digests(a)
        try await a.searchViews.rebuild()
        #expect(try digests(a) == before)
        for store in [a, b] {
            #expect(try await found("porto αθηνα", in: store) == ["Lisbon and Porto"])
            try await store.expectInvariants()
        }
    }

    @Test("A question that begins too many words is answered from the first of them, whole words among them")
    func bound() async throws {
        let store = try await store(.indexed)
        for index in 0..<40 { try await store.create(Trip(name: "lamp\(index) lantern\(index)")) }
        let whole = try await store.create(Trip(name: "la"))
        try await store.searchViews.catchUp()
        let group = try #require(store.searchGroup)
        for (text, limit, isComplete) in [("la", 10, false), ("la", 1_000, true), ("la l", 20, false)] {
            let question = try #require(SearchQuestion(text))
            var index = SearchIndex(question, mostRows: limit)
            let found = try group.read { try index.candidates(in: $0) }
            #expect(found.isComplete == isComplete && found.found.contains { $0.entity == whole.reference })
            #expect(found.found.count <= limit)
            // Behind a cut there may be a better token, so that nothing is certain of what an entity counts.
            #expect(isComplete || !found.found.contains { $0.isSettled })
        }
        try await store.expectInvariants()
    }

    @Test("An index of words is kept between openings, and another's fields make another")
    func reopened() async throws {
        let place = TemporaryFolder()
        var options = TripStore.Options(mapSize: 1 << 30, search: .indexed, dependencies: ManualClock().dependencies)
        let plain = OwnSet<Trip, String>("org.example.search", 2, "hashtags")
        for (field, expected) in [(plain, 0), (Trip.hashtags, 1), (plain, 0)] {
            options.schema = [field]
            let store = try await TripStore.open(at: place.url, options: options)
            if try store.trips(.undated).isEmpty {
                let trip = try await store.create(Trip(name: "t"))
                try await store.edit(trip) { $0[Trip.hashtags] = ["beach"] }
            }
            #expect(try await found("beach", in: store).count == expected)
            try await store.expectInvariants()
            await store.close()
        }
        options.access = .readOnlyBuildingViews
        let reader = try await TripStore.open(at: place.url, options: options)
        #expect(try await found("t", in: reader) == ["t"])
        await reader.close()
    }
}

/// Cancels the task that reads, before it looks at anything.
private final class Canceller: StoreInterceptor {
    private let state = Mutex(false)

    var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func willWrite() async throws {}
    func willRead() throws { if isOn { withUnsafeCurrentTask { $0?.cancel() } } }
}

/// Notes the names of the threads that read.
private final class ReadingThreads: StoreInterceptor {
    private let noted = Mutex<[String]?>(nil)

    var names: [String] { noted.withLock { $0 ?? [] } }

    func begin() { noted.withLock { $0 = [] } }
    func willWrite() async throws {}
    func willRead() throws { noted.withLock { $0?.append(Thread.isMainThread ? "main" : Thread.current.name ?? "") } }
}
