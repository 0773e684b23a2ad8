import Foundation
import TripFormats
import TripStore

/// The trips whose days follow the items that a command writes. The days are written in a commit of their own, which shares a correlation with
/// the command's: `undo --last` takes back both.
struct FollowedTrips {
    private let trips: [Trip.ID]
    /// The authorship of the command's commit.
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

    /// Writes the days that changed, and tells people.
    func follow(in store: TripStore) async throws {
        for id in trips {
            guard try await store.followItems(of: id, by: authorship) != nil, let trip = try store.trip(id),
                let first = trip.startDay, let last = trip.effectiveEndDay
            else { continue }
            Console.current.note("The trip '\(trip.name)' follows its items: \(DayText.words(first...last)).")
        }
    }
}
