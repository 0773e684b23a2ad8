import Foundation

/// By which clocks those who travel live at each instant of a trip: those of the place where they are known to be.
///
/// - One is where the last journey arrived that had ended by then, where a journey has departed since, or where a stay has begun since.
/// - An instant without a place, as feeds have it in UTC, tells no place: after such an arrival it is not known where one is.
/// - Where nothing is known, one is where the next journey departs or the next stay begins, if no arrival is before it.
/// - For an item those journeys and stays count in which one of its participants takes part. What names nobody is for all who travel.
/// - Ideas and what is cancelled lead nobody anywhere, neither does what one only has, nor what deleted travellers alone take part in.
package struct TripClocks: Sendable {
    /// An instant at which it is known where some are.
    private struct Sighting {
        /// The order of time, and at one instant arrivals, the one that departed last behind others, then stays, departures, and by id.
        let key: (instant: Int64, kind: Int, departed: Int64, id: UUID)
        /// Nil where nobody knows.
        let zone: String?
        let travellers: Set<Traveller.ID>
    }

    private var sightings: [Sighting] = []
    /// The sightings of each traveller whom items name, by their indices, ascending.
    private var named: [Traveller.ID: [Int]] = [:]
    /// The sightings of items that name nobody, and all of them.
    private var (unnamed, all): ([Int], [Int]) = ([], [])
    /// The zones of places in which items are, by the instants of their ends.
    private var clocks: [(instant: Int64, zone: String)] = []
    /// The days that a calendar of one of the zones does not have.
    private(set) var skippedDays: Set<Day> = []

    /// The clocks of no trip: each item has its own.
    package static let own = TripClocks([])

    /// O(items · log items + participants).
    package init(_ items: [TripItem]) {
        for item in items where item.takesPlace {
            let ends = ItemEnds(item)
            for moment in [ends.begins, ends.ends].compactMap({ $0 }) where moment.isOfPlace {
                clocks.append((moment.milliseconds, moment.zone))
            }
            if item.kind == .activity || item.isHad { continue }
            let travellers = item.participants
            if travellers.isEmpty, !item.isForAllTravellers { continue }
            add(item, ends, travellers)
        }
        clocks.sort { $0 < $1 }
        sightings.sort { $0.key < $1.key }
        skippedDays = Set(Set(sightings.compactMap(\.zone)).flatMap { SkippedDays.of($0) })
        all = Array(sightings.indices)
        for (index, sighting) in sightings.enumerated() {
            if sighting.travellers.isEmpty { unnamed.append(index) }
            for traveller in sighting.travellers { named[traveller, default: []].append(index) }
        }
    }

    private mutating func add(_ item: TripItem, _ ends: ItemEnds, _ travellers: Set<Traveller.ID>) {
        let departed = ends.begins?.milliseconds ?? .min
        func sighting(_ moment: Moment, _ kind: Int) -> Sighting {
            Sighting(
                key: (moment.milliseconds, kind, departed, item.id.uuid), zone: moment.isOfPlace ? moment.zone : nil,
                travellers: travellers)
        }
        guard item.kind == .transportation else {
            if let begins = ends.begins, begins.isOfPlace { sightings.append(sighting(begins, 1)) }
            return
        }
        if let arrival = ends.ends { sightings.append(sighting(arrival, 0)) }
        if let departure = ends.begins, departure.isOfPlace, ends.ends.map({ $0.milliseconds > departed }) ?? true {
            sightings.append(sighting(departure, 2))
        }
    }

    /// How many zones the clocks of the items have.
    package var zoneCount: Int { Set(clocks.map(\.zone)).count }

    // MARK: At an instant

    /// The zone where some travellers are known to be, all if none are named, or nil; and that to which they get next as far as is known.
    /// O(travellers · log sightings).
    private func zones(around instant: Int64, of travellers: Set<Traveller.ID>) -> (known: String?, next: String?) {
        var (last, next): (Int?, Int?)
        for list in travellers.isEmpty ? [all] : [unnamed] + travellers.compactMap({ named[$0] }) {
            let index = list.firstIndex(after: instant) { sightings[$0].key.instant }
            last = [last, index > 0 ? list[index - 1] : nil].compactMap { $0 }.max()
            next = [next, index < list.count ? list[index] : nil].compactMap { $0 }.min()
        }
        let following = next.map { sightings[$0] }
        return (last.flatMap { sightings[$0].zone }, following?.key.kind == 0 ? nil : following?.zone)
    }

    /// The zone where some travellers are known to be; nil where nobody knows.
    func zone(at instant: Int64, of travellers: Set<Traveller.ID>) -> String? {
        zones(around: instant, of: travellers).known
    }

    /// A moment of an item by the clocks of those who take part. What is at a place has the clocks there: a journey, a stay, and what names its
    /// place. So has what is in the zone to which they get next, on a way that nobody entered.
    func moment(_ moment: Moment, of item: TripItem, _ travellers: Set<Traveller.ID>) -> Moment {
        let own = moment.isOfPlace ? moment.zone : nil
        if own != nil, item.isAtPlace { return moment }
        let (known, next) = zones(around: moment.milliseconds, of: travellers)
        let zone = own == nil ? known ?? next : next == own ? own : known ?? own
        return Moment(milliseconds: moment.milliseconds, zone: zone ?? moment.zone)
    }

    /// Whether the calendar of all who travel does not have a day. O(log sightings).
    func isSkipped(_ day: Day) -> Bool {
        guard skippedDays.contains(day), let zone = zone(at: day.noon, of: []) else { return false }
        return SkippedDays.contains(day, in: zone)
    }

    // MARK: For what is entered

    /// The zone in which a local time of the trip counts that names none: that of those who travel then or, where nobody knows it, of the item
    /// that is nearest in time. Nil for a trip without a clock, and for what is no time.
    package func zone(reading text: String, of travellers: Set<Traveller.ID> = []) -> String? {
        guard var instant = (try? Moment(parsing: text, in: "UTC"))?.milliseconds else { return nil }
        var found: String?
        // Where one is at that time by the clocks of where one is: a second look is enough but on the day of a journey, where either is right.
        for _ in 0..<2 {
            let (known, next) = zones(around: instant, of: travellers)
            guard let zone = known ?? next ?? nearest(to: instant) else { return nil }
            if zone == found { break }
            found = zone
            instant = (try? Moment(parsing: text, in: zone))?.milliseconds ?? instant
        }
        return found
    }

    private func nearest(to instant: Int64) -> String? {
        clocks.min { abs(Double($0.instant) - Double(instant)) < abs(Double($1.instant) - Double(instant)) }?.zone
    }
}

extension [Int] {
    /// The first of its indices whose instant is after another; its count if there is none. O(log n).
    fileprivate func firstIndex(after instant: Int64, _ key: (Int) -> Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if key(self[middle]) <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension TripItem {
    /// Whether it is to happen, or has: an idea may not, and what is cancelled does not.
    package var takesPlace: Bool { self.stage != .idea && self.stage != .cancelled }

    /// Whether its own clocks are those of the place where it is: a call at home, noted as an activity, has others than those who travel.
    fileprivate var isAtPlace: Bool { kind != .activity || self.address != nil || !self.customLocationName.isEmpty }
}

extension Day {
    /// The first instant of the day in UTC, in milliseconds since 1970.
    package var milliseconds: Int64 { Int64(daysSince1970) * 86_400_000 }

    /// An instant of the day in most zones, by which the zone of a traveller on that day is found: noon in UTC.
    var noon: Int64 { milliseconds + 43_200_000 }
}
