import Events
import TestSupport
import Testing

@testable import Trips

@Suite("Apps' own lists")
struct OwnListTests {
    private let blank = Trip(id: Trip.ID(Samples.uuid), name: "Lisbon")

    @Test("A list has the order that it was given, and what was moved or replaced keeps its name")
    func lists() throws {
        var trip = blank
        trip[TripCollections.stops] = ["Lisboa", "Sintra", "", "Porto", "Porto"]
        #expect(trip[TripCollections.stops] == ["Lisboa", "Sintra", "", "Porto", "Porto"])
        #expect(TripCollections.written(trip, from: blank) == trip)
        var moved = trip
        moved[TripCollections.stops] = ["Sintra", "", "Porto", "Porto", "Lisboa"]
        #expect(moved[TripCollections.stops] == ["Sintra", "", "Porto", "Porto", "Lisboa"])
        #expect(Trip.changes(from: trip, to: moved).map { $0.path.element?.kind } == [.rank])
        var replaced = moved
        replaced[TripCollections.stops][1] = "Cascais"
        #expect(Trip.changes(from: moved, to: replaced).map { $0.path.element?.kind } == [.listElement])
        #expect(
            TripCollections.written(replaced, from: moved)[TripCollections.stops] == [
                "Sintra", "Cascais", "Porto", "Porto", "Lisboa",
            ])
        // Each of the two counts.
        trip.apply(try #require(TripEvent.edited(from: trip, to: moved)))
        trip.apply(try #require(TripEvent.edited(from: moved, to: replaced)))
        #expect(trip[TripCollections.stops] == replaced[TripCollections.stops])
        trip[TripCollections.stops].removeAll()
        #expect(trip[TripCollections.stops].isEmpty)
        #expect(Trip.changes(from: replaced, to: trip).allSatisfy { $0.path.element?.kind == .listElement })
        let same = replaced
        replaced[TripCollections.stops] = same[TripCollections.stops]
        #expect(replaced == same)
    }

    @Test("An element that one removes and another replaces later is where it was")
    func replacedWhileRemoved() throws {
        var trip = blank
        trip[TripCollections.stops] = ["a", "b", "c"]
        var (removed, replaced) = (trip, trip)
        removed[TripCollections.stops].remove(at: 1)
        replaced[TripCollections.stops][1] = "B"
        var merged = trip
        merged.apply(try #require(TripEvent.edited(from: trip, to: removed)))
        merged.apply(try #require(TripEvent.edited(from: trip, to: replaced)))
        #expect(merged[TripCollections.stops] == ["a", "B", "c"])
    }

    @Test("Where there is no room, or ranks are too long, all elements get new ones", arguments: [false, true])
    func newRanks(isLong: Bool) {
        var trip = blank
        let number = TripCollections.stops.number
        for name in UInt8(1)...2 {
            trip.decode(ElementKey(.listElement, [name]).path(in: number), [0x60 + name])
            let rank =
                isLong ? [UInt8](repeating: 0xFF, count: 9_999 + Int(name)) : [1, 0].prefix(Int(name)).map(\.self)
            trip.decode(ElementKey(.rank, [name]).path(in: number), rank)
        }
        #expect(trip[TripCollections.stops] == ["a", "b"])
        trip[TripCollections.stops] = ["a", "new", "b", "last"]
        #expect(trip[TripCollections.stops] == ["a", "new", "b", "last"])
        #expect(trip.own.slots(of: number).allSatisfy { $0.rank.bytes.count <= ListRank.longest })
    }

    @Test(
        "Which elements stay, were moved, replaced, inserted and removed",
        arguments: [
            ("abc", "abc", "kkk", ""), ("abc", "acb", "kmk", ""), ("abc", "axc", "krk", ""),
            ("abc", "abxc", "kkik", ""),
            ("abc", "ac", "kk", "b"), ("aba", "ba", "kk", "a"), ("", "ab", "ii", ""), ("ab", "", "", "ab"),
            ("abcd", "dabc", "mkkk", ""), ("abcd", "xyz", "rrr", "d"), ("aab", "aba", "kmk", ""),
        ])
    func alignment(old: String, new: String, sources: String, removed: String) {
        let alignment = ListAlignment(from: Array(old), to: Array(new))
        let found = alignment.sources.map { source -> Character in
            switch source {
            case .kept(_, isReplaced: false): "k"
            case .kept(_, isReplaced: true): "r"
            case .moved: "m"
            case .inserted: "i"
            }
        }
        #expect(
            String(found) == sources && String(alignment.removed.map { Array(old)[$0] }) == removed, "\(String(found))")
    }

    @Test("Whatever becomes of a list, it reads as it was set", arguments: Seeds.some(10))
    func randomLists(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var trip = blank
        var expected: [String] = []
        for step in 0..<200 {
            let before = trip
            switch Int.random(in: 0..<6, using: &generator) {
            case 0...1:
                let place = Int.random(in: 0...expected.count, using: &generator)
                expected.insert(
                    contentsOf: (0...Int.random(in: 0...3, using: &generator)).map { "\(step).\($0)" }, at: place)
            case 2 where !expected.isEmpty: expected.remove(at: .random(in: 0..<expected.count, using: &generator))
            case 3 where !expected.isEmpty:
                let element = expected.remove(at: .random(in: 0..<expected.count, using: &generator))
                expected.insert(element, at: .random(in: 0...expected.count, using: &generator))
            case 4 where !expected.isEmpty: expected[.random(in: 0..<expected.count, using: &generator)] = "new \(step)"
            case 5 where step % 20 == 0: expected.shuffle(using: &generator)
            default: expected.append(expected.randomElement(using: &generator) ?? "first")
            }
            trip.set(TripCollections.stops, to: expected, using: &generator)
            #expect(trip[TripCollections.stops] == expected, "seed \(seed), step \(step)")
            #expect(TripCollections.written(trip, from: before) == trip)
        }
        let ranks = trip.own.slots(of: TripCollections.stops.number).map(\.rank.bytes.count)
        #expect(ranks.allSatisfy { $0 <= 48 }, "\(ranks.max() ?? 0) bytes")
    }

    @Test("Between two of one rank, as only another can have written them, there is room all the same")
    func equalRanks() {
        var trip = blank
        for name in UInt8(1)...4 {
            let number = TripCollections.stops.number
            trip.decode(ElementKey(.listElement, [name]).path(in: number), [0x60 + name])
            trip.decode(ElementKey(.rank, [name]).path(in: number), [0, 0, 0, name == 4 ? 8 : 7])
        }
        #expect(trip[TripCollections.stops] == ["a", "b", "c", "d"])
        trip[TripCollections.stops] = ["a", "new", "b", "c", "d"]
        #expect(trip[TripCollections.stops] == ["a", "new", "b", "c", "d"])
    }
}
