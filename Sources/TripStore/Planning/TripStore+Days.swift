import EventLog
import Events
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
        var changed = held
        changed.follow(try items(of: trip).rows, start: ends.start, end: ends.end)
        guard let edit = TripEvent.edited(from: held, to: changed) else { return nil }
        return try await append(
            [edit],
            by: Authorship(
                author: authorship.author, causation: ImportMark.days.causation, correlation: authorship.correlation))
    }

    /// Which ends of a trip follow its items.
    package func endsThatFollow(of trip: Trip.ID) throws -> (start: Bool, end: Bool) {
        // Ids of version 8 are derived from what a file calls its trip.
        guard trip.uuid.uuid.6 >> 4 == 8 else { return (false, false) }
        while true { if let found = try endsOnce(trip) { return found } }
    }

    /// Nil if the views were further than the log as it was read, for a commit came in between.
    private func endsOnce(_ trip: Trip.ID) throws -> (start: Bool, end: Bool)? {
        try TripStoreError.wrap {
            try interceptor?.willRead()
            return try log.read { log in
                try views.read(beside: log) { views in
                    guard try views.position <= log.lastPosition() else { return nil }
                    var commits = CommitInfoCache()
                    let timeline = try EntityTimeline(
                        trip.reference, views: views, log: log, journal: try log.journal(), &commits, in: nil)
                    return (timeline.followsItems("startDate"), timeline.followsItems("endDate"))
                }
            }
        }
    }
}

extension EntityTimeline {
    /// Whether an end of a trip is none that a person set. An undoing gives back what was there: it follows if it ever did.
    fileprivate func followsItems(_ field: String) -> Bool {
        guard let number = Trip.fieldNumber(named: field) else { return false }
        let causes = (writes[FieldPath(field: number)] ?? []).map { entries[$0.entry].commit.causation }
        let isMade = causes.map { ImportMark($0).map { $0.part != .deletions } ?? false }
        guard let last = causes.last else { return true }
        return UndoMark(last) == nil ? isMade.last == true : isMade.contains(true)
    }
}
