import TripStore

/// Faults in how often names were given to trips, by their histories.
///
/// The histories are read, and not the present trips: a wrongly written name may have been overwritten by the next one,
/// and a duplicate commit shows once.
struct WrittenNames {
    /// Those that were refused and are there.
    private(set) var refused: [String] = []
    /// Those that are there more than once.
    private(set) var repeated: [String] = []

    /// O(events of the trip).
    mutating func note(_ trip: Trip.ID, in store: TripStore, _ expected: Expectations.Store) throws {
        var counts: [String: Int] = [:]
        do {
            for entry in try store.history(of: trip) {
                for change in entry.event.changes where change.field == Trip.fieldName(of: \.name) {
                    counts[change.new.text, default: 0] += 1
                }
            }
        } catch let error as TripStoreError where error.code == .unknownEntity {
            return
        }
        for name in expected.refused[trip] ?? [] where counts[name] != nil { refused.append("\(trip) by '\(name)'") }
        for (name, count) in counts where count > 1 { repeated.append("\(trip) by '\(name)', \(count) times") }
    }
}
