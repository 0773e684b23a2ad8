import SwiftUI
import TripStore

struct EditableTripList: View {
    let store: TripStore
    @State private var trips: LiveModel<LiveRows<TripRow>>

    init(store: TripStore) {
        self.store = store
        _trips = State(initialValue: LiveModel(store.live()))
    }

    var body: some View {
        List(trips.rows) { row in
            HStack {
                Text(row.trip.name)
                Spacer()
                Button("Delete") {
                    Task { try await store.delete(row.id) }
                }
            }
        }
    }
}
