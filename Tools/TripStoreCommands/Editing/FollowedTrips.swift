import Foundation
import TripStore

/// The trips whose days follow the items that a command writes. The days are written in a commit of their own, which shares a correlation with
/// the command's: `undo --last` takes back both.
struct FollowedTrips {
    private let trips: [Trip.ID]
    /// That of the command's commit.
    let authorship: Authorship

    /// - Parameter trip: a trip into which an item comes.
    init(
        of entities: [EntityReference], and trip: Trip.ID? = nil, _ author: AuthorOption, in store: TripStore
    ) throws {
        let held = try store.read { views in
            try entities.compactMap { entity in
                try views.record(of: entity).flatMap { TripItem(entity, record: $0)?.trip }
            }
        }
        trips = try Set(held + [trip].compactMap { $0 }).sorted().filter { trip in
            let ends = try store.endsThatFollow(of: trip)
            return ends.start || ends.end
        }
        var authorship = author.authorship
        if !trips.isEmpty { authorship.correlation = UUID() }
        self.authorship = authorship
    }

    /// Writes the days that changed.
    func follow(in store: TripStore) async throws {
        for trip in trips { try await store.followItems(of: trip, by: authorship) }
    }
}
