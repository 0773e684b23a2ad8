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
        open = items.filter { $0.start == nil && $0.effectiveEnd == nil }
        var course = Course(trip)
        for event in items.flatMap(Event.events).sorted() { course.add(event) }
        sections = course.finish()
    }
}

extension TripItem {
    /// The days from check-in to check-out; nil for what is no stay over a night.
    var nights: Int? {
        guard kind == .lodging, let start, let end = effectiveEnd else { return nil }
        let nights = start.localDay.distance(to: end.localDay)
        return nights > 0 ? nights : nil
    }

    /// Whether it begins and ends on days of its own, as a stay over nights does.
    fileprivate var isStay: Bool { kind == .lodging && (start == nil || effectiveEnd == nil || nights != nil) }

    /// Whether it is a journey that ends on another day than it begins.
    fileprivate var arrivesOnAnotherDay: Bool {
        guard kind == .transportation, let start, let end = effectiveEnd else { return false }
        return start.localDay != end.localDay
    }

    /// Where it begins, or ends. An address says where one gets on: where a journey ends, its zone alone tells.
    fileprivate func place(at moment: Moment, isEnd: Bool = false) -> Itinerary.Place {
        let saysCity = !hidesLocation && !(isEnd && kind == .transportation)
        return Itinerary.Place(city: saysCity ? address?.city ?? "" : "", zone: moment.zone)
    }
}

/// What happens at one moment.
private struct Event: Comparable {
    let moment: Moment
    let entry: Itinerary.Entry
    let places: [Itinerary.Place]

    /// What ends comes before what begins.
    private var rank: Int {
        switch entry.part {
        case .arrival, .checkOut: 0
        default: 1
        }
    }

    private var key: (Int64, Int, String, String) {
        (moment.milliseconds, rank, entry.item.name, "\(entry.item.id)")
    }

    static func < (a: Event, b: Event) -> Bool { a.key < b.key }
    static func == (a: Event, b: Event) -> Bool { a.key == b.key }

    static func events(of item: TripItem) -> [Event] {
        let (start, end) = (item.start, item.effectiveEnd)
        if item.isStay {
            let checkIn = start.map {
                Event(moment: $0, entry: .init(item: item, part: .checkIn), places: [item.place(at: $0)])
            }
            let checkOut = end.map {
                Event(moment: $0, entry: .init(item: item, part: .checkOut), places: [item.place(at: $0)])
            }
            return [checkIn, checkOut].compactMap { $0 }
        }
        guard let first = start ?? end else { return [] }
        var places = [item.place(at: first)]
        if let end, item.kind == .transportation { places.append(item.place(at: end, isEnd: true)) }
        var events = [Event(moment: first, entry: .init(item: item, part: .whole), places: places)]
        if item.arrivesOnAnotherDay, let end {
            events.append(
                Event(
                    moment: end, entry: .init(item: item, part: .arrival), places: [item.place(at: end, isEnd: true)]))
        }
        return events
    }
}

/// Makes sections of events as they come.
private struct Course {
    private let bounds: ClosedRange<Day>?
    private var sections: [Itinerary.Section] = []
    private var section: Itinerary.Section?
    /// The stays and journeys that go on.
    private var running: [TripItem] = []
    /// Those that went on when the section began.
    private var runningBefore: [TripItem] = []

    init(_ trip: Trip) {
        bounds = trip.startDay.flatMap { start in trip.effectiveEndDay.map { start...$0 } }
    }

    mutating func add(_ event: Event) {
        let day = event.moment.localDay
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
        case .checkOut, .arrival: running.removeAll { $0.reference == item.reference }
        case .whole where item.arrivesOnAnotherDay: running.append(item)
        default: break
        }
    }

    mutating func finish() -> [Itinerary.Section] {
        close()
        if let end = bounds?.upperBound.advanced(by: 1) { fill(upTo: end) }
        return sections
    }

    /// Ends the section with the stays that went on all the time.
    private mutating func close() {
        guard var closing = section else { return }
        let stays = running.filter { item in
            item.kind == .lodging && runningBefore.contains { $0.reference == item.reference }
        }
        for stay in stays { closing.addNights(of: stay) }
        sections.append(closing)
        section = nil
    }

    /// Adds the days before one, from the last section or the trip's start on, on which nothing begins or ends.
    private mutating func fill(upTo day: Day) {
        guard let first = sections.last.map({ $0.days.upperBound.advanced(by: 1) }) ?? bounds?.lowerBound, first < day
        else { return }
        let under = running.filter { $0.kind == .lodging || ($0.effectiveEnd?.localDay ?? first) > first }
        var days = first...day.advanced(by: -1)
        if under.isEmpty {
            guard let bounds, bounds.overlaps(days) else { return }
            days = days.clamped(to: bounds)
        }
        var gap = Itinerary.Section(days: days, isOutside: bounds.map { !$0.overlaps(days) } ?? false)
        for item in under {
            if item.kind == .lodging {
                gap.addNights(of: item)
            } else {
                gap.entries.append(.init(item: item, part: .onTheWay))
            }
        }
        sections.append(gap)
    }
}

extension Itinerary.Section {
    fileprivate mutating func addNights(of stay: TripItem) {
        guard let start = stay.start else { return }
        let first = start.localDay.distance(to: days.lowerBound) + 1
        let last = start.localDay.distance(to: days.upperBound) + 1
        guard first >= 1, last >= first else { return }
        entries.append(.init(item: stay, part: .nights(first...last)))
        places.append(stay.place(at: start))
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
