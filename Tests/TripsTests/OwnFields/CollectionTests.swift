import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Apps' own collections")
struct CollectionTests {
    private static let known = KnownSchema(declaring: TripCollections.all)
    private let blank = Trip(id: Trip.ID(Samples.uuid), name: "Lisbon")

    @Test("A set has what is inserted, once, and loses what is removed, also where it was added twice")
    func sets() throws {
        var trip = blank
        trip[TripCollections.labels] = ["sea", "sun", ""]
        #expect(trip[TripCollections.labels] == ["sea", "sun", ""])
        #expect(TripCollections.written(trip, from: blank) == trip)
        var same = trip
        same[TripCollections.labels].insert("sea")
        #expect(same == trip)
        // Another replica adds it as well.
        var both = trip
        both.apply(TripEvent(.edited, trip.id, [.insert("sea", into: TripCollections.labels)]))
        #expect(both.own.values.count == 4 && both[TripCollections.labels].count == 3)
        var removed = both
        removed[TripCollections.labels].remove("sea")
        #expect(Trip.changes(from: both, to: removed).map(\.value) == [nil, nil])
        #expect(TripCollections.written(removed, from: both)[TripCollections.labels] == ["sun", ""])
        // What was removed without having seen the other addition leaves that.
        var unseen = trip
        unseen[TripCollections.labels].remove("sea")
        both.apply(try #require(TripEvent.edited(from: trip, to: unseen)))
        #expect(both[TripCollections.labels] == ["sea", "sun", ""])
    }

    @Test("A map has its entries, and each is a change of its own")
    func maps() throws {
        var trip = blank
        trip[TripCollections.packed] = ["passport": true, "": false]
        #expect(trip[TripCollections.packed] == ["passport": true, "": false])
        #expect(TripCollections.written(trip, from: blank) == trip)
        var changed = trip
        changed[TripCollections.packed]["passport"] = false
        changed[TripCollections.packed][""] = nil
        changed[TripCollections.packed]["charger"] = true
        #expect(Trip.changes(from: trip, to: changed).count == 3)
        #expect(
            TripCollections.written(changed, from: trip)[TripCollections.packed] == [
                "passport": false, "charger": true,
            ])
        trip.apply(
            TripEvent(
                .edited, trip.id,
                [.set(TripCollections.packed, "passport", nil), .set(TripCollections.packed, "a", true)]))
        #expect(trip[TripCollections.packed] == ["": false, "a": true])
    }

    @Test("Two forms of a letter are one key: what is shown is what is changed")
    func equivalentKeys() {
        var trip = blank
        trip[TripCollections.packed]["caf\u{E9}"] = true
        trip.apply(TripEvent(.edited, trip.id, [.set(TripCollections.packed, "cafe\u{301}", false)]))
        #expect(trip.own.values.count == 2 && trip[TripCollections.packed].count == 1)
        let shown = trip[TripCollections.packed]["cafe\u{301}"] ?? false
        trip[TripCollections.packed]["cafe\u{301}"] = !shown
        #expect(trip[TripCollections.packed] == ["cafe\u{301}": !shown])
        trip[TripCollections.packed] = [:]
        #expect(trip.own.isEmpty)
    }

    @Test("A counter is the sum of its shares, and an edit adds to it")
    func counters() throws {
        var trip = blank
        for (replica, count) in [(UInt8(1), Int64(5)), (2, -2)] {
            let share = ElementKey(.share, [UInt8](repeating: replica, count: 16))
            trip.decode(share.path(in: TripCollections.visits.number), CounterShare.bytes(count))
        }
        #expect(trip[TripCollections.visits] == 3)
        var changed = trip
        changed[TripCollections.visits] += 4
        changed[TripCollections.visits] -= 1
        #expect(changed[TripCollections.visits] == 6)
        let changes = Trip.changes(from: trip, to: changed)
        #expect(changes.map(\.path) == [ElementKey.ownShare.path(in: TripCollections.visits.number)])
        #expect(CounterShare.value(changes[0].value) == 3)
        changed[TripCollections.visits] = 3
        #expect(changed == trip)
        // A new entity has none of the shares of the one that it is a copy of.
        let copied = TripEvent.created(trip)
        #expect(copied.writes.filter { $0.path.isOwn }.map { CounterShare.value($0.value) } == [3])
        #expect(copied.writes.last?.path.element == .ownShare)
        trip[TripCollections.visits] = .max
        #expect(trip[TripCollections.visits] == .max)
        trip[TripCollections.visits] = .min
        #expect(trip[TripCollections.visits] < 0)
    }

    @Test("Forms count what they added, also if the original was never read, or is read from the past")
    func countsOfForms() throws {
        var original = blank
        original[TripCollections.visits] = 2
        var draft = original
        draft[TripCollections.visits] += 1
        #expect(Trip.changes(from: original, to: draft).map { CounterShare.value($0.value) } == [1])
        var stored = blank
        let share = ElementKey(.share, [UInt8](repeating: 1, count: 16)).path(in: TripCollections.visits.number)
        stored.decode(share, CounterShare.bytes(7))
        let changes = Trip.changes(from: stored, to: original)
        #expect(changes.map { CounterShare.value($0.value) } == [-5] && changes[0].path.element == .ownShare)
    }

    @Test("What others write as an addition that is yet to be written is not read")
    func foreignShare() throws {
        let path = ElementKey.ownShare.path(in: TripCollections.visits.number)
        let record = EntityRecord(
            version: .none, creation: nil,
            registers: [EntityRecord.Register(path: path, stamp: try Records.stamp(1), value: CounterShare.bytes(9))])
        #expect(Trip(id: blank.id, record: record)[TripCollections.visits] == 0)
        let read = try record.encoded().withUnsafeBytes { try Trip(id: blank.id, record: RecordView($0)) }
        #expect(read[TripCollections.visits] == 0)
        let filed = try record.encoded().withUnsafeBytes { try Trip.filed(RecordView($0)) }
        #expect(try filed.withUnsafeBytes { try Trip(id: blank.id, filed: $0) }[TripCollections.visits] == 0)
    }

    @Test("What cannot be read stays whatever is set, and so do its neighbours")
    func unreadable() {
        var trip = blank
        trip[TripCollections.days] = [Day(2027, 5, 1)]
        trip[TripCollections.stops] = ["a", "b"]
        let unreadable = [
            ElementKey(.addition, [1]).path(in: TripCollections.days.number),
            FieldPath(field: TripCollections.days.number, key: [99, 1]),
            FieldPath(field: TripCollections.days.number),
        ]
        for path in unreadable { trip.decode(path, [0xFF]) }
        #expect(trip[TripCollections.days] == [Day(2027, 5, 1)])
        trip[TripCollections.days] = []
        #expect(unreadable.allSatisfy { trip.own[$0] == [0xFF] })
        // An element without a place comes first, and there is room before it.
        trip.decode(ElementKey(.listElement, [7]).path(in: TripCollections.stops.number), Array("c".utf8))
        #expect(trip[TripCollections.stops] == ["c", "a", "b"])
        trip[TripCollections.stops].insert("first", at: 0)
        #expect(trip[TripCollections.stops] == ["first", "c", "a", "b"])
    }

    @Test(
        "What is no element of a collection is refused in words",
        arguments: [
            (TripCollections.labels.number, [], [1], "has no value of its own"),
            (TripCollections.labels.number, [2, 1], [1], "has no element under the key 0201"),
            (TripCollections.labels.number, [1], [1], "has no element"),
            (TripCollections.days.number, [1, 1], [0xFF], "cannot be a value of this field"),
            (TripCollections.visits.number, [2, 1], [1, 2], "cannot be a value of this field"),
            (TripCollections.shares.number, [3, 1], [1], "has no element"),
            (TripCollections.note.number, [1, 1], [1], "The field 'note' has no element"),
            (3, [1, 1], [1], "has no element"),
            (TripCollections.labels.number, [UInt8](repeating: 1, count: 1025), [1], "1025 bytes"),
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
        trip.apply(TripEvent(.edited, trip.id, [.insert("bad", into: TripCollections.labels)]))
        let record = EntityRecord(
            version: .none, creation: nil,
            registers: try trip.own.values.map {
                EntityRecord.Register(path: $0.path, stamp: try Records.stamp(1), value: $0.bytes)
            })
        var changed = trip
        changed[TripCollections.labels].insert("good")
        try #require(TripEvent.edited(from: trip, to: changed)).validate(on: record, in: Self.known)
        for change in [FieldChange.insert("bad", into: TripCollections.labels)] {
            #expect(throws: ValidationError.self) {
                try TripEvent(.edited, trip.id, [change]).validate(on: record, in: Self.known)
            }
        }
        var listed = trip
        listed[TripCollections.stops] = ["good", "bad"]
        #expect(throws: ValidationError.self) {
            try #require(TripEvent.edited(from: trip, to: listed)).validate(on: record, in: Self.known)
        }
        #expect(throws: ValidationError.self) { try TripEvent.created(trip).validate(on: nil, in: Self.known) }
    }

    @Test("They are shown as JSON and in words, by their elements")
    func shown() {
        var trip = blank
        trip[TripCollections.labels] = ["sun", "sea"]
        trip[TripCollections.packed] = ["passport": true]
        trip[TripCollections.visits] = 4
        trip[TripCollections.stops] = ["Porto", "Lisboa"]
        #expect(
            trip.ownValues(in: Self.known)
                == .object([
                    "labels": .array([.string("sea"), .string("sun")]), "packed": .object(["passport": .bool(true)]),
                    "visits": .integer(4), "stops": .array([.string("Porto"), .string("Lisboa")]),
                ]))
        #expect(trip.ownRenderings(in: Self.known).map(\.text) == ["sea, sun", "passport: yes", "4", "Porto, Lisboa"])
    }
}
