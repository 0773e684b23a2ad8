import Foundation
import Observation
import Testing
import TripStore

#if canImport(SwiftUI)
    import SwiftUI
#endif

@Suite("The tutorial")
struct TutorialSnippets {
    @Test("A store")
    func store() async throws {
        try await firstStep()
        try await secondStep()
    }

    private func firstStep() async throws {
        // begin Tutorial-store-1
        let store = try await TripStore.temporary()
        print("A store in", store.folder.path)
        // end
    }

    private func secondStep() async throws {
        // begin Tutorial-store-2
        let folder = URL.temporaryDirectory.appending(path: "tutorial-trips")
        let store = try await TripStore.open(at: folder)
        print("A store in", store.folder.path, "at position", try store.status().position)
        // end
        await store.close()
        try FileManager.default.removeItem(at: folder)
    }

    @Test("Writing and reading")
    func writing() async throws {
        try await write1()
        try await write2()
        try await write3()
    }

    private func write1() async throws {
        // begin Tutorial-write-1
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(
            Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let start = Moment(milliseconds: 1_809_259_200_000, zone: "Europe/Lisbon")
        try await store.create(Activity(name: "Tram 28", in: lisbon, from: start, cost: Money("3.10", "EUR")))
        // end
    }

    private func write2() async throws {
        // begin Tutorial-write-2
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(
            Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let start = Moment(milliseconds: 1_809_259_200_000, zone: "Europe/Lisbon")
        try await store.create(Activity(name: "Tram 28", in: lisbon, from: start, cost: Money("3.10", "EUR")))
        try await store.edit(lisbon) { $0.name = "Lisbon and Porto" }
        // end
    }

    private func write3() async throws {
        // begin Tutorial-write-3
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(
            Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let start = Moment(milliseconds: 1_809_259_200_000, zone: "Europe/Lisbon")
        try await store.create(Activity(name: "Tram 28", in: lisbon, from: start, cost: Money("3.10", "EUR")))
        try await store.edit(lisbon) { $0.name = "Lisbon and Porto" }

        for row in try store.trips(.starting(in: Day(2027, 5, 1)..<Day(2027, 6, 1))).rows {
            print(row.trip.name, row.itemCount, row.costs.map(\.minorUnits))
        }
        for item in try store.items(of: lisbon) {
            print(item.name, item.start?.date ?? .distantFuture)
        }
        // end
        #expect(try store.trip(lisbon)?.name == "Lisbon and Porto")
    }

    @Test("A live list on the command line ends by itself")
    func live() async throws {
        try await live1()
        try await live2()
    }

    private func live1() async throws {
        // begin Tutorial-live-1
        let store = try await TripStore.temporary()
        let writer = Task {
            for city in ["Lisbon", "Porto", "Faro"] {
                try await store.create(Trip(name: city, days: Day(2027, 5, 1)...Day(2027, 5, 8)))
                try await Task.sleep(for: .milliseconds(200))
            }
        }

        for try await update in store.live(.trips()) {
            print(update.rows.map(\.trip.name), "new:", update.changes.inserted.count)
            if update.rows.count == 3 { break }
        }
        try await writer.value
        // end
    }

    @MainActor
    private func live2() async throws {
        // begin Tutorial-live-2
        @MainActor
        final class TripPrinter {
            let list: LiveModel<LiveRows<TripRow>>

            init(_ list: LiveModel<LiveRows<TripRow>>) { self.list = list }

            func follow() {
                withObservationTracking {
                    print(list.rows.map(\.trip.name))
                } onChange: { [weak self] in
                    // Told once, just before the new value is there: so look again a moment later.
                    Task { @MainActor in self?.follow() }
                }
            }
        }

        let store = try await TripStore.temporary()
        let printer = TripPrinter(LiveModel(store.live(.trips())))
        printer.follow()

        for city in ["Lisbon", "Porto", "Faro"] {
            try await store.create(Trip(name: city, days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        }
        while printer.list.rows.count < 3 { try await Task.sleep(for: .milliseconds(10)) }
        // end
        #expect(printer.list.rows.count == 3)
    }

    @Test("Undo and history")
    func undo() async throws {
        // begin Tutorial-undo-1
        let store = try await TripStore.temporary()
        let ana: Authorship = "ana"
        let lisbon = try await store.create(Trip(name: "Lisbon"), by: ana)
        try await store.edit(lisbon, by: ana) { $0.name = "Porto" }

        try await store.undo(.last(by: "ana"), by: ana)
        print(try store.trip(lisbon)?.name ?? "gone")  // Lisbon
        try await store.redo(by: ana)
        print(try store.trip(lisbon)?.name ?? "gone")  // Porto
        // end
        #expect(try store.trip(lisbon)?.name == "Porto")
        try await history()
    }

    private func history() async throws {
        // begin Tutorial-undo-2
        let store = try await TripStore.temporary()
        let ana: Authorship = "ana"
        let lisbon = try await store.create(Trip(name: "Lisbon"), by: ana)
        let created = try store.status().position
        try await store.edit(lisbon, by: ana) { $0.name = "Porto" }

        for entry in try store.history(of: lisbon) {
            print(entry.commit.author, entry.event.verb.name, entry.event.changes.map(\.new.text))
        }
        print(try store.entity(lisbon, asOf: .position(created))?.name ?? "gone")  // Lisbon
        // end
        #expect(try store.entity(lisbon, asOf: .position(created))?.name == "Lisbon")
    }
}

// begin Tutorial-swiftui-1
struct TripListView: View {
    @Live(.trips()) private var trips

    var body: some View {
        List(trips) { row in
            Text(row.trip.name)
        }
    }
}
// end

// begin Tutorial-swiftui-2
struct EditableTripList: View {
    @Environment(\.tripStore) private var store
    @Live(.trips()) private var trips

    var body: some View {
        List(trips) { row in
            HStack {
                Text(row.trip.name)
                Spacer()
                Button("Delete") {
                    Task { try await store?.delete(row.id) }
                }
            }
        }
    }
}
// end

// begin LiveQueries-swiftui
struct MayView: View {
    let store: TripStore?  // nil while it is being opened

    var body: some View {
        MayList().tripStore(store)
    }
}

struct MayList: View {
    @Live(.trips(.starting(in: Day(2027, 5, 1)...Day(2027, 5, 31)), limit: 20)) private var trips

    var body: some View {
        VStack {
            if case .empty = $trips.phase {
                Text("No trips in May")
            }
            if case .failed(let error) = $trips.phase {
                Text("This may be out of date: \(error)")
                Button("Try again") { $trips.retry() }
            }
            List(trips) { row in
                Text(row.trip.name)
            }
            if $trips.hasMore {
                Button("More") { $trips.loadMore() }
            }
        }
    }
}
// end

// begin LiveQueries-parameter
struct ItemList: View {
    @Live<TripItem> private var items: [TripItem]

    init(trip: Trip.ID) {
        _items = Live(.items(of: trip))
    }

    var body: some View {
        List(items) { item in
            HStack {
                Text(item.name)
                Spacer()
                Text(item.cost?.description ?? "")
            }
        }
    }
}
// end

// begin LiveQueries-state
struct TotalsView: View {
    @State private var totals: LiveModel<Totals>

    init(store: TripStore, trip: Trip.ID) {
        _totals = State(initialValue: LiveModel(store.live { try $0.totals(of: trip) }))
    }

    var body: some View {
        Text("\(totals.latest?.itemCount ?? 0) items")
    }
}
// end
