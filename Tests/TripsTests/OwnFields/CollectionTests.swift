import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

extension Trip {
    fileprivate static let labels = OwnSet<Trip, String>("org.example.collections", 1, "labels") { $0 != "bad" }
    fileprivate static let packed = OwnMap<Trip, String, Bool>("org.example.collections", 2, "packed")
    fileprivate static let visits = OwnCounter<Trip>("org.example.collections", 3, "visits")
    fileprivate static let stops = OwnList<Trip, String>("org.example.collections", 4, "stops") { $0 != "bad" }
    fileprivate static let days = OwnSet<Trip, Day>("org.example.collections", 5, "days")
    fileprivate static let note = OwnField<Trip, String>("org.example.collections", 6, "note")
    fileprivate static let shares = OwnMap<Trip, Trip.ID, Money>("org.example.collections", 7, "shares")

    fileprivate static let all: [any SchemaPart] = [labels, packed, visits, stops, days, note, shares]
}

@Suite("Apps' own collections")
struct CollectionTests {
    private static let known = KnownSchema(declaring: Trip.all)
    private let blank = Trip(id: Trip.ID(Samples.uuid), name: "Lisbon")

    /// What an entity is after its changes were written and read.
    private func written(_ draft: Trip, from original: Trip) -> Trip {
        var read = original
        if let event = TripEvent.edited(from: original, to: draft) { read.apply(event) }
        return read
    }

    @Test("A set has what is inserted, once, and loses what is removed, also where it was added twice")
    func sets() throws {
        var trip = blank
        trip[Trip.labels] = ["sea", "sun", ""]
        #expect(trip[Trip.labels] == ["sea", "sun", ""])
        #expect(written(trip, from: blank) == trip)
        var same = trip
        same[Trip.labels].insert("sea")
        #expect(same == trip)
        // Another replica adds it as well.
        var both = trip
        both.apply(TripEvent(.edited, trip.id, [.insert("sea", into: Trip.labels)]))
        #expect(both.own.values.count == 4 && both[Trip.labels].count == 3)
        var removed = both
        removed[Trip.labels].remove("sea")
        #expect(Trip.changes(from: both, to: removed).map(\.value) == [nil, nil])
        #expect(written(removed, from: both)[Trip.labels] == ["sun", ""])
        // What was removed without having seen the other addition leaves that.
        var unseen = trip
        unseen[Trip.labels].remove("sea")
        both.apply(try #require(TripEvent.edited(from: trip, to: unseen)))
        #expect(both[Trip.labels] == ["sea", "sun", ""])
    }

    @Test("A map has its entries, and each is a change of its own")
    func maps() throws {
        var trip = blank
        trip[Trip.packed] = ["passport": true, "": false]
        #expect(trip[Trip.packed] == ["passport": true, "": false])
        #expect(written(trip, from: blank) == trip)
        var changed = trip
        changed[Trip.packed]["passport"] = false
        changed[Trip.packed][""] = nil
        changed[Trip.packed]["charger"] = true
        #expect(Trip.changes(from: trip, to: changed).count == 3)
        #expect(written(changed, from: trip)[Trip.packed] == ["passport": false, "charger": true])
        trip.apply(TripEvent(.edited, trip.id, [.set(Trip.packed, "passport", nil), .set(Trip.packed, "a", true)]))
        #expect(trip[Trip.packed] == ["": false, "a": true])
    }

    @Test("Two forms of a letter are one key: what is shown is what is changed")
    func equivalentKeys() {
        var trip = blank
        trip[Trip.packed]["caf\u{E9}"] = true
        trip.apply(TripEvent(.edited, trip.id, [.set(Trip.packed, "cafe\u{301}", false)]))
        #expect(trip.own.values.count == 2 && trip[Trip.packed].count == 1)
        let shown = trip[Trip.packed]["cafe\u{301}"] ?? false
        trip[Trip.packed]["cafe\u{301}"] = !shown
        #expect(trip[Trip.packed] == ["cafe\u{301}": !shown])
        trip[Trip.packed] = [:]
        #expect(trip.own.isEmpty)
    }

    @Test("A counter is the sum of its shares, and an edit adds to it")
    func counters() throws {
        var trip = blank
        for (replica, count) in [(UInt8(1), Int64(5)), (2, -2)] {
            let share = ElementKey(.share, [UInt8](repeating: replica, count: 16))
            trip.decode(share.path(in: Trip.visits.number), CounterShare.bytes(count))
        }
        #expect(trip[Trip.visits] == 3)
        var changed = trip
        changed[Trip.visits] += 4
        changed[Trip.visits] -= 1
        #expect(changed[Trip.visits] == 6)
        let changes = Trip.changes(from: trip, to: changed)
        #expect(changes.map(\.path) == [ElementKey.ownShare.path(in: Trip.visits.number)])
        #expect(CounterShare.value(changes[0].value) == 3)
        changed[Trip.visits] = 3
        #expect(changed == trip)
        // A new entity has none of the shares of the one that it is a copy of.
        let copied = TripEvent.created(trip)
        #expect(copied.writes.filter { $0.path.isOwn }.map { CounterShare.value($0.value) } == [3])
        #expect(copied.writes.last?.path.element == .ownShare)
        trip[Trip.visits] = .max
        #expect(trip[Trip.visits] == .max)
        trip[Trip.visits] = .min
        #expect(trip[Trip.visits] < 0)
    }

    @Test("A list has the order that it was given, and what was moved or replaced keeps its name")
    func lists() throws {
        var trip = blank
        trip[Trip.stops] = ["Lisboa", "Sintra", "", "Porto", "Porto"]
        #expect(trip[Trip.stops] == ["Lisboa", "Sintra", "", "Porto", "Porto"])
        #expect(written(trip, from: blank) == trip)
        var moved = trip
        moved[Trip.stops] = ["Sintra", "", "Porto", "Porto", "Lisboa"]
        #expect(moved[Trip.stops] == ["Sintra", "", "Porto", "Porto", "Lisboa"])
        #expect(Trip.changes(from: trip, to: moved).map { $0.path.element?.kind } == [.rank])
        var replaced = moved
        replaced[Trip.stops][1] = "Cascais"
        #expect(Trip.changes(from: moved, to: replaced).map { $0.path.element?.kind } == [.listElement])
        #expect(written(replaced, from: moved)[Trip.stops] == ["Sintra", "Cascais", "Porto", "Porto", "Lisboa"])
        // Both count.
        trip.apply(try #require(TripEvent.edited(from: trip, to: moved)))
        trip.apply(try #require(TripEvent.edited(from: moved, to: replaced)))
        #expect(trip[Trip.stops] == replaced[Trip.stops])
        trip[Trip.stops].removeAll()
        #expect(trip[Trip.stops].isEmpty)
        #expect(Trip.changes(from: replaced, to: trip).allSatisfy { $0.path.element?.kind == .listElement })
        let same = replaced
        replaced[Trip.stops] = same[Trip.stops]
        #expect(replaced == same)
    }

    @Test("An element that one removes and another replaces later is where it was")
    func replacedWhileRemoved() throws {
        var trip = blank
        trip[Trip.stops] = ["a", "b", "c"]
        var (removed, replaced) = (trip, trip)
        removed[Trip.stops].remove(at: 1)
        replaced[Trip.stops][1] = "B"
        var merged = trip
        merged.apply(try #require(TripEvent.edited(from: trip, to: removed)))
        merged.apply(try #require(TripEvent.edited(from: trip, to: replaced)))
        #expect(merged[Trip.stops] == ["a", "B", "c"])
    }

    @Test("Where there is no room, or ranks are too long, all elements get new ones", arguments: [false, true])
    func newRanks(isLong: Bool) {
        var trip = blank
        let number = Trip.stops.number
        for name in UInt8(1)...2 {
            trip.decode(ElementKey(.listElement, [name]).path(in: number), [0x60 + name])
            let rank =
                isLong ? [UInt8](repeating: 0xFF, count: 9_999 + Int(name)) : [1, 0].prefix(Int(name)).map(\.self)
            trip.decode(ElementKey(.rank, [name]).path(in: number), rank)
        }
        #expect(trip[Trip.stops] == ["a", "b"])
        trip[Trip.stops] = ["a", "new", "b", "last"]
        #expect(trip[Trip.stops] == ["a", "new", "b", "last"])
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

    @Test("Forms count what they added, also if the original was never read, or is read from the past")
    func countsOfForms() throws {
        var original = blank
        original[Trip.visits] = 2
        var draft = original
        draft[Trip.visits] += 1
        #expect(Trip.changes(from: original, to: draft).map { CounterShare.value($0.value) } == [1])
        var stored = blank
        let share = ElementKey(.share, [UInt8](repeating: 1, count: 16)).path(in: Trip.visits.number)
        stored.decode(share, CounterShare.bytes(7))
        let changes = Trip.changes(from: stored, to: original)
        #expect(changes.map { CounterShare.value($0.value) } == [-5] && changes[0].path.element == .ownShare)
    }

    @Test("What others write as an addition that is yet to be written is not read")
    func foreignShare() throws {
        let path = ElementKey.ownShare.path(in: Trip.visits.number)
        let record = EntityRecord(
            version: .none, creation: nil,
            registers: [EntityRecord.Register(path: path, stamp: try Records.stamp(1), value: CounterShare.bytes(9))])
        #expect(Trip(id: blank.id, record: record)[Trip.visits] == 0)
        let read = try record.encoded().withUnsafeBytes { try Trip(id: blank.id, record: RecordView($0)) }
        #expect(read[Trip.visits] == 0)
        let filed = try record.encoded().withUnsafeBytes { try Trip.filed(RecordView($0)) }
        #expect(try filed.withUnsafeBytes { try Trip(id: blank.id, filed: $0) }[Trip.visits] == 0)
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
            trip.set(Trip.stops, to: expected, using: &generator)
            #expect(trip[Trip.stops] == expected, "seed \(seed), step \(step)")
            #expect(written(trip, from: before) == trip)
        }
        let ranks = trip.own.slots(of: Trip.stops.number).map(\.rank.bytes.count)
        #expect(ranks.allSatisfy { $0 <= 48 }, "\(ranks.max() ?? 0) bytes")
    }

    @Test("What cannot be read stays whatever is set, and so do its neighbours")
    func unreadable() {
        var trip = blank
        trip[Trip.days] = [Day(2027, 5, 1)]
        trip[Trip.stops] = ["a", "b"]
        let unreadable = [
            ElementKey(.addition, [1]).path(in: Trip.days.number),
            FieldPath(field: Trip.days.number, key: [99, 1]),
            FieldPath(field: Trip.days.number),
        ]
        for path in unreadable { trip.decode(path, [0xFF]) }
        #expect(trip[Trip.days] == [Day(2027, 5, 1)])
        trip[Trip.days] = []
        #expect(unreadable.allSatisfy { trip.own[$0] == [0xFF] })
        // An element without a place comes first, and there is room before it.
        trip.decode(ElementKey(.listElement, [7]).path(in: Trip.stops.number), Array("c".utf8))
        #expect(trip[Trip.stops] == ["c", "a", "b"])
        trip[Trip.stops].insert("first", at: 0)
        #expect(trip[Trip.stops] == ["first", "c", "a", "b"])
    }

    @Test("Between two of one rank, as only another can have written them, there is room all the same")
    func equalRanks() {
        var trip = blank
        for name in UInt8(1)...4 {
            let number = Trip.stops.number
            trip.decode(ElementKey(.listElement, [name]).path(in: number), [0x60 + name])
            trip.decode(ElementKey(.rank, [name]).path(in: number), [0, 0, 0, name == 4 ? 8 : 7])
        }
        #expect(trip[Trip.stops] == ["a", "b", "c", "d"])
        trip[Trip.stops] = ["a", "new", "b", "c", "d"]
        #expect(trip[Trip.stops] == ["a", "new", "b", "c", "d"])
    }

    @Test(
        "What is no element of a collection is refused in words",
        arguments: [
            (Trip.labels.number, [], [1], "has no value of its own"),
            (Trip.labels.number, [2, 1], [1], "has no element under the key 0201"),
            (Trip.labels.number, [1], [1], "has no element"),
            (Trip.days.number, [1, 1], [0xFF], "cannot be a value of this field"),
            (Trip.visits.number, [2, 1], [1, 2], "cannot be a value of this field"),
            (Trip.shares.number, [3, 1], [1], "has no element"),
            (Trip.note.number, [1, 1], [1], "The field 'note' has no element"),
            (3, [1, 1], [1], "has no element"),
            (Trip.labels.number, [UInt8](repeating: 1, count: 1025), [1], "1025 bytes"),
        ] as [(UInt64, [UInt8], [UInt8], String)])
    func refused(field: UInt64, key: [UInt8], value: [UInt8], words: String) {
        let write = TripEvent.Write(FieldPath(field: field, key: key), value: value)
        let error = #expect(throws: ValidationError.self) {
            try TripEvent(.edited, blank.reference, writes: [write]).validateValues(in: Self.known)
        }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("The app's rule judges what is written and not what is there")
    func rules() throws {
        var trip = blank
        trip.apply(TripEvent(.edited, trip.id, [.insert("bad", into: Trip.labels)]))
        let record = EntityRecord(
            version: .none, creation: nil,
            registers: try trip.own.values.map {
                EntityRecord.Register(path: $0.path, stamp: try Records.stamp(1), value: $0.bytes)
            })
        var changed = trip
        changed[Trip.labels].insert("good")
        try #require(TripEvent.edited(from: trip, to: changed)).validate(on: record, in: Self.known)
        for change in [FieldChange.insert("bad", into: Trip.labels)] {
            #expect(throws: ValidationError.self) {
                try TripEvent(.edited, trip.id, [change]).validate(on: record, in: Self.known)
            }
        }
        var listed = trip
        listed[Trip.stops] = ["good", "bad"]
        #expect(throws: ValidationError.self) {
            try #require(TripEvent.edited(from: trip, to: listed)).validate(on: record, in: Self.known)
        }
        #expect(throws: ValidationError.self) { try TripEvent.created(trip).validate(on: nil, in: Self.known) }
    }

    @Test("They are shown as JSON and in words, by their elements")
    func shown() {
        var trip = blank
        trip[Trip.labels] = ["sun", "sea"]
        trip[Trip.packed] = ["passport": true]
        trip[Trip.visits] = 4
        trip[Trip.stops] = ["Porto", "Lisboa"]
        #expect(
            trip.ownValues(in: Self.known)
                == .object([
                    "labels": .array([.string("sea"), .string("sun")]), "packed": .object(["passport": .bool(true)]),
                    "visits": .integer(4), "stops": .array([.string("Porto"), .string("Lisboa")]),
                ]))
        #expect(trip.ownRenderings(in: Self.known).map(\.text) == ["sea, sun", "passport: yes", "4", "Porto, Lisboa"])
    }
}
