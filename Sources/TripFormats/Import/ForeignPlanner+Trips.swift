import Events
import TripStore

extension ForeignPlanner {
    /// Spans of days of which the trip is remembered.
    private static let mostDays = 100_000

    mutating func goal(
        of entry: ForeignFile.Entry, _ present: EntityReference?, _ state: ImportState
    ) throws -> Placed.Goal {
        switch target {
        case .trip(let trip): return .trip(trip)
        case .named: return .fileTrip
        case .byDays:
            let trip = try trip(of: entry, present.flatMap { state.created($0)?.parent.flatMap { Trip.ID($0) } }, state)
            return trip.map { $0 == fileTrip.id ? .fileTrip : .trip($0) } ?? .fileTrip
        }
    }

    /// Nil for the trip of the file.
    private mutating func trip(
        of entry: ForeignFile.Entry, _ present: Trip.ID?, _ state: ImportState
    ) throws -> Trip.ID? {
        if let present { return present }
        if let trip = entry.trip, exported[trip] != nil || state.created(trip.reference)?.isDeleted == false {
            return trip
        }
        guard let days = entry.item.days else { return nil }
        if let known = tripsByDays[days] { return known }
        let found = try tripAround(days)
        if tripsByDays.count >= Self.mostDays { tripsByDays = [:] }
        tripsByDays[days] = .some(found)
        return found
    }

    /// The one trip whose days have all of some days; nil if there is none, or several.
    func tripAround(_ days: ClosedRange<Day>) throws -> Trip.ID? {
        var found: Trip.ID?
        var cursor: PageCursor?
        repeat {
            let page = try sender.store.trips(.overlapping(days), limit: 200, after: cursor)
            for row in page.rows where row.trip.id != fileTrip.id {
                guard let first = row.trip.startDay, let last = row.trip.effectiveEndDay, first <= days.lowerBound,
                    days.upperBound <= last
                else { continue }
                if found != nil { return nil }
                found = row.trip.id
            }
            cursor = page.next
        } while cursor != nil
        return found
    }
}
