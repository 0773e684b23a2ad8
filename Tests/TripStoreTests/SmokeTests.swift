import Foundation
import Testing
import TripStore

@Suite struct SmokeTests {
    @Test func writesAndReads() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(
            Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let start = Moment(Date(timeIntervalSince1970: 1_800_000_000), "Europe/Lisbon")
        let tram = try await store.create(Activity(name: "Tram 28", in: lisbon, from: start, until: start))
        try await store.edit(lisbon) { $0.name = "Lisbon and Porto" }
        #expect(try store.trip(lisbon)?.name == "Lisbon and Porto")
        #expect(try store.items(of: lisbon).map(\.id) == [tram.uuid])
        let page = try store.trips(.starting(in: Day(2027, 5, 1)..<Day(2027, 6, 1)))
        #expect(page.rows.map(\.id) == [lisbon])
        #expect(page.rows[0].itemCount == 1)
        #expect(try store.trips(.overlapping(Day(2027, 5, 7)..<Day(2027, 5, 8))).rows.count == 1)
        #expect(try store.trips(.overlapping(Day(2027, 5, 9)..<Day(2027, 5, 18))).rows.count == 0)
        let history = try store.history(of: lisbon)
        #expect(history.count == 2)
        print(history)
        let report = try await store.verifyViews()
        #expect(report.views.allSatisfy { $0.matches == true })
        let again = try await store.rebuildViews()
        #expect(again.views.map(\.digest) == report.views.map(\.digest))
        #expect(try store.trip(lisbon)?.name == "Lisbon and Porto")
        let verification = try await TripStore.verify(at: store.folder)
        #expect(verification.findings == [])
        await #expect(throws: TripStoreError.self) { try await store.create(Activity(name: "x", in: .new())) }
        await store.close()
    }

    @Test func manyTasksShareSyncs() async throws {
        let store = try await TripStore.temporary()
        let clock = ContinuousClock()
        let time = try await clock.measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 0..<1000 { group.addTask { try await store.create(Trip(name: "Trip \(n)")) } }
                try await group.waitForAll()
            }
        }
        print(time)
        #expect(try store.status().trips == 1000)
        #expect(try store.status().position == Position(1001))
        #expect(try await TripStore.verify(at: store.folder).findings == [])
    }
}
