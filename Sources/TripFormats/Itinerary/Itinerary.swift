import Foundation
public import TripStore

/// A trip as it is lived: what happens in the order of time, by the days that calendars show at each place.
///
/// Over the date line a day may come twice, or not at all. A day lists at most `mostContinuing` of the stays, journeys and items of several
/// days that go on all day; `Section.unlisted` is the number of others.
public struct Itinerary: Sendable {
    /// How many items that go on all day are listed on a day.
    public static let mostContinuing = 32

    /// A part of an itinerary: the entries of a day, or of consecutive days that are all alike.
    public struct Section: Sendable {
        public let days: ClosedRange<Day>
        /// Whether the days lie outside of the trip's.
        public let isOutside: Bool
        public internal(set) var entries: [Entry] = []
        /// The places whose clocks apply, in the order of time.
        public internal(set) var places: [Place] = []
        /// The number of items that go on all day and are not among the entries.
        public internal(set) var unlisted = 0

        init(days: ClosedRange<Day>, isOutside: Bool) { (self.days, self.isOutside) = (days, isOutside) }

        /// The places of the section as text, in the order of time: see `Place.words(of:)`.
        public var placeWords: String { Place.words(of: places) }
    }

    /// An item, or a part of it.
    public struct Entry: Sendable {
        public enum Part: Sendable, Hashable {
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
            /// The beginning of what one only has, as of a rental car, and its end on another day.
            case pickUp, giveBack
        }

        package let course: ItemCourse
        public let part: Part

        public var item: TripItem { course.item }
    }

    /// A place whose clocks apply: a city, a zone or both.
    public struct Place: Hashable, Sendable {
        /// A city, or a station; empty if the item does not say, or hides it.
        public let city: String
        /// An IANA name; empty if there is no time, and where the whole trip has one zone.
        public let zone: String

        public init(city: String, zone: String) { (self.city, self.zone) = (city, zone) }

        /// The city, or whose time it is, as in "Lisbon time".
        public var words: String {
            if !city.isEmpty { return city }
            if let offset = offsetWords { return offset }
            let name = zone.split(separator: "/").last.map { String($0).replacing("_", with: " ") } ?? zone
            return "\(name) time"
        }

        /// An offset as people write it, "UTC+14" for Etc/GMT-14, which counts to the west; nil for a zone that is more than an offset.
        private var offsetWords: String? {
            guard ["Etc/GMT", "GMT"].contains(where: { zone.hasPrefix($0) }),
                let offset = Moment(milliseconds: 0, zone: zone).timeZone?.secondsFromGMT(), offset != 0
            else { return nil }
            let minutes = abs(offset) / 60 % 60
            let size = "\(abs(offset) / 3600)" + (minutes == 0 ? "" : ":\(CalendarText.padded(minutes, 2))")
            return "UTC\(offset < 0 ? "-" : "+")\(size)"
        }

        /// Places in their order, each once in a row. A zone alone is left out where a city of it is named.
        package static func words(of places: [Place]) -> String {
            let cities = Set(places.filter { !$0.city.isEmpty }.map(\.zone))
            var words: [String] = []
            for place in places where !place.city.isEmpty || !cities.contains(place.zone) {
                if words.last != place.words { words.append(place.words) }
            }
            return words.joined(separator: " – ")
        }

        package init(_ place: CoursePlace) { self.init(city: place.name, zone: place.zone) }
    }

    /// In the order of time, without gaps between the trip's first and last day.
    public private(set) var sections: [Section] = []
    /// The items that have neither a time nor a day.
    public let open: [Entry]

    /// O(items · log items).
    public init(_ trip: Trip, _ items: [TripItem]) {
        let clocks = TripClocks(items)
        let courses = items.map { ItemCourse($0, clocks) }
        let namesZones = clocks.zoneCount > 1
        open = courses.filter(\.isOpen).map { Entry(course: $0, part: .whole) }
        var course = ItineraryCourse(trip, namesZones: namesZones)
        let events = courses.flatMap { ItineraryEvent.events(of: $0, namesZones: namesZones) }
        for event in ItineraryEvent.inOrder(events) { course.add(event) }
        sections = course.finish()
    }
}
