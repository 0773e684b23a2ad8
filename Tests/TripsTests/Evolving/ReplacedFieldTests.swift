import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

extension Trip {
    /// As versions of an app have had it: stars as text, then a number of them, then of ten points.
    fileprivate static let stars = OwnField<Trip, String>("org.example.replaced", 1, "stars")
    fileprivate static let rating = OwnField<Trip, Int>(
        "org.example.replaced", 2, "rating",
        replacing: Upcaster(stars, upgrade: { $0.count }, downgrade: { String(repeating: "*", count: $0) }))
    fileprivate static let points = OwnField<Trip, Int>(
        "org.example.replaced", 3, "points", replacing: Upcaster(rating, upgrade: { $0 * 2 }))

    fileprivate static let traveller = OwnField<Trip, String>("org.example.replaced", 4, "traveller")
    fileprivate static let givenName = OwnField<Trip, String>(
        "org.example.replaced", 5, "givenName",
        replacing: Upcaster(traveller, upgrade: { $0.split(separator: " ").first.map(String.init) }))
    fileprivate static let familyName = OwnField<Trip, String>(
        "org.example.replaced", 6, "familyName",
        replacing: Upcaster(traveller, upgrade: { $0.split(separator: " ").dropFirst().last.map(String.init) }))

    fileprivate static let amount = OwnField<Trip, Int>("org.example.replaced", 7, "amount")
    fileprivate static let currency = OwnField<Trip, String>("org.example.replaced", 8, "currency")
    fileprivate static let price = OwnField<Trip, Money>(
        "org.example.replaced", 9, "price",
        replacing: Upcaster(
            amount, currency,
            upgrade: { amount, currency in amount.flatMap { Money("\($0)", Currency(currency ?? "EUR") ?? "EUR") } },
            downgrade: { (Int($0.amount), $0.currency.code) }))

    fileprivate static let replaced: [any SchemaPart] = [
        stars, rating, points, traveller, givenName, familyName, amount, currency, price,
    ]
}

/// A kind of which later versions have had other fields.
private struct Expense: OwnEntity {
    let id: Identifier<Expense>
    var what = ""
    var price: Money?
    var isPaid = false
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let priceText = FormerField<Expense, String>(3, "priceText")
    static let state = FormerField<Expense, Int>(4, "state")

    static let schema = Schema<Expense>(
        "org.example.replaced", 1, "replaced expense",
        [
            Field(1, "what", \.what, isRequired: true),
            Field(
                5, "price", \.price,
                replacing: Upcaster(priceText, upgrade: { Money($0, "EUR") }, downgrade: { $0.amount })),
            Field(6, "isPaid", \.isPaid, replacing: Upcaster(state, upgrade: { $0 > 1 })),
        ])
}

@Suite("Fields that replace others")
struct ReplacedFieldTests {
    private static let id = Trip.ID(Samples.uuid)
    private static let known = KnownSchema(declaring: Trip.replaced + [Expense.schema])

    /// The event with the writes that it implies.
    private func whole(_ event: TripEvent) -> TripEvent {
        TripEvent.writingFormerFields([event], in: Self.known)[0]
    }

    /// A record of writes, each later than the one before.
    private func record(
        of entity: EntityReference = Self.id.reference, _ writes: [(UInt64, String?)]
    ) throws -> EntityRecord {
        var record = EntityRecord()
        record.apply(Event(verb: .created, entity: entity), index: 0, stamp: try Records.stamp(1))
        for (index, write) in writes.enumerated() {
            let change = Change(path: FieldPath(field: write.0), value: write.1.map { Array($0.utf8) })
            let event = Event(verb: .edited, entity: entity, changes: [change])
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
            ([(stars, "***"), (rating, nil)], nil), ([(rating, nil), (stars, "***")], 3),
            // What cannot be read was written all the same.
            ([(stars, "***"), (rating, "\u{80}")], nil),
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
        #expect(draft[Trip.rating] == 5 && draft[Trip.points] == 10)
        let event = try #require(TripEvent.edited(from: original, to: draft))
        #expect(event.writes.map(\.field) == [Trip.rating.number])
        let written = whole(event)
        #expect(written.writes.map(\.field) == [Trip.rating.number, Trip.stars.number])
        #expect(written.writes.last?.value == Array("*****".utf8))
        draft = original
        draft[Trip.points] = 7
        #expect(TripEvent.edited(from: original, to: draft)?.writes.map(\.field) == [Trip.points.number])
        #expect(draft[Trip.stars] == "***")
        // An old version of the app writes in the same draft.
        draft[Trip.stars] = "**"
        #expect(draft[Trip.rating] == 2)
    }

    @Test("Clearing is a write: the old value does not come back")
    func clearing() throws {
        let original = try #require(try trips(record([(Trip.stars.number, "***")])).first)
        var draft = original
        draft[Trip.points] = nil
        #expect(draft[Trip.points] == nil && draft[Trip.rating] == 3 && draft[Trip.stars] == "***")
        let event = try #require(TripEvent.edited(from: original, to: draft))
        #expect(event.writes.map(\.field) == [Trip.points.number] && event.writes.map(\.value) == [nil])
        var applied = original
        applied.apply(event)
        #expect(applied[Trip.points] == nil && applied == draft)
        draft = original
        draft[Trip.rating] = nil
        let cleared = whole(try #require(TripEvent.edited(from: original, to: draft)))
        #expect(cleared.writes.map(\.field) == [Trip.rating.number, Trip.stars.number])
        #expect(cleared.writes.allSatisfy { $0.value == nil })
    }

    @Test("A value that the field has already, while it shows another, is a change")
    func superseded() throws {
        let original = try #require(
            try trips(record([(Trip.rating.number, "\u{8}"), (Trip.stars.number, "***")])).first)
        var draft = original
        draft[Trip.rating] = 4
        #expect(draft[Trip.rating] == 4)
        #expect(TripEvent.edited(from: original, to: draft)?.writes.map(\.field) == [Trip.rating.number])
    }

    @Test("A copy has what the original shows, whatever was written to which field")
    func copying() throws {
        let (stars, rating) = (Trip.stars.number, Trip.rating.number)
        for writes in [
            [(rating, "\u{8}"), (stars, "***")], [(stars, "***"), (rating, "\u{8}")], [(stars, "***"), (rating, nil)],
            [(rating, "\u{8}"), (stars, nil)],
        ] as [[(UInt64, String?)]] {
            let original = try #require(try trips(record(writes)).first)
            var created = EntityRecord()
            let changes = TripEvent.created(original, in: Self.known).writes.map {
                Change(path: $0.path, value: $0.value)
            }
            created.apply(
                Event(verb: .created, entity: Self.id.reference, changes: changes), index: 0,
                stamp: try Records.stamp(1))
            for trip in try trips(created) { #expect(trip[Trip.rating] == original[Trip.rating], "\(writes)") }
        }
    }

    @Test("Two fields may be merged into one")
    func merged() throws {
        let (amount, currency, price) = (Trip.amount.number, Trip.currency.number, Trip.price.number)
        for trip in try trips(record([(amount, "\u{14}")])) { #expect(trip[Trip.price] == Money("10", "EUR")) }
        let both = try record([(amount, "\u{14}"), (price, "\u{8}\u{4}"), (currency, "JPY")])
        for trip in try trips(both) { #expect(trip[Trip.price] == Money("10", "JPY")) }
        var draft = try #require(try trips(both).first)
        let original = draft
        draft[Trip.price] = Money("20", "CHF")
        let event = whole(try #require(TripEvent.edited(from: original, to: draft)))
        #expect(event.writes.map(\.field) == [price, amount, currency])
        #expect(event.writes.last?.value == Array("CHF".utf8))
    }

    @Test("JSON has what is shown")
    func json() throws {
        let trip = try #require(try trips(record([(Trip.stars.number, "***")])).first)
        guard case .object(let own) = trip.ownValues(in: Self.known) else {
            Issue.record("no object")
            return
        }
        #expect(own["rating"] == .integer(3) && own["points"] == .integer(6) && own["stars"] == .string("***"))
    }

    @Test("A field of an app's kind shows what was written to the one that it replaced, and is written to both")
    func ownKind() throws {
        let id = Expense.ID.new()
        let old = try record(of: id.reference, [(1, "Tram"), (3, "2.50"), (4, "\u{4}")])
        let viewed: Expense = try Records.view(id: id, old)
        for expense in [Expense(id: id, record: old), viewed] {
            #expect(expense.price == Money("2.50", "EUR") && expense.isPaid && expense.what == "Tram")
            var draft = expense
            draft.price = Money("3.00", "EUR")
            let event = try #require(TripEvent.edited(from: expense, to: draft))
            #expect(event.writes.map(\.field) == [5])
            #expect(whole(event).writes.map(\.field) == [5, 3])
            #expect(whole(event).writes.last?.value == Array("3.00".utf8))
        }
        let later = try record(of: id.reference, [(3, "2.50"), (5, nil), (4, "\u{2}"), (6, "\u{1}")])
        #expect(Expense(id: id, record: later).price == nil && Expense(id: id, record: later).isPaid)
        #expect(
            Expense.schema.fieldDescriptions.map(\.name) == [
                "replaced expense", "what", "price", "isPaid", "priceText", "state",
            ])
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
