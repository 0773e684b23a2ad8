import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

/// A kind that the queries of these tests know from the log alone.
private struct BoardingPass: OwnEntity {
    let id: Identifier<BoardingPass>
    var seat = ""
    var trip: Trip.ID?
    var price: Money?
    var row = 1
    var day: Day?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ seat: String, of trip: Trip.ID?) { (id, self.seat, self.trip) = (.new(), seat, trip) }

    // With labels: `@testable` has other initialisers without.
    static let schema = Schema<BoardingPass>(
        "org.example.described-queries", 1, "boarding pass",
        [
            Field(1, "seat", \.seat, isRequired: false), .parent("trip", \.trip, isRequired: false),
            Field(3, "price", \.price, isRequired: false),
            Field(4, "row", \.row, isRequired: false), Field(5, "day", \.day, isRequired: false),
        ])

    static let cabin = OwnField<BoardingPass, Int>("org.example.described-queries", 9, "class")
}

@Suite("Queries for apps' kinds that only the log describes")
struct DescribedQueryTests {
    private static func filled(_ indexes: [Index] = []) async throws -> (TripStore, lisbon: Trip.ID, OwnKind) {
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        options.indexes = indexes
        let store = try await TripStore.temporary(options: options)
        // As a process reads them that opens the store after an app has described the kind.
        store.knownSchema.add(BoardingPass.schema.fieldDescriptions + BoardingPass.cabin.fieldDescriptions)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        for number in 1...12 {
            var ticket = BoardingPass(
                number == 5 ? "" : "\(number)A", of: number == 7 ? nil : number < 9 ? lisbon : porto)
            ticket.price = number.isMultiple(of: 4) ? nil : Money(minorUnits: Int64(number * 100), "EUR")
            ticket.row = number / 3
            ticket.day = number > 10 ? nil : Day(2027, 5, number)
            ticket[BoardingPass.cabin] = number.isMultiple(of: 2) ? 1 : nil
            try await store.create(ticket)
        }
        return (store, lisbon, try #require(BoardingPass.schema.ownKind))
    }

    private static let questions: [(String, String?, index: String?)] = [
        ("price > 5 EUR", "price", "boarding pass by price"), ("price is none", "seat", "boarding pass by price"),
        ("price > 5 EUR", "-price", "boarding pass by price"), ("seat = '3A'", nil, "boarding pass by seat"),
        ("seat >= '3A' and seat < '9'", "seat", "boarding pass by seat"), ("seat is none", "day", nil),
        ("seat = '' or seat = '2A'", nil, "boarding pass by seat"),
        ("row = 1", "seat", "boarding pass by row, day"),
        ("row = 1 and day > 2027-05-03", "day", "boarding pass by row, day"),
        ("row in (0, 2)", "row,day", "boarding pass by row, day"), ("row is none", "seat", nil),
        ("not row = 1", "row,seat", nil), ("day is not none", "-day", nil), ("class = 1", "seat", nil),
        ("trip as trip (name begins with 'por')", "seat", nil),
        ("trip as trip (any 'boarding pass' (row = 4))", "seat", nil), ("id is none", nil, "entities by id"),
    ]

    @Test("They are asked in words, with the indexes that apps have on their fields, and find what a scan finds")
    func indexed() async throws {
        let indexes = [
            Index(on: \BoardingPass.price), Index(on: \BoardingPass.seat),
            Index(on: \BoardingPass.row).then(\BoardingPass.day),
        ]
        let ((store, _, kind), (plain, _, _)) = (try await Self.filled(indexes), try await Self.filled())
        for (condition, order, index) in Self.questions {
            var query = try Query(of: kind, in: store.knownSchema).where(parsing: condition)
            if let order { query = try query.sorted(parsing: order) }
            let found = try store.fetch(query).map { "\($0.name(in: store.knownSchema)) \($0.own[4] ?? [])" }
            let expected = try plain.fetch(query).map { "\($0.name(in: store.knownSchema)) \($0.own[4] ?? [])" }
            #expect(order == nil ? found.sorted() == expected.sorted() : found == expected, "\(condition)")
            #expect(try store.count(query) == expected.count && store.exists(query) == !expected.isEmpty)
            let explained = try store.explain(query)
            #expect(explained.index == index, "\(condition): \(explained)")
            #expect(try plain.explain(query).index == (index == "entities by id" ? index : nil))
            // Page by page.
            var (paged, cursor): ([String], PageCursor?) = ([], nil)
            repeat {
                let page = try store.fetch(query.limit(2), after: cursor)
                paged += page.map { "\($0.name(in: store.knownSchema)) \($0.own[4] ?? [])" }
                cursor = page.next
            } while cursor != nil && paged.count <= expected.count
            #expect(paged == found, "\(condition)")
        }
        try await store.expectInvariants()
    }

    @Test("Every field that the log describes is one, and what only the app knows does not count")
    func semantics() async throws {
        let (store, lisbon, kind) = try await Self.filled()
        // The app reads a cleared row as 1.
        #expect(try store.count(Query<BoardingPass>().where { $0.row == 1 }) == 3)
        let all = Query(of: kind, in: store.knownSchema)
        #expect(try store.count(all.where(parsing: "row = 1")) == 0)
        #expect(try store.count(all.where(parsing: "row is none")) == 3)
        let price = try #require(try all.measures(parsing: "price", isSummed: true).first?.key)
        let groups = try store.groups(of: all, by: all.groupKeys(parsing: "trip"), measuring: price)
        #expect(groups.map(\.count).sorted() == [1, 4, 7])
        let units = groups.compactMap { group in group.costs.first?.minorUnits }
        #expect(units.reduce(0, +) == 5_400)
        #expect(
            try store.ids(Query<Trip>(in: store.knownSchema).where(parsing: "any 'boarding pass' (seat = '3A')")) == [
                lisbon
            ])
        let error = #expect(throws: QueryTextError.self) { try all.where(parsing: "seet = '3A'") }
        #expect(error?.message.hasPrefix("The kind boarding pass has no field 'seet'. Did you mean 'seat'?") == true)
        try await store.expectInvariants()
    }

    @Test("A deleted trip hides them, and live and past queries see that")
    func hidden() async throws {
        let (store, lisbon, kind) = try await Self.filled([Index(on: \BoardingPass.price)])
        let query = try Query(of: kind, in: store.knownSchema).where(parsing: "price >= 1 EUR")
        var updates = store.live(query).makeAsyncIterator()
        #expect(try await updates.next()?.rows.count == 9)
        let receipt = try await store.delete(lisbon)
        #expect(try await updates.next()?.rows.count == 4)
        #expect(try store.count(query) == 4)
        let past = try await store.asOf(receipt.position - 1)
        #expect(try past.count(query) == 9 && past.explain(query).index == "boarding pass by price")
        try await store.editAll(query) { $0.own[1] = Array("X".utf8) }
        #expect(try store.count(Query<BoardingPass>().where { $0.seat == "X" }) == 4)
        try await store.deleteAll(query)
        #expect(try store.count(query) == 0)
        try await store.expectInvariants()
    }
}
