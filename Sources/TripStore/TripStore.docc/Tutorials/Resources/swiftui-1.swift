import SwiftUI
import TripStore

struct TripListView: View {
    @State private var trips: LiveModel<LiveRows<TripRow>>

    init(store: TripStore) {
        _trips = State(initialValue: LiveModel(store.live()))
    }

    var body: some View {
        List(trips.rows) { row in
            Text(row.trip.name)
        }
    }
}
