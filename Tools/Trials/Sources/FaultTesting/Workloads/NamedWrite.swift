import Events
import TripStore

/// A write that gives a trip a unique name, with the id by which another attempt of it is recognised.
struct NamedWrite: Sendable {
    enum Change: Sendable {
        case create(Trip)
        case rename(Trip.ID, String)
    }

    let change: Change
    /// The same for each attempt.
    private let appendID = AppendID()

    init(_ change: Change) { self.change = change }

    var trip: Trip.ID {
        switch change {
        case .create(let trip): trip.id
        case .rename(let trip, _): trip
        }
    }

    var name: String {
        switch change {
        case .create(let trip): trip.name
        case .rename(_, let name): name
        }
    }

    /// Throws what the store does.
    func run(in store: TripStore) async throws {
        let authorship = Authorship(appendID: appendID)
        switch change {
        case .create(let trip): try await store.create(trip, by: authorship)
        case .rename(let trip, let name): try await store.edit(trip, by: authorship) { $0.name = name }
        }
    }
}
