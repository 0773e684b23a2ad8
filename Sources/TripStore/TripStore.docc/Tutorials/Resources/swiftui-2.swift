import SwiftUI
import TripStore

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
