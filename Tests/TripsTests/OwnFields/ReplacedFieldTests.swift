import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

extension Trip {
    /// As versions of an app have had it: stars as text, then a number of them, then of ten points.
    fileprivate static let stars = OwnField<Trip, String>("org.example.replaced", 1, "stars")
    fileprivate static let rating = OwnField<Trip, Int>(
        "org.example.replaced", 2, "rating", replacing: stars, upgrade: { $0.isEmpty ? nil : $0.count },
        downgrade: { String(repeating: "*", count: $0) })
    fileprivate static let points = OwnField<Trip, Int>(
        "org.example.replaced", 3, "points", replacing: rating, upgrade: { $0 * 2 })

    fileprivate static let traveller = OwnField<Trip, String>("org.example.replaced", 4, "traveller")
    fileprivate static let givenName = OwnField<Trip, String>(
        "org.example.replaced", 5, "givenName", replacing: traveller,
        upgrade: { $0.split(separator: " ").first.map(String.init) })
    fileprivate static let familyName = OwnField<Trip, String>(
        "org.example.replaced", 6, "familyName", replacing: traveller,
        upgrade: { $0.split(separator: " ").dropFirst().last.map(String.init) })
}

@Suite("Own fields in the place of others")
struct ReplacedFieldTests {
    private static let id = Trip.ID(Samples.uuid)

    /// A record of writes, each later than the one before.
    private func record(_ writes: [(UInt64, String?)]) throws -> EntityRecord {
        var record = EntityRecord()
        record.apply(Event(verb: .created, entity: Self.id.reference), index: 0, stamp: try Records.stamp(1))
        for (index, write) in writes.enumerated() {
            let change = Change(path: FieldPath(field: write.0), value: write.1.map { Array($0.utf8) })
            let event = Event(verb: .edited, entity: Self.id.reference, changes: [change])
            record.apply(event, index: 0, stamp: try Records.stamp(UInt64(index) + 2))
        }
        return record
    }

    /// Read in all three ways: from memory, from the bytes of a record, and from a row of a view.
    private func trips(_ record: EntityRecord) throws -> [Trip] {
        let viewed: Trip = try Records.view(id: Self.id, record)
        let filed = try record.encoded().withUnsafeBytes { bytes in
            try Trip.filed(try RecordView(bytes)).withUnsafeBytes { try Trip(id: Self.id, filed: $0) }
        }
        return [Trip(id: Self.id, record: record), viewed, filed]
    }

    @Test(
        "The old value is read until the new field is written, and of both the later write counts, in whatever order they come"
    )
    func later() throws {
        let (stars, rating) = (Trip.stars.number, Trip.rating.number)
        // 8 is 4 as a zigzag varint.
        let cases: [([(UInt64, String?)], Int?)] = [
            ([], nil), ([(stars, "***")], 3), ([(stars, "***"), (rating, "\u{8}")], 4),
            ([(rating, "\u{8}"), (stars, "***")], 3),
            ([(rating, "\u{8}"), (stars, nil)], nil), ([(stars, nil), (rating, "\u{8}")], 4),
            ([(stars, "***"), (rating, nil)], 3),
            ([(rating, nil), (stars, "***")], 3),
        ]
        for (writes, expected) in cases {
            let record = try record(writes)
            for trip in try trips(record) {
                #expect(trip[Trip.rating] == expected, "\(writes)")
                #expect(trip[Trip.points] == expected.map { $0 * 2 })
            }
        }
    }

    @Test("One commit that writes both means the new one")
    func atOnce() throws {
        var record = EntityRecord()
        let changes = [(Trip.stars.number, [UInt8]("***".utf8)), (Trip.rating.number, [8])].map {
            Change(path: FieldPath(field: $0.0), value: $0.1)
        }
        record.apply(
            Event(verb: .created, entity: Self.id.reference, changes: changes), index: 0, stamp: try Records.stamp(1))
        for trip in try trips(record) { #expect(trip[Trip.rating] == 4) }
    }

    @Test("A draft writes the new field, and the old one as well if that was declared")
    func writing() throws {
        let original = try #require(try trips(record([(Trip.stars.number, "***")])).first)
        var draft = original
        draft[Trip.rating] = 3
        #expect(TripEvent.edited(from: original, to: draft) == nil)
        draft[Trip.rating] = 5
        #expect(draft[Trip.rating] == 5 && draft[Trip.stars] == "*****" && draft[Trip.points] == 10)
        let event = TripEvent.edited(from: original, to: draft)
        #expect(event?.writes.map(\.field) == [Trip.stars.number, Trip.rating.number])
        draft = original
        draft[Trip.points] = 7
        #expect(TripEvent.edited(from: original, to: draft)?.writes.map(\.field) == [Trip.points.number])
        #expect(draft[Trip.stars] == "***")
        // An old version of the app writes in the same draft.
        draft[Trip.stars] = "**"
        #expect(draft[Trip.rating] == 2)
    }

    @Test("What is cleared is cleared in the old field too, so that the old value does not come back")
    func clearing() throws {
        let original = try #require(try trips(record([(Trip.stars.number, "***")])).first)
        var draft = original
        draft[Trip.points] = nil
        #expect(draft[Trip.points] == nil && draft[Trip.rating] == nil && draft[Trip.stars] == nil)
        let event = try #require(TripEvent.edited(from: original, to: draft))
        #expect(event.writes.map(\.field) == [Trip.stars.number] && event.writes.map(\.value) == [nil])
        var applied = original
        applied.apply(event)
        #expect(applied[Trip.points] == nil && applied == draft)
    }

    @Test("A field may be split into several")
    func split() throws {
        let original = try #require(try trips(record([(Trip.traveller.number, "Ana Maria Silva")])).first)
        #expect(original[Trip.givenName] == "Ana" && original[Trip.familyName] == "Silva")
        var draft = original
        draft[Trip.familyName] = "Costa"
        #expect(draft[Trip.givenName] == "Ana" && draft[Trip.familyName] == "Costa")
    }

    @Test("When values were written makes no difference between entities")
    func equality() throws {
        let one = try trips(record([(Trip.stars.number, "***"), (Trip.traveller.number, "Ana")]))
        let other = try trips(
            record([(Trip.traveller.number, "Ana"), (Trip.rating.number, nil), (Trip.stars.number, "***")]))
        for (one, other) in zip(one, other) {
            #expect(one.own == other.own && one.own.hashValue == other.own.hashValue)
            #expect(TripEvent.edited(from: one, to: other) == nil)
        }
    }
}
