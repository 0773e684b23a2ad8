import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Collections on several replicas")
struct CollectionModelTests {
    @Test(
        "A list of 1,000 that three replicas move ends in one order, with every element once", arguments: Seeds.some(2))
    func movedList(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let clock = ManualClock(seed: seed)
        let first = try await TripStore.test(clock: clock, schema: SharedCollections.all)
        var trip = Trip(name: "Lisbon")
        trip[Trip.plan] = Array(0..<1_000)
        let lisbon = try await first.create(trip)
        var stores = [first]
        for _ in 0..<2 {
            stores.append(try await TripStore.test(journal: first.journal, clock: clock, schema: SharedCollections.all))
        }
        for store in stores.dropFirst() { try await first.exchange(with: .store(store)) }
        for _ in 0..<30 {
            let store = stores.randomElement(using: &generator) ?? first
            let (origin, target) = (
                Int.random(in: 0..<1_000, using: &generator), Int.random(in: 0..<1_000, using: &generator)
            )
            try await store.edit(lisbon) { $0[Trip.plan].insert($0[Trip.plan].remove(at: origin), at: target) }
        }
        try await SharedCollections.expectEqual(stores, lisbon)
        #expect(try first.trip(lisbon)?[Trip.plan].sorted() == Array(0..<1_000), "seed \(seed)")
    }

    @Test(
        "Whatever five replicas do to collections, two of them copies of each other, all hold what a model says",
        arguments: Seeds.some(4))
    func random(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let clock = ManualClock(seed: seed)
        let (folder, trip) = (TemporaryFolder(), Trip(name: "Lisbon"))
        let (stores, copy) = try await CopiedStores.five(in: folder, clock) { try await $0.create(trip) }
        defer { withExtendedLifetime(copy) {} }
        let lisbon = trip.id
        // Additions of two branches to one counter are a conflict, and the later sum counts: the copies count once they have ids of their own.
        let forked = stores[0].replica
        var models = [CollectionModel](repeating: CollectionModel(), count: 5)
        for step in 0..<150 {
            let place = Int.random(in: 0..<5, using: &generator)
            let text = "\(Int.random(in: 0..<5, using: &generator))"
            let count = Int.random(in: -9...9, using: &generator)
            let action = Int.random(in: 0..<8, using: &generator)
            if action == 0, stores[place].replica == forked { continue }
            if action == 7 {
                let other = (place + Int.random(in: 1..<5, using: &generator)) % 5
                try await stores[place].exchange(with: .store(stores[other]))
                models[place].merge(models[other])
                models[other] = models[place]
            } else {
                clock.advance(by: 10)
                try await stores[place].edit(lisbon) { trip in
                    switch action {
                    case 0: trip[Trip.visits] += count
                    case 1: trip[Trip.labels].insert(text)
                    case 2: trip[Trip.labels].remove(text)
                    case 3: trip[Trip.packed][text] = count > 0
                    case 4: trip[Trip.packed][text] = nil
                    case 5: trip[Trip.plan].insert(step, at: (trip[Trip.plan].count + 1) / 2)
                    default: if !trip[Trip.plan].isEmpty { trip[Trip.plan].removeFirst() }
                    }
                }
                let list = try #require(try stores[place].trip(lisbon))[Trip.plan]
                models[place].apply(action, step, text, count, list)
            }
            try models[place].expect(stores[place].trip(lisbon), "seed \(seed), step \(step)")
        }
        for store in stores[3...] { try await store.exchange(with: .store(stores[2])) }
        for store in stores[..<2] { try await store.exchange(with: .store(stores[2])) }
        try await SharedCollections.expectEqual(stores, lisbon)
        #expect(Set(stores.map(\.replica)).count == 5 && !stores.map(\.replica).contains(forked))
    }
}

/// What a replica holds of the collections, by the rules alone: additions and removals are known or not, and of writes to an entry the
/// last counts.
private struct CollectionModel {
    private var counts: [Int: Int] = [:]
    private var additions: [Int: String] = [:]
    private var removed: Set<Int> = []
    private var entries: [String: (step: Int, value: Bool?)] = [:]
    private var inserted: Set<Int> = []
    private var gone: Set<Int> = []

    private var labels: Set<String> { Set(additions.filter { !removed.contains($0.key) }.values) }

    mutating func apply(_ action: Int, _ step: Int, _ text: String, _ count: Int, _ list: [Int]) {
        switch action {
        case 0: counts[step] = count
        case 1: if !labels.contains(text) { additions[step] = text }
        case 2: removed.formUnion(additions.filter { $0.value == text }.keys)
        case 3: if entries[text]?.value != (count > 0) { entries[text] = (step, count > 0) }
        case 4: if entries[text]?.value != nil { entries[text] = (step, nil) }
        case 5: inserted.insert(step)
        default: gone.formUnion(inserted.subtracting(list))
        }
    }

    mutating func merge(_ other: CollectionModel) {
        counts.merge(other.counts) { $1 }
        additions.merge(other.additions) { $1 }
        removed.formUnion(other.removed)
        entries.merge(other.entries) { $0.step > $1.step ? $0 : $1 }
        inserted.formUnion(other.inserted)
        gone.formUnion(other.gone)
    }

    func expect(_ trip: Trip?, _ comment: Comment) throws {
        let trip = try #require(trip)
        #expect(trip[Trip.visits] == counts.values.reduce(0, +), comment)
        #expect(trip[Trip.labels] == labels, comment)
        #expect(trip[Trip.packed] == entries.compactMapValues(\.value), comment)
        #expect(trip[Trip.plan].sorted() == inserted.subtracting(gone).sorted(), comment)
    }
}
