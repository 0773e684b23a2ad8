import Foundation
package import Trips

/// The days of trips that nobody set.
extension TripStore {
    /// Brings the days of a trip to those of its items, growing and shrinking, as far as no person set them: the one rule for what imports bring
    /// and what is edited, moved or deleted here. Returns nil if nothing changes. O(items and history of the trip).
    ///
    /// An end follows that an import gave to a trip which it made of a file's items, or that this rule wrote; so one that a person wrote since
    /// stays. The commit's causation says that this rule wrote it, on every replica.
    @discardableResult
    package func followItems(of trip: Trip.ID, by authorship: Authorship = Authorship()) async throws -> Receipt? {
        let ends = try endsThatFollow(of: trip)
        guard ends.start || ends.end, let held = try self.trip(trip) else { return nil }
        var (changed, authorship) = (held, authorship)
        changed.follow(try items(of: trip).rows, start: ends.start, end: ends.end)
        authorship.causation = ImportMark.days.causation
        guard let edit = TripEvent.edited(from: held, to: changed) else { return nil }
        return try await append([edit], by: authorship)
    }

    /// Which ends of a trip follow its items. An undoing gives back what was there: an end follows after it if it ever did.
    package func endsThatFollow(of trip: Trip.ID) throws -> (start: Bool, end: Bool) {
        // Ids of version 8 are derived from what a file calls its trip.
        guard trip.uuid.uuid.6 >> 4 == 8, try self.trip(trip) != nil else { return (false, false) }
        let entries = try history(of: trip).rows
        func follows(_ field: String) -> Bool {
            let writers = entries.filter { $0.event.changes.contains { $0.field == field } }.map(\.commit)
            let isMade = writers.map { ImportMark($0.causation).map { $0.part != .deletions } ?? false }
            return writers.last?.undoing == nil ? isMade.last ?? true : isMade.contains(true)
        }
        return (follows("startDate"), follows("endDate"))
    }
}
