import SwiftUI
import TripStore

struct TripListView: View {
    @Live(.trips()) private var trips

    var body: some View {
        List(trips) { row in
            Text(row.trip.name)
        }
    }
}
