import Foundation
import TripStore

/// A trip as it is lived: what happens in the order of time, by the days that calendars show at each place.
///
/// Over the date line a day may come twice, or not at all.
struct Itinerary {
    /// What happens on a day, or on days in a row of which each is like the other.
    struct Section {
        let days: ClosedRange<Day>
        /// Whether the days lie outside of the trip's.
        let isOutside: Bool
        fileprivate(set) var entries: [Entry] = []
        fileprivate(set) var places: [Place] = []
    }

    /// An item, or a part of it.
    struct Entry {
        enum Part {
            case whole
            case checkIn
            case checkOut
            /// The end of a journey that ends on another day than it began.
            case arrival
            /// Nights of a stay, from the first on: the nights of the section's days.
            case nights(ClosedRange<Int>)
            /// Days of an item of several whole days after its first, by their numbers, 1 for the first.
            case days(ClosedRange<Int>)
            /// A journey that goes on all day.
            case onTheWay
        }

        let item: TripItem
        let part: Part
    }

    /// Where clocks are read.
    struct Place: Hashable {
        /// Empty if the item does not say, or hides it.
        let city: String
        /// An IANA name.
        let zone: String

        /// The city, or whose time it is.
        var words: String {
            if !city.isEmpty { return city }
            let name = zone.split(separator: "/").last.map { String($0).replacing("_", with: " ") } ?? zone
            return "\(name) time"
        }
    }

    private(set) var sections: [Section] = []
    /// The items that have no time.
    let open: [TripItem]

    init(_ trip: Trip, _ items: [TripItem]) {
        open = items.filter { $0.firstDay == nil && $0.lastDay == nil }
        var course = Course(trip)
        for event in Event.inOrder(items.flatMap(Event.events)) { course.add(event) }
        sections = course.finish()
    }
}

extension TripItem {
    /// On which day it begins: that of its start, where that is, or its first day.
    var firstDay: Day? { start?.localDay ?? startDay }

    /// On which day it ends; of one with a time and a day, no earlier than it begins.
    var lastDay: Day? { effectiveEnd?.localDay ?? effectiveEndDay.map { max($0, firstDay ?? $0) } }

    /// How many days it takes, if it has no time.
    var wholeDays: Int? {
        guard start == nil, end == nil, let startDay, let last = effectiveEndDay else { return nil }
        return startDay.distance(to: last) + 1
    }

    /// The days from check-in to check-out; nil for what is no stay over a night.
    var nights: Int? {
        guard kind == .lodging, let firstDay, let lastDay else { return nil }
        let nights = firstDay.distance(to: lastDay)
        return nights > 0 ? nights : nil
    }

    /// How many days it goes on, if it is one that shows on each: not a stay, which has nights, nor a journey.
    var shownDays: Int? { kind == .activity ? wholeDays.flatMap { $0 > 1 ? $0 : nil } : nil }

    /// Whether it begins and ends on days of its own, as a stay over nights does.
    fileprivate var isStay: Bool { kind == .lodging && (firstDay == nil || lastDay == nil || nights != nil) }

    /// Whether it is a journey that ends on another day than it begins.
    fileprivate var arrivesOnAnotherDay: Bool {
        guard kind == .transportation, let firstDay, let lastDay else { return false }
        return firstDay != lastDay
    }

    /// Where it begins, or ends. An address says where one gets on: where a journey ends, its zone alone tells.
    /// Without a time nothing tells the zone, and only a city can be named.
    fileprivate func place(at moment: Moment?, isEnd: Bool = false) -> Itinerary.Place? {
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

/// What happens at one moment, or on a day without a time.
private struct Event {
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
    static func inOrder(_ events: [Event]) -> [Event] {
        let timed = events.filter { $0.moment != nil }.sorted { $0.key < $1.key }
        var untimed = events.filter { $0.moment == nil }.sorted { $0.key < $1.key }[...]
        var ordered: [Event] = []
        for event in timed {
            while let next = untimed.first, next.day <= event.day {
                ordered.append(next)
                untimed.removeFirst()
            }
            ordered.append(event)
        }
        return ordered + untimed
    }

    static func events(of item: TripItem) -> [Event] {
        let (start, end) = (item.start, item.effectiveEnd)
        if item.isStay {
            let checkIn = item.firstDay.map {
                Event(start, $0, .init(item: item, part: .checkIn), [item.place(at: start)])
            }
            let checkOut = item.lastDay.map {
                Event(end, $0, .init(item: item, part: .checkOut), [item.place(at: end, isEnd: true)])
            }
            return [checkIn, checkOut].compactMap { $0 }
        }
        guard let day = item.firstDay ?? item.lastDay else { return [] }
        // Of an item that begins with a whole day the end may be on another.
        let isEndAlone = start == nil && (item.startDay == nil || end?.localDay == item.startDay)
        let first = start ?? (isEndAlone ? end : nil)
        var places = [item.place(at: first)]
        if item.kind == .transportation { places.append(item.place(at: end, isEnd: true)) }
        var events = [Event(first, day, .init(item: item, part: .whole), places)]
        if let days = item.shownDays, let last = item.lastDay {
            events.append(Event(nil, last, .init(item: item, part: .days(days...days)), places))
        }
        if item.arrivesOnAnotherDay, let last = item.lastDay {
            events.append(Event(end, last, .init(item: item, part: .arrival), [item.place(at: end, isEnd: true)]))
        }
        return events
    }
}

/// Makes sections of events as they come.
private struct Course {
    private let bounds: ClosedRange<Day>?
    private var sections: [Itinerary.Section] = []
    private var section: Itinerary.Section?
    /// The stays, journeys and items of several days that go on.
    private var running: [TripItem] = []
    /// Those that went on when the section began.
    private var runningBefore: [TripItem] = []

    init(_ trip: Trip) {
        bounds = trip.startDay.flatMap { start in trip.effectiveEndDay.map { start...$0 } }
    }

    mutating func add(_ event: Event) {
        let day = event.day
        if section?.days.lowerBound != day {
            close()
            fill(upTo: day)
            section = Itinerary.Section(days: day...day, isOutside: bounds.map { !$0.contains(day) } ?? false)
            runningBefore = running
        }
        section?.entries.append(event.entry)
        section?.places += event.places
        let item = event.entry.item
        switch event.entry.part {
        // Without a check-out nobody knows for how many nights.
        case .checkIn where item.nights != nil: running.append(item)
        case .checkOut, .arrival, .days: running.removeAll { $0.reference == item.reference }
        case .whole where item.arrivesOnAnotherDay || item.shownDays != nil: running.append(item)
        default: break
        }
    }

    mutating func finish() -> [Itinerary.Section] {
        close()
        if let end = bounds?.upperBound.advanced(by: 1) { fill(upTo: end) }
        return sections
    }

    /// Ends the section with the stays that went on all the time. Items of several days are first on the day, as all without a time.
    private mutating func close() {
        guard var closing = section else { return }
        let wentOn = running.filter { item in runningBefore.contains { $0.reference == item.reference } }
        for item in wentOn.reversed() { closing.addDays(of: item) }
        for stay in wentOn where stay.kind == .lodging { closing.addNights(of: stay) }
        sections.append(closing)
        section = nil
    }

    /// Adds the days before one, from the last section or the trip's start on, on which nothing begins or ends.
    private mutating func fill(upTo day: Day) {
        guard let first = sections.last.map({ $0.days.upperBound.advanced(by: 1) }) ?? bounds?.lowerBound, first < day
        else { return }
        let under = running.filter { $0.kind == .lodging || ($0.lastDay ?? first) > first }
        var days = first...day.advanced(by: -1)
        if under.isEmpty {
            guard let bounds, bounds.overlaps(days) else { return }
            days = days.clamped(to: bounds)
        }
        var gap = Itinerary.Section(days: days, isOutside: bounds.map { !$0.overlaps(days) } ?? false)
        for item in under {
            if item.kind == .lodging {
                gap.addNights(of: item)
            } else if item.shownDays != nil {
                gap.addDays(of: item)
            } else {
                gap.entries.append(.init(item: item, part: .onTheWay))
            }
        }
        sections.append(gap)
    }
}

extension Itinerary.Section {
    fileprivate mutating func addNights(of stay: TripItem) {
        guard let start = stay.firstDay else { return }
        let first = start.distance(to: days.lowerBound) + 1
        let last = start.distance(to: days.upperBound) + 1
        guard first >= 1, last >= first else { return }
        entries.append(.init(item: stay, part: .nights(first...last)))
        if let place = stay.place(at: stay.start) { places.append(place) }
    }

    /// Puts an item of several whole days before all others; nothing of another.
    fileprivate mutating func addDays(of item: TripItem) {
        guard let count = item.shownDays, let start = item.startDay else { return }
        let first = start.distance(to: days.lowerBound) + 1
        let last = min(start.distance(to: days.upperBound) + 1, count)
        guard first > 1, last >= first else { return }
        entries.insert(.init(item: item, part: .days(first...last)), at: 0)
        if let place = item.place(at: nil) { places.insert(place, at: 0) }
    }

    /// Where one is, in the order of time. A zone alone is left out where a city of it is named.
    var placeWords: String {
        let cities = Set(places.filter { !$0.city.isEmpty }.map(\.zone))
        var words: [String] = []
        for place in places where !place.city.isEmpty || !cities.contains(place.zone) {
            if words.last != place.words { words.append(place.words) }
        }
        return words.joined(separator: " – ")
    }
}
