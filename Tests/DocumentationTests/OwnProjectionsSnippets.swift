import Events
import Foundation
import ProjectionEngine
import Testing
import TripProjections
import TripStore
import TripStoreProjections
import TripStoreTestSupport

// begin Own-struct
/// Which items an organization runs.
struct ItemsByOrganization: Projection {
    let name = "items-by-organization"
    let version: UInt32 = 1

    func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink) throws(WireError) {
        guard try record.isPresent(), let item = try record.item(entity),
            let organization = item.organization
        else { return }
        sink.put(organization.uuid.bytes + entity.bytes)
    }
}
// end

// begin Own-events
/// How many events there were on each day, in UTC, by their authors' clocks.
struct EventsByDay: Projection {
    let name = "events-by-day"
    let version: UInt32 = 1
    var rowKind: RowKind { .accumulating }

    func rows(of event: borrowing EventView, at position: EventPosition, into sink: inout RowSink) {
        let day = UInt32(position.stamp.timestamp.date.timeIntervalSince1970 / 86_400)
        sink.add(day.bigEndianBytes)
    }
}
// end

@Suite("The page on one's own projections")
struct OwnProjectionsSnippets {
    @Test("Opened, read, live, and a fault")
    func own() async throws {
        let place = Folder()
        let folder = place.url
        // begin Own-open
        let byDestination = EntityProjection<Trip>("by-destination", version: 1) { trip, sink in
            sink.put(Array(trip.destination.utf8.prefix(100)) + [0] + trip.id.uuid.bytes)
        }
        let costs = EntityProjection<Activity>("costs", version: 1, .accumulating) { activity, sink in
            guard let cost = activity.cost else { return }
            sink.add(Array(cost.currency.code.utf8.prefix(32)) + [0], amount: Int128(cost.minorUnits))
        }
        let options = TripStore.Options(
            projections: [byDestination, costs, ItemsByOrganization(), EventsByDay()])
        let store = try await TripStore.open(at: folder, options: options)
        // end
        let lisbon = try await store.create(Trip(name: "Lisbon", destination: "Lisboa"))
        let carris = try await store.create(Organization(name: "Carris"))
        try await store.create(
            Activity(name: "Tram 28", in: lisbon, from: noon, cost: Money("3.10", "EUR"), organization: carris))

        // begin Own-read
        try await store.appViews.catchUp()  // only where what was written a moment ago must be there
        let (trips, spent) = try store.appViews.read { views in
            let rows = try views.rows(of: "by-destination", prefix: Array("Lisboa".utf8) + [0])
            let ids = rows.compactMap { row in Trip.ID(endOf: row.key) }
            let sum = try views.get(Array("EUR".utf8) + [0], in: "costs").flatMap { Accumulation($0) }
            return (try ids.compactMap { try views.entity($0) }, sum?.amount ?? 0)
        }
        // end
        #expect(trips.map(\.name) == ["Lisbon"])
        #expect(spent == 310)

        // begin Own-live
        let count = try store.appViews.live { views in
            var count = 0
            try views.forEachRow(of: "items-by-organization", KeyBounds(prefix: carris.uuid.bytes)) { _, _ in
                count += 1
                return true
            }
            return count
        }
        // end
        #expect(try await count.first { _ in true } == 1)
        #expect(try store.appViews.read { try $0.rows(of: "events-by-day").count } == 1)

        // begin Own-status
        if let fault = store.appViews.fault {
            print(fault, fault.view ?? "no view", fault.position.map { "\($0)" } ?? "nowhere in particular")
        }
        for view in try store.appViews.status() { print(view.name, view.rows) }
        let differences = try await store.appViews.compare(at: folder.path + "-compared").compactMap(\.difference)
        try await store.appViews.rebuild()
        // end
        #expect(store.appViews.fault == nil && differences.isEmpty)
        #expect(try await ProjectionLaws.violations(of: options.projections, seeds: [1]).isEmpty)
        try? FileManager.default.removeItem(atPath: folder.path + "-compared")
    }

    @Test("Rows with types")
    func typed() async throws {
        let place = Folder()
        let folder = place.url
        // begin Own-typed
        let byCity = AppView<ViewPair<String, Day?>, String>("by-city", version: 1) { (trip: Trip, rows) in
            rows.put(ViewPair(trip.destination, trip.startDay), trip.name)
        }
        let store = try await TripStore.open(at: folder, options: TripStore.Options(projections: [byCity]))
        // end
        let receipt = try await store.append([.created(Trip(name: "Lisbon", destination: "Lisboa"))])
        let notes = Notes()
        func print(_ parts: Any...) { notes.add(parts.map { "\($0)" }.joined(separator: " ")) }
        // begin Own-rows
        try await store.appViews.catchUp()  // only where what was written a moment ago must be there
        for row in try store.appViews.rows(of: byCity, .first("Lisboa")) {
            print(row.key.second?.description ?? "some day", row.value, row.entity.id)
        }
        let rows = store.live(.rows(of: byCity))
        let before = try await store.appViews.asOf(receipt.position - 1).rows(of: byCity)
        // end
        #expect(notes.all.first?.hasPrefix("some day Lisbon ") == true && notes.all.count == 1)
        #expect(try await rows.first { _ in true }?.rows.count == 1)
        #expect(before.isEmpty)
    }

    @Test("Sums with types")
    func sums() async throws {
        // begin Own-sums
        let spending = AppSums<ViewPair<Currency, PaidStatus>>(items: "spending", version: 1) { item, sums in
            guard let cost = item.cost else { return }
            sums.add(Int128(cost.minorUnits), to: ViewPair(cost.currency, item.paid))
        }
        let edits = AppSums<EntityKind>(events: "edits", version: 1) { event, position, sums in
            if event.verb == .edited { sums.add(to: event.entity.kind) }
        }
        // end
        let store = try await TripStore.temporary(options: TripStore.Options(projections: [spending, edits]))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram 28", in: lisbon, cost: Money("3.10", "EUR")))
        try await store.edit(tram) { $0.paid = .inFull }
        try await store.appViews.catchUp()
        let notes = Notes()
        func print(_ parts: Any...) { notes.add(parts.map { "\($0)" }.joined(separator: " ")) }
        // begin Own-sums-read
        let euro: Currency = "EUR"
        for sum in try store.appViews.sums(of: spending, .first(euro)) { print(sum.key.second, sum.count, sum.amount) }
        // end
        #expect(notes.all == ["inFull 1 310"])
        #expect(try store.appViews.sums(of: edits).map(\.key) == [.activity])
    }

    @Test("A projection that fails stops its group alone")
    func fault() async throws {
        let bad = EntityProjection<Trip>("bad", version: 1) { trip, sink in sink.put(Array(trip.notes.utf8)) }
        let store = try await TripStore.temporary(options: TripStore.Options(projections: [bad]))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        await #expect(throws: (any Error).self) { try await store.appViews.catchUp() }
        #expect(store.appViews.fault?.view == "bad")
        #expect(store.appViews.fault?.position == Position(2))
        #expect(try store.trip(lisbon)?.name == "Lisbon")
    }
}
