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
        var authorship = authorship
        authorship.causation = ImportMark.days.causation
        while true {
            // Before the days are read: a person may write them meanwhile, and theirs stay.
            let version = try read { try $0.record(of: trip.reference) }?.version ?? .none
            let ends = try endsThatFollow(of: trip)
            guard ends.start || ends.end, let held = try self.trip(trip) else { return nil }
            var changed = held
            changed.follow(try items(of: trip).rows, start: ends.start, end: ends.end)
            guard let edit = TripEvent.edited(from: held, to: changed) else { return nil }
            do {
                return try await append([edit], by: authorship, expecting: [trip.reference: version])
            } catch let error as TripStoreError where error.code == .versionConflict {
                // Each attempt means that another write succeeded.
                try await catchUp()
                try Task.checkCancellation()
            }
        }
    }

    /// The ends of a trip that follow its items. An undoing gives back what was there: an end follows after it if it ever did.
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
