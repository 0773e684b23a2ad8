import EventLog
import Events
import Foundation
import Logging
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Copies, templates and other days in a store")
struct CopyingTests {
    private static func store(indexes: [Index] = []) async throws -> (TripStore, Trip.ID) {
        var options = TripStore.Options(
            deviceName: "test", mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        options.logger.logLevel = .critical
        options.indexes = indexes
        let store = try await TripStore.temporary(options: options)
        let ana = try await store.create(Traveller(name: "Ana"))
        var trip = Trip(name: "Lisbon", days: Day(2027, 3, 27)...Day(2027, 3, 29))
        trip.travellers = [ana]
        let lisbon = try await store.create(trip)
        try await store.create(
            Activity(
                name: "Tram", in: lisbon, from: try Moment(parsing: "2027-03-27T09:00", in: "Europe/Lisbon"),
                cost: Money("3.10", "EUR"), paid: .inFull))
        try await store.create(Lodging(name: "Inn", in: lisbon, reservation: "R1"))
        let list = try await store.create(Checklist(name: "Packing", in: lisbon))
        var entry = ChecklistEntry("socks", in: list, by: ana, until: Day(2027, 3, 20))
        entry.isDone = true
        try await store.create(entry)
        try await store.create(Budget(Money(minorUnits: 10_000, "EUR"), in: lisbon))
        return (store, lisbon)
    }

    @Test("A copy is one commit with all that belongs to the trip, and is undone as one")
    func copy() async throws {
        let (store, lisbon) = try await Self.store()
        let before = try store.status().position
        let copy = try await store.copy(lisbon, startingOn: Day(2027, 3, 28), named: "Again", without: [.payments])
        #expect(try store.status().position == before + 1)
        #expect(try store.trip(copy)?.endDay == Day(2027, 3, 30))
        let items = try store.items(of: copy).rows
        #expect(items.map(\.name) == ["Tram", "Inn"] && items[0].paid == .none && items[1].reservation == "R1")
        #expect(items[0].start?.localISO8601 == "2027-03-28T09:00:00+01:00")
        let list = try #require(try store.checklists(of: copy).first)
        let entries = try store.entries(of: list.id)
        #expect(entries.map(\.name) == ["socks"] && entries.map(\.isDone) == [false])
        #expect(entries.map(\.dueDay) == [Day(2027, 3, 21)])
        #expect(try store.budgets(of: copy).map(\.planned) == [310])
        #expect(try store.travellers(of: copy).map(\.name) == ["Ana"])
        #expect(try store.items(of: lisbon).count == 2)
        try await store.undo(.last())
        #expect(try store.trip(copy) == nil && store.items(of: copy).isEmpty && store.entries(of: list.id).isEmpty)
        try await store.expectInvariants()
    }

    @Test("The totals of a copy in one currency are those of its trip, by the rates that were copied")
    func rates() async throws {
        let (store, lisbon) = try await Self.store()
        try await store.create(CurrencyRate("EUR/USD", "1.10", on: Day(2027, 3, 27), in: lisbon))
        let copy = try await store.copy(lisbon, startingOn: Day(2027, 6, 1), without: [.payments])
        for trip in [lisbon, copy] {
            let totals = try store.detailedTotals(of: trip, in: "USD")
            // 3.10 EUR at 1.10.
            #expect(totals.totals.map(\.cost) == [341] && totals.totals.map(\.currency) == ["USD"])
            #expect(totals.rates.map(\.pair) == ["EUR/USD"])
        }
        #expect(try store.contents(of: lisbon)?.rates.count == 1 && store.contents(of: copy)?.rates.count == 1)
        try await store.expectInvariants()
    }

    @Test("A copy that is larger than a commit may be is written by several, which are undone as one")
    func large() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let notes = String(repeating: "n", count: 1_000_000)
        for number in 0..<18 {
            try await store.create(Activity(name: "Tram \(number)", in: lisbon, from: .sample(number), notes: notes))
        }
        let before = try store.status().position
        let copy = try await store.copy(lisbon, named: "Again", by: "ana")
        #expect(try store.status().position.rawValue - before.rawValue > 1)
        let items = try store.items(of: copy).rows
        #expect(items.map(\.name) == (0..<18).map { "Tram \($0)" } && items.allSatisfy { $0.notes == notes })
        let report = try await store.undo(.lastWork(by: "ana"))
        #expect(report.kept.isEmpty && report.commits.count > 1)
        #expect(try store.trip(copy) == nil && store.items(of: copy).isEmpty)
        #expect(try store.items(of: lisbon).count == 18)
        // One that fits is one commit.
        try await store.copy(try await store.create(Trip(name: "Porto")))
        #expect(try store.audit(AuditFilter(isReversed: true), limit: 1).first?.correlation == nil)
        try await store.expectInvariants()
    }

    @Test("A trip that is not there is not copied")
    func missing() async throws {
        let (store, lisbon) = try await Self.store()
        await #expect(throws: TripStoreError.self) { try await store.copy(.new()) }
        try await store.delete(lisbon)
        do {
            try await store.copy(lisbon)
            Issue.record("it was copied")
        } catch let error as TripStoreError { #expect(error.code == .deleted) }
        try await store.expectInvariants()
    }

    @Test("A template is in no list and no answer, and templates lists it", arguments: [false, true])
    func templates(indexed: Bool) async throws {
        let indexes = indexed ? [Index(on: \Trip.name), Index(on: \Activity.start)] : []
        let (store, lisbon) = try await Self.store(indexes: indexes)
        #expect(try (store.status().indexes.count > Index.builtIn.count) == indexed)
        let template = try await store.copy(lisbon, as: .template, named: "City break", without: [.costs])
        #expect(try store.templates().map(\.name) == ["City break"])
        #expect(try store.trip(template)?.isTemplate == true && store.items(of: template).count == 2)
        for source in [store, try await store.asOf(store.status().position)] as [any TripQuerying] {
            #expect(try source.trips().rows.map(\.id) == [lisbon])
            #expect(try source.trips(.overlapping(Day(2027, 3, 1)...Day(2027, 4, 1))).rows.map(\.id) == [lisbon])
            #expect(try source.fetch(Query<Trip>()).map(\.id) == [lisbon] && source.count(Query<Trip>()) == 1)
            #expect(try source.count(Query<Trip>().where { $0.name == "City break" }) == 0)
            #expect(try source.count(Query<Activity>()) == 1 && source.fetch(Query<Lodging>()).count == 1)
            #expect(try source.count(Query<Activity>().where { $0.start != nil }) == 1)
            #expect(try source.count(Query<ChecklistEntry>()) == 1 && source.count(Query<Budget>()) == 1)
            #expect(try source.read { try $0.tripCount() } == 1)
            #expect(try source.templates().map(\.id) == [template])
        }
        let porto = try await store.copy(template, startingOn: Day(2028, 9, 4), named: "Porto")
        #expect(try store.trips().rows.map(\.trip.name) == ["Lisbon", "Porto"])
        #expect(try store.items(of: porto).map(\.cost) == [nil, nil])
        // The flag is a field like others: it is cleared, and undone.
        let receipt = try await store.edit(template) { $0.isTemplate = false }
        #expect(try store.templates().isEmpty && store.count(Query<Trip>()) == 3 && store.trips().rows.count == 3)
        try await store.undo(receipt)
        #expect(try store.templates().count == 1 && store.trips().rows.count == 2)
        try await store.delete(template)
        #expect(try store.templates().isEmpty)
        try await store.expectInvariants()
    }

    @Test("A live list of trips loses what becomes a template")
    func live() async throws {
        let (store, lisbon) = try await Self.store()
        var counts = store.live(Query<Trip>()).makeAsyncIterator()
        #expect(try await counts.next()?.rows.count == 1)
        try await store.edit(lisbon) { $0.isTemplate = true }
        #expect(try await counts.next()?.rows.count == 0)
        try await store.expectInvariants()
    }

    @Test("A trip is put on other days with all of it in one commit, which one undo reverts")
    func shift() async throws {
        let (store, lisbon) = try await Self.store()
        let before = try store.contents(of: lisbon)
        let receipt = try await store.shift(lisbon, byDays: 1)
        #expect(receipt.entities.count == 3)
        let after = try #require(try store.contents(of: lisbon))
        #expect(after.trip.startDay == Day(2027, 3, 28) && after.trip.endDay == Day(2027, 3, 30))
        #expect(after.items[0].start?.localISO8601 == "2027-03-28T09:00:00+01:00")
        #expect(after.entries[0].dueDay == Day(2027, 3, 21))
        try await store.undo(receipt)
        #expect(try store.contents(of: lisbon)?.items.map(\.start) == before?.items.map(\.start))
        #expect(try store.trip(lisbon)?.startDay == Day(2027, 3, 27))
        #expect(try await store.shift(lisbon, to: Day(2027, 3, 27)).isUnchanged)
        try await store.shift(lisbon, to: Day(2028, 2, 28))
        #expect(try store.trip(lisbon)?.endDay == Day(2028, 3, 1))
        await #expect(throws: TripStoreError.self) { try await store.shift(lisbon, byDays: 4_000_000) }
        #expect(try store.trip(lisbon)?.endDay == Day(2028, 3, 1))
        try await store.expectInvariants()
    }

    @Test("A copy takes no append id: another attempt would make other ids")
    func appendID() async throws {
        let (store, lisbon) = try await Self.store()
        let before = try store.status().position
        let error = try await #require(throws: TripStoreError.self) {
            try await store.copy(lisbon, by: Authorship(author: "ana", appendID: AppendID()))
        }
        #expect(error.code == .appendIDUnusable)
        #expect(try store.status().position == before)
        // What is kept can be repeated.
        let copy = try #require(try store.contents(of: lisbon)).copied()
        let authorship = Authorship(author: "ana", appendID: AppendID())
        for _ in 0..<2 { try await store.append(copy.creations, by: authorship) }
        #expect(try store.trips().rows.count == 2)
        try await store.expectInvariants()
    }

    @Test("A repeated attempt of a shift shifts once")
    func repeated() async throws {
        let (store, lisbon) = try await Self.store()
        let authorship = Authorship(author: "ana", appendID: AppendID())
        let receipt = try await store.shift(lisbon, byDays: 2, by: authorship)
        let again = try await store.shift(lisbon, byDays: 2, by: authorship)
        #expect(again.commit == receipt.commit && again.isRepeat)
        #expect(try store.trip(lisbon)?.startDay == Day(2027, 3, 29))
        try await store.expectInvariants()
    }
}
