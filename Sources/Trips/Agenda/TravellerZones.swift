import Foundation

/// In which zone those who travel are, at each instant of a trip: where the last journey arrived that had ended by then.
///
/// For an item that counts the journeys in which one of its participants takes part. Items and journeys that name nobody are for all who
/// travel. Journeys that are ideas or cancelled, and those of deleted travellers alone, take nobody anywhere. Of journeys that arrive at one
/// instant the one that departed last counts, then the one with the greatest id.
struct TravellerZones {
    private let arrivals: [(instant: Int64, zone: String)]
    /// The arrivals of each traveller that journeys name, by their indices, ascending.
    private var named: [Traveller.ID: [Int]] = [:]
    /// Those of journeys that name nobody.
    private var unnamed: [Int] = []
    /// The days that a calendar of one of the zones does not have.
    let skippedDays: Set<Day>

    /// O(journeys · log journeys + participants of journeys).
    init(_ items: [TripItem]) {
        var journeys: [(key: (Int64, Int64, UUID), zone: String, travellers: Set<Traveller.ID>)] = []
        for item in items where item.kind == .transportation && item.takesPlace {
            guard let end = item.effectiveEnd, end.timeZone != nil else { continue }
            let travellers = item.participants
            if travellers.isEmpty, !item.item.isForAllTravellers { continue }
            journeys.append(((end.milliseconds, item.start?.milliseconds ?? .min, item.id.uuid), end.zone, travellers))
        }
        journeys.sort { $0.key < $1.key }
        arrivals = journeys.map { ($0.key.0, $0.zone) }
        skippedDays = Set(Set(journeys.map(\.zone)).flatMap { SkippedDays.of($0) })
        for (index, journey) in journeys.enumerated() {
            if journey.travellers.isEmpty { unnamed.append(index) }
            for traveller in journey.travellers { named[traveller, default: []].append(index) }
        }
    }

    /// The zone at an instant of some travellers, of all if none are named; nil before their first arrival.
    /// O(travellers · log journeys).
    func zone(at instant: Int64, of travellers: Set<Traveller.ID>) -> String? {
        // Fast path: most trips have no journey of some alone.
        if travellers.isEmpty || named.isEmpty {
            return last(arrivals.indices, { $0 }, by: instant).map { arrivals[$0].zone }
        }
        let lists = [unnamed] + travellers.compactMap { named[$0] }
        return lists.compactMap { list in last(list.indices, { list[$0] }, by: instant) }.max().map {
            arrivals[$0].zone
        }
    }

    /// The last of some arrivals by an instant.
    private func last(_ indices: Range<Int>, _ arrival: (Int) -> Int, by instant: Int64) -> Int? {
        var (low, high) = (indices.lowerBound, indices.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if arrivals[arrival(middle)].instant <= instant { low = middle + 1 } else { high = middle }
        }
        return low == indices.lowerBound ? nil : arrival(low - 1)
    }

    /// Whether the calendar of all who travel does not have a day. O(log journeys).
    func isSkipped(_ day: Day) -> Bool {
        guard skippedDays.contains(day), let zone = zone(at: day.noon, of: []) else { return false }
        return SkippedDays.contains(day, in: zone)
    }

    /// The instant of a moment by the clocks of some travellers; by its own before their first arrival.
    func moment(_ moment: Moment, of travellers: Set<Traveller.ID>) -> Moment {
        zone(at: moment.milliseconds, of: travellers).map {
            Moment(milliseconds: moment.milliseconds, zone: $0)
        } ?? moment
    }
}

extension TripItem {
    /// Whether it is to happen, or has: an idea may not, and what is cancelled does not.
    var takesPlace: Bool { stage != .idea && stage != .cancelled }

    /// When it begins as far as is known: a stay with neither a start nor a first day when one checks in.
    package var knownStart: Moment? {
        guard case .lodging(let stay) = self, stay.start == nil, stay.startDay == nil else { return start }
        return stay.checkIn
    }

    /// When it ends, likewise by the check-out, but no earlier than it begins.
    package var knownEnd: Moment? {
        guard case .lodging(let stay) = self, stay.end != nil || stay.endDay == nil, let end = stay.end ?? stay.checkOut
        else { return effectiveEnd }
        guard let start = knownStart else { return end }
        return end.milliseconds < start.milliseconds ? start : end
    }
}

extension Day {
    /// The first instant of the day in UTC, in milliseconds since 1970.
    var milliseconds: Int64 { Int64(daysSince1970) * 86_400_000 }

    /// An instant of the day in most zones, by which the zone of a traveller on that day is found: noon in UTC.
    var noon: Int64 { milliseconds + 43_200_000 }
}
