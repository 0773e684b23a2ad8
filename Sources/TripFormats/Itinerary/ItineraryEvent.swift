package import TripStore

/// What happens at one moment, or on a day without a time.
struct ItineraryEvent {
    let day: Day
    /// Nil of what has no time.
    let moment: Moment?
    let entry: Itinerary.Entry
    let places: [Itinerary.Place]

    init(_ moment: Moment?, _ day: Day, _ entry: Itinerary.Entry, _ places: [Itinerary.Place?]) {
        (self.moment, self.entry) = (moment, entry)
        self.day = moment?.localDay ?? day
        self.places = places.compactMap { $0 }
    }

    /// What ends comes before what begins.
    private var rank: Int {
        switch entry.part {
        case .arrival, .checkOut: 0
        default: 1
        }
    }

    private var key: (Int64, Int, String, String) {
        (moment?.milliseconds ?? Int64(day.daysSince1970), rank, entry.item.name, "\(entry.item.id)")
    }

    /// In the order of time. What has no time comes first on its day: before the first of what has one and is on that day or a later one.
    static func inOrder(_ events: [ItineraryEvent]) -> [ItineraryEvent] {
        let timed = events.filter { $0.moment != nil }.sorted { $0.key < $1.key }
        var untimed = events.filter { $0.moment == nil }.sorted { $0.key < $1.key }[...]
        var ordered: [ItineraryEvent] = []
        for event in timed {
            while let next = untimed.first, next.day <= event.day {
                ordered.append(next)
                untimed.removeFirst()
            }
            ordered.append(event)
        }
        return ordered + untimed
    }

    static func events(of item: TripItem) -> [ItineraryEvent] {
        let (start, end) = (item.start, item.effectiveEnd)
        if item.isStay {
            let checkIn = item.firstDay.map {
                ItineraryEvent(start, $0, .init(item: item, part: .checkIn), [item.place(at: start)])
            }
            let checkOut = item.lastDay.map {
                ItineraryEvent(end, $0, .init(item: item, part: .checkOut), [item.place(at: end, isEnd: true)])
            }
            return [checkIn, checkOut].compactMap { $0 }
        }
        guard let day = item.firstDay ?? item.lastDay else { return [] }
        // Of an item that begins with a whole day the end may be on another.
        let isEndAlone = start == nil && (item.startDay == nil || end?.localDay == item.startDay)
        let first = start ?? (isEndAlone ? end : nil)
        var places = [item.place(at: first)]
        if item.kind == .transportation { places.append(item.place(at: end, isEnd: true)) }
        var events = [ItineraryEvent(first, day, .init(item: item, part: .whole), places)]
        if let days = item.shownDays, let last = item.lastDay {
            events.append(ItineraryEvent(nil, last, .init(item: item, part: .days(days...days)), places))
        }
        if item.arrivesOnAnotherDay, let last = item.lastDay {
            events.append(
                ItineraryEvent(end, last, .init(item: item, part: .arrival), [item.place(at: end, isEnd: true)]))
        }
        return events
    }
}

extension TripItem {
    /// On which day it begins: that of its start, where that is, or its first day.
    package var firstDay: Day? { start?.localDay ?? startDay }

    /// On which day it ends; of one with a time and a day, no earlier than it begins.
    package var lastDay: Day? { effectiveEnd?.localDay ?? effectiveEndDay.map { max($0, firstDay ?? $0) } }

    /// How many days it takes, if it has no time.
    package var wholeDays: Int? {
        guard start == nil, end == nil, let startDay, let last = effectiveEndDay else { return nil }
        return startDay.distance(to: last) + 1
    }

    /// The days from check-in to check-out; nil for what is no stay over a night.
    package var nights: Int? {
        guard kind == .lodging, let firstDay, let lastDay else { return nil }
        let nights = firstDay.distance(to: lastDay)
        return nights > 0 ? nights : nil
    }

    /// How many days it goes on, if it is one that shows on each: not a stay, which has nights, nor a journey.
    package var shownDays: Int? { kind == .activity ? wholeDays.flatMap { $0 > 1 ? $0 : nil } : nil }

    /// Whether it begins and ends on days of its own, as a stay over nights does.
    var isStay: Bool { kind == .lodging && (firstDay == nil || lastDay == nil || nights != nil) }

    /// Whether it is a journey that ends on another day than it begins.
    var arrivesOnAnotherDay: Bool {
        guard kind == .transportation, let firstDay, let lastDay else { return false }
        return firstDay != lastDay
    }

    /// Where it begins, or ends. An address says where one gets on: where a journey ends, its zone alone tells.
    /// Without a time nothing tells the zone, and only a city can be named.
    func place(at moment: Moment?, isEnd: Bool = false) -> Itinerary.Place? {
        let city = hidesLocation ? "" : self.city(isEnd: isEnd)
        return moment == nil && city.isEmpty ? nil : Itinerary.Place(city: city, zone: moment?.zone ?? "")
    }

    private func city(isEnd: Bool) -> String {
        if case .transportation(let journey) = self {
            let place = isEnd ? journey.arrival : journey.departure
            if let city = place.address?.city, !city.isEmpty { return city }
            if isEnd { return "" }
        }
        return address?.city ?? ""
    }
}
