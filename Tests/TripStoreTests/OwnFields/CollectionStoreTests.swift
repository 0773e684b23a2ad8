import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

extension Trip {
    fileprivate static let labels = OwnSet<Trip, String>("org.example.shared", 1, "labels") { $0 != "bad" }
    fileprivate static let packed = OwnMap<Trip, String, Bool>("org.example.shared", 2, "packed")
    fileprivate static let visits = OwnCounter<Trip>("org.example.shared", 3, "visits")
    fileprivate static let stops = OwnList<Trip, String>("org.example.shared", 4, "stops")
    fileprivate static let plan = OwnList<Trip, Int>("org.example.shared", 5, "plan")
}

@Suite("Apps' own collections in a store")
struct CollectionStoreTests {
    /// Two stores of one journal that both have a trip.
    private func pair(
        _ clock: ManualClock = ManualClock(), _ change: (inout Trip) -> Void
    ) async throws -> (TripStore, TripStore, Trip.ID) {
        let ana = try await TripStore.test(clock: clock)
        var trip = Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8))
        change(&trip)
        let lisbon = try await ana.create(trip)
        let ben = try await TripStore.test(journal: ana.journal, clock: clock)
        try await ana.exchange(with: .store(ben))
        return (ana, ben, lisbon)
    }

    private func expectEqual(_ stores: [TripStore], _ trip: Trip.ID) async throws {
        for store in stores.dropFirst() { try await stores[0].exchange(with: .store(store)) }
        for store in stores.dropFirst() { try await stores[0].exchange(with: .store(store)) }
        for store in stores {
            #expect(try store.trip(trip) == stores[0].trip(trip))
            try await store.expectInvariants()
        }
    }

    @Test("They are written with the entity and by edits, read, listed and shown in the past")
    func verbs() async throws {
        let store = try await TripStore.test()
        var trip = Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8))
        trip[Trip.labels] = ["sea"]
        trip[Trip.visits] = 2
        trip[Trip.stops] = ["Belém", "Sintra"]
        let lisbon = try await store.create(trip)
        let receipt = try await store.edit(lisbon, by: "ana") {
            $0[Trip.labels].insert("sun")
            $0[Trip.packed]["passport"] = true
            $0[Trip.visits] += 3
            $0[Trip.stops].swapAt(0, 1)
        }
        let row = try #require(try store.trips(.starting(in: Day(2027, 5, 1)..<Day(2027, 6, 1))).rows.first).trip
        let read = try #require(try store.trip(lisbon))
        #expect(row == read && read[Trip.labels] == ["sea", "sun"] && read[Trip.visits] == 5)
        #expect(read[Trip.stops] == ["Sintra", "Belém"] && read[Trip.packed] == ["passport": true])
        #expect(try await store.edit(lisbon) { $0[Trip.labels].insert("sun") }.isUnchanged)
        try await store.append([TripEvent(.edited, lisbon, [.add(2, to: Trip.visits), .add(-1, to: Trip.visits)])])
        #expect(try store.trip(lisbon)?[Trip.visits] == 6)
        let first = try #require(try store.history(of: lisbon).first).commit.position
        let past = try await store.asOf(.position(first))
        #expect(try past.trip(lisbon)?[Trip.stops] == ["Belém", "Sintra"])
        #expect(try past.trip(lisbon)?[Trip.visits] == 2)
        let changes = try #require(try store.history(of: lisbon).first { $0.commit.position == receipt.position })
            .event.changes.map { "\($0.field) \($0.new.text)" }
        #expect(changes.contains("labels sun") && changes.contains("packed[passport] yes"))
        #expect(changes.contains { $0.hasPrefix("visits[replica ") && $0.hasSuffix("] 5") })
        try await store.undo(receipt)
        let undone = try #require(try store.trip(lisbon))
        #expect(undone[Trip.labels] == ["sea"] && undone[Trip.packed].isEmpty && undone[Trip.visits] == 3)
        #expect(undone[Trip.stops] == ["Belém", "Sintra"])
        try await store.expectInvariants()
    }

    @Test("Concurrent changes of all kinds come together, without conflicts")
    func merging() async throws {
        let (ana, ben, lisbon) = try await pair {
            $0[Trip.labels] = ["sea", "sun"]
            $0[Trip.visits] = 1
            $0[Trip.stops] = ["a", "b", "c"]
        }
        try await ana.edit(lisbon, by: "ana") {
            $0[Trip.labels].remove("sea")
            $0[Trip.labels].insert("rain")
            $0[Trip.visits] += 2
            $0[Trip.stops].insert(contentsOf: ["1", "2", "3"], at: 1)
            $0[Trip.packed]["passport"] = true
        }
        try await ben.edit(lisbon, by: "ben") {
            $0[Trip.labels].insert("rain")
            $0[Trip.visits] += 4
            $0[Trip.stops].insert(contentsOf: ["4", "5", "6"], at: 1)
            $0[Trip.stops].remove(at: 5)
            $0[Trip.packed]["charger"] = false
        }
        try await expectEqual([ana, ben], lisbon)
        let trip = try #require(try ana.trip(lisbon))
        #expect(trip[Trip.labels] == ["sun", "rain"] && trip[Trip.visits] == 7)
        #expect(trip[Trip.packed] == ["passport": true, "charger": false])
        // Each run stays together. Ben removed c.
        let stops = trip[Trip.stops].joined()
        #expect(stops == "a123456b" || stops == "a456123b", "\(stops)")
        #expect(try ana.conflicts(of: lisbon).rows.isEmpty)
    }

    @Test("What another adds while it is removed stays, and of writes to one entry of a map the later counts")
    func concurrentRemoval() async throws {
        let clock = ManualClock()
        let (ana, ben, lisbon) = try await pair(clock) { $0[Trip.labels] = ["sea"] }
        try await ana.edit(lisbon) { $0[Trip.labels].remove("sea") }
        try await ben.edit(lisbon) { $0[Trip.labels].remove("sea") }
        try await ben.edit(lisbon) {
            $0[Trip.labels].insert("sea")
            $0[Trip.packed]["passport"] = false
        }
        clock.advance(by: 1)
        try await ana.edit(lisbon) { $0[Trip.packed]["passport"] = true }
        try await expectEqual([ana, ben], lisbon)
        let trip = try #require(try ben.trip(lisbon))
        #expect(trip[Trip.labels] == ["sea"] && trip[Trip.packed] == ["passport": true])
        #expect(try ben.conflicts(of: lisbon).rows.map(\.field) == ["packed[passport]"])
    }

    @Test("An undo takes back what its commit counted, once, whatever was counted since, and a redo counts it again")
    func undoneCounts() async throws {
        let (ana, ben, lisbon) = try await pair { $0[Trip.visits] = 10 }
        let first = try await ana.edit(lisbon, by: "ana") { $0[Trip.visits] += 5 }
        try await ana.edit(lisbon, by: "ana") { $0[Trip.visits] += 1 }
        try await ana.undo(first, by: "ana")
        #expect(try ana.trip(lisbon)?[Trip.visits] == 11)
        #expect(try await ana.undo(first, by: "ana").receipts.isEmpty)
        try await ana.redo(by: "ana")
        #expect(try ana.trip(lisbon)?[Trip.visits] == 16)
        try await ana.exchange(with: .store(ben))
        try await ben.edit(lisbon, by: "ben") { $0[Trip.visits] += 100 }
        // Both undo the same commit at the same time.
        let hash = try #require(try ana.history(of: lisbon).first { $0.commit.position == first.position }).commit.hash
        try await ana.undo(first, by: "ana")
        #expect(try ana.trip(lisbon)?[Trip.visits] == 11)
        let same = try #require(try ben.history(of: lisbon).first { $0.commit.hash == hash }).commit.position
        try await ben.undo(.commit(same), by: "ben")
        #expect(try ben.trip(lisbon)?[Trip.visits] == 111)
        try await expectEqual([ana, ben], lisbon)
        #expect(try ana.trip(lisbon)?[Trip.visits] == 111)
        try await ana.undo(.last(by: "ana"))
        #expect(try ana.trip(lisbon)?[Trip.visits] == 110)
        try await expectEqual([ana, ben], lisbon)
    }

    @Test("An undo takes back all that its commit counted, in several events and for several replicas")
    func undoneParts() async throws {
        let store = try await TripStore.test()
        let created = try await store.commit(by: "ana") { $0.create(Trip(name: "Lisbon")) }
        let lisbon = try #require(created.entities.first.flatMap { Trip.ID($0) })
        let twice = try await store.append([
            TripEvent(.edited, lisbon, [.add(1, to: Trip.visits)]),
            TripEvent(.edited, lisbon, [.add(2, to: Trip.visits)]),
        ])
        #expect(try store.trip(lisbon)?[Trip.visits] == 3)
        try await store.undo(twice)
        #expect(try store.trip(lisbon)?[Trip.visits] == 0)
        // Of two replicas, as an adoption brings them.
        let number = FieldChange<Trip>.add(0, to: Trip.visits).field
        let changes = [(UInt8(1), Int64(5)), (2, 7)].map { replica, count in
            Change(
                path: ElementKey(.share, [UInt8](repeating: replica, count: 16)).path(in: number),
                value: CounterShare.bytes(count))
        }
        let brought = Event(verb: .edited, entity: lisbon.reference, changes: changes)
        let appended = try #require(try await store.log.append(Payload(author: "ana", events: [brought])))
        try await store.catchUp()
        #expect(try store.trip(lisbon)?[Trip.visits] == 12)
        try await store.undo(.commit(appended.position))
        #expect(try store.trip(lisbon)?[Trip.visits] == 0)
        #expect(try await store.undo(.commit(appended.position)).receipts.isEmpty)
        #expect(try await store.undo(created).kept.isEmpty)
        #expect(try store.trip(lisbon) == nil)
        try await store.expectInvariants()
    }

    @Test("An undo of an insertion leaves what another put in its place where it was")
    func undoneInsertion() async throws {
        let (ana, ben, lisbon) = try await pair { $0[Trip.stops] = ["a", "b"] }
        let receipt = try await ana.edit(lisbon) { $0[Trip.stops].append("x") }
        try await ana.exchange(with: .store(ben))
        try await ben.edit(lisbon) { $0[Trip.stops][2] = "y" }
        try await ana.exchange(with: .store(ben))
        try await ana.undo(receipt)
        #expect(try ana.trip(lisbon)?[Trip.stops] == ["a", "b", "y"])
        try await expectEqual([ana, ben], lisbon)
    }

    @Test("10,000 elements are added and removed in one commit each")
    func many() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let elements = Set((0..<10_000).map { "\($0)" })
        try await store.edit(lisbon) { $0[Trip.labels] = elements }
        try await store.edit(lisbon) { $0[Trip.plan] = Array(0..<10_000).reversed() }
        #expect(try store.trip(lisbon)?[Trip.labels] == elements)
        try await store.edit(lisbon) {
            $0[Trip.labels] = ["0"]
            $0[Trip.plan].sort()
        }
        #expect(try store.trip(lisbon)?[Trip.labels] == ["0"])
        #expect(try store.trip(lisbon)?[Trip.plan] == Array(0..<10_000))
        try await store.expectInvariants()
    }

    @Test("An undone creation goes if all that was counted since was taken back, and stays otherwise")
    func undoneCreation() async throws {
        let store = try await TripStore.test()
        for takesBack in [true, false] {
            let receipt = try await store.commit(by: "ana") { $0.create(Trip(name: "Lisbon")) }
            let lisbon = try #require(receipt.entities.first.flatMap { Trip.ID($0) })
            let counted = try await store.edit(lisbon, by: "ana") { $0[Trip.visits] += 5 }
            if takesBack { try await store.undo(counted) }
            #expect(try await store.undo(receipt).kept.isEmpty == takesBack)
            #expect(try (store.trip(lisbon) == nil) == takesBack)
        }
        try await store.expectInvariants()
    }

    @Test("A counter that would leave the range of integers is refused, and nothing is written")
    func overflow() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0[Trip.visits] = .max }
        let position = try store.status().position
        let error = await #expect(throws: TripStoreError.self) {
            try await store.append([TripEvent(.edited, lisbon, [.add(1, to: Trip.visits)])])
        }
        #expect(error?.code == .invalidValue && error?.entity == lisbon.reference)
        await #expect(throws: TripStoreError.self) { try await store.edit(lisbon) { $0[Trip.labels].insert("bad") } }
        await #expect(throws: TripStoreError.self) {
            try await store.edit(lisbon) { $0[Trip.packed][String(repeating: "x", count: 1024)] = true }
        }
        #expect(try store.status().position == position)
        try await store.expectInvariants()
    }

    @Test("An append that is tried again counts once")
    func triedAgain() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let authorship = Authorship(author: "ana", appendID: AppendID())
        // The event is made anew, with another key.
        func changes() -> [FieldChange<Trip>] {
            [
                .add(5, to: Trip.visits), .insert("sea", into: Trip.labels), .add(-1, to: Trip.visits),
                .set(\.notes, "n"),
            ]
        }
        for isRepeat in [false, true] {
            let event = TripEvent(.edited, lisbon, changes())
            #expect(try await store.append([event], by: authorship).isRepeat == isRepeat)
        }
        #expect(try store.trip(lisbon)?[Trip.visits] == 4)
        let other = TripEvent(.edited, lisbon, [.insert("sun", into: Trip.labels)])
        let error = await #expect(throws: TripStoreError.self) { try await store.append([other], by: authorship) }
        #expect(error?.code == .appendIDReused)

        // A form with several new elements, which are given keys in any order.
        let original = try #require(try store.trip(lisbon))
        let form = Authorship(author: "ana", appendID: AppendID())
        for attempt in 0..<8 {
            var draft = original
            draft[Trip.labels].formUnion(["a", "b", "c"])
            draft[Trip.stops] = ["x", "y"]
            draft[Trip.visits] += 2
            #expect(try await store.save(draft, from: original, by: form).isRepeat == (attempt > 0))
        }
        // A move of another element is another change.
        let listed = try #require(try store.trip(lisbon))
        let move = Authorship(author: "ana", appendID: AppendID())
        func moved(_ stops: [String]) async throws -> Bool {
            var draft = listed
            draft[Trip.stops] = stops
            return try await store.save(draft, from: listed, by: move).isRepeat
        }
        try await store.edit(lisbon) { $0[Trip.stops] = ["x", "y", "z"] }
        #expect(try await !moved(["y", "x"]))
        #expect(try await moved(["y", "x"]))
        await #expect(throws: TripStoreError.self) { try await moved(["y"]) }
        let twice = Authorship(author: "ana", appendID: AppendID())
        for isRepeat in [false, true] {
            let receipt = try await store.commit(by: twice) {
                $0.edit(
                    lisbon,
                    [.set(\.notes, "1"), .add(1, to: Trip.visits), .add(-1, to: Trip.visits), .set(\.notes, "2")])
            }
            #expect(receipt.isRepeat == isRepeat)
        }
        try await store.expectInvariants()
    }

    @Test("A load counts and adds like single commits")
    func loading() async throws {
        let store = try await TripStore.test()
        let lisbon = Trip(name: "Lisbon")
        try await store.load { load in
            try await load.append([.created(lisbon)])
            for number in 0..<50 {
                try await load.append([
                    TripEvent(
                        .edited, lisbon.id, [.add(number, to: Trip.visits), .insert("\(number)", into: Trip.labels)])
                ])
            }
        }
        #expect(try store.trip(lisbon.id)?[Trip.visits] == 1_225)
        #expect(try store.trip(lisbon.id)?[Trip.labels].count == 50)
        try await store.expectInvariants()
    }

    @Test(
        "A list of 1,000 that three replicas move ends in one order, with every element once", arguments: Seeds.some(2))
    func movedList(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let clock = ManualClock(seed: seed)
        let first = try await TripStore.test(clock: clock)
        var trip = Trip(name: "Lisbon")
        trip[Trip.plan] = Array(0..<1_000)
        let lisbon = try await first.create(trip)
        var stores = [first]
        for _ in 0..<2 { stores.append(try await TripStore.test(journal: first.journal, clock: clock)) }
        for store in stores.dropFirst() { try await first.exchange(with: .store(store)) }
        for _ in 0..<30 {
            let store = stores.randomElement(using: &generator) ?? first
            let (origin, target) = (
                Int.random(in: 0..<1_000, using: &generator), Int.random(in: 0..<1_000, using: &generator)
            )
            try await store.edit(lisbon) { $0[Trip.plan].insert($0[Trip.plan].remove(at: origin), at: target) }
        }
        try await expectEqual(stores, lisbon)
        #expect(try first.trip(lisbon)?[Trip.plan].sorted() == Array(0..<1_000), "seed \(seed)")
    }

    @Test("Whatever five replicas do to collections, all hold what a model says", arguments: Seeds.some(4))
    func random(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let clock = ManualClock(seed: seed)
        let first = try await TripStore.test(clock: clock)
        let lisbon = try await first.create(Trip(name: "Lisbon"))
        var stores = [first]
        for _ in 0..<4 { stores.append(try await TripStore.test(journal: first.journal, clock: clock)) }
        for store in stores.dropFirst() { try await first.exchange(with: .store(store)) }
        var models = [CollectionModel](repeating: CollectionModel(), count: 5)
        for step in 0..<150 {
            let place = Int.random(in: 0..<5, using: &generator)
            let text = "\(Int.random(in: 0..<5, using: &generator))"
            let count = Int.random(in: -9...9, using: &generator)
            let action = Int.random(in: 0..<8, using: &generator)
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
        try await expectEqual(stores, lisbon)
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
