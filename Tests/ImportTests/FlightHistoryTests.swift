import Foundation
import StoreSupport
import Testing
import TripFormats
import TripStore

@Suite("History of a day of flights")
struct FlightHistoryTests {
    @Test(
        "A list that stays open while the second file is imported ends equal to a fresh query, and emits nothing twice"
    )
    func liveList() async throws {
        let store = try await TripStore.test()
        _ = try await store.importing(Flights.planned)
        let day = Day(2013, 1, 1)
        let query = Query<Trip>.starting(in: day..<day.advanced(by: 1))
        let importing = Task {
            _ = try await store.importing(Flights.actual)
            // A marker that ends the list.
            try await store.create(Trip(name: "the end", days: day...day))
        }
        var told = 0
        var rows: [TripRow] = []
        for try await update in store.live(.trips(query, limit: 2000)) {
            #expect(update.rows != rows, "told twice")
            #expect(update.changes == RowChanges(from: rows, to: update.rows))
            #expect(Set(update.rows.map(\.id)).count == update.rows.count, "a row is there twice")
            rows = update.rows
            told += 1
            if rows.contains(where: { $0.trip.name == "the end" }) { break }
        }
        try await importing.value
        #expect(rows == (try store.read { try $0.trips(query, limit: 2000).rows }))
        #expect(told >= 2)
        try await store.expectInvariants()
    }

    @Test("Undoing the whole second import gives back every trip and item, field by field; redo brings it again")
    func undo() async throws {
        let store = try await TripStore.test()
        _ = try await store.importing(Flights.planned)
        let before = try store.contents()
        let position = try store.status().position
        _ = try await store.importing(Flights.actual)
        let after = try store.contents()
        #expect(before != after)
        let correlation = try #require(try store.commit(at: store.status().position)?.correlation)
        let plan = try store.undoPlan(.correlation(correlation))
        let report = try await store.undo(.correlation(correlation))
        #expect(report.kept == [])
        #expect(report.changes == plan.changes)
        #expect(try store.contents() == before)
        #expect(try await store.asOf(position).contents() == before)
        #expect(try store.differences(from: .position(position), to: .position(store.status().position)).isEmpty)
        try await store.redo()
        #expect(try store.contents() == after)
        try await store.expectInvariants()
    }

    @Test("Blame names the import that delayed a flight, with the time as it was and as it is")
    func blame() async throws {
        let store = try await TripStore.test()
        _ = try await store.importing(Flights.planned)
        let planned = try store.status().position
        _ = try await store.importing(Flights.actual)
        let late = try store.differences(from: .position(planned), to: .position(store.status().position)).first {
            $0.entity.kind == .transportation && $0.fields.contains { $0.name == "end" }
        }
        let flight = try #require(late)
        let blame = try store.blame(flight.entity)
        let end = try #require(blame.lines.first { $0.field.name == "end" })
        #expect(end.commit.position > planned)
        #expect(end.field == flight.fields.first { $0.name == "end" }?.new)
        #expect(try #require(blame.lines.first { $0.field.name == "name" }).commit.position <= planned)
        #expect(try store.conflicts(includingResolved: true).isEmpty)
        try await store.expectInvariants()
    }
}
