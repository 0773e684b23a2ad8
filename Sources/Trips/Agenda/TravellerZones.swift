import Foundation

/// In which zone those who travel are, at each instant of a trip: where the last journey arrived that had ended by then.
///
/// Journeys that are ideas or cancelled take nobody anywhere. Of journeys that arrive at one instant the one that departed last counts, then
/// the one with the greatest id.
struct TravellerZones {
    private let arrivals: [(instant: Int64, zone: String)]

    /// O(journeys · log journeys).
    init(_ items: [TripItem]) {
        let journeys = items.compactMap { item -> (key: (Int64, Int64, UUID), zone: String)? in
            guard item.kind == .transportation, item.takesPlace, let end = item.effectiveEnd, end.timeZone != nil else {
                return nil
            }
            return ((end.milliseconds, item.start?.milliseconds ?? .min, item.id.uuid), end.zone)
        }
        arrivals = journeys.sorted { $0.key < $1.key }.map { ($0.key.0, $0.zone) }
    }

    /// The zone at an instant; nil before the first arrival. O(log journeys).
    func zone(at instant: Int64) -> String? {
        var (low, high) = (0, arrivals.count)
        while low < high {
            let middle = (low + high) / 2
            if arrivals[middle].instant <= instant { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : arrivals[low - 1].zone
    }

    /// The instant of a moment by the clocks of those who travel; by its own before the first arrival.
    func moment(_ moment: Moment) -> Moment {
        zone(at: moment.milliseconds).map { Moment(milliseconds: moment.milliseconds, zone: $0) } ?? moment
    }
}

extension TripItem {
    /// Whether it is to happen, or has: an idea may not, and what is cancelled does not.
    var takesPlace: Bool { stage != .idea && stage != .cancelled }
}

extension Day {
    /// The first instant of the day in UTC, in milliseconds since 1970.
    var milliseconds: Int64 { Int64(daysSince1970) * 86_400_000 }

    /// An instant of the day in most zones, by which the zone of a traveller on that day is found: noon in UTC.
    var noon: Int64 { milliseconds + 43_200_000 }

    /// Whether calendars of a zone have the day: over the date line some zones skipped one. True for a zone that is not known.
    func isShown(in zone: String) -> Bool {
        guard let zone = TimeZoneCache.zone(zone) else { return true }
        // Local time is at most a day from UTC.
        let day = 93_600_000 as Int64
        let offsets = [noon - day, noon + day].map { Moment(milliseconds: $0, zone: "").local(in: zone).offset }
        // Without a change of clocks nothing is skipped.
        if offsets[0] == offsets[1] { return true }
        return offsets.contains { offset in
            Moment(milliseconds: noon - offset * 1_000, zone: "").local(in: zone).days == daysSince1970
        }
    }
}
