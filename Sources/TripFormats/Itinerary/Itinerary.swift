public import TripStore

/// A trip as it is lived: what happens in the order of time, by the days that calendars show at each place.
///
/// Over the date line a day may come twice, or not at all. A day lists at most `mostContinuing` of the stays, journeys and items of several
/// days that go on all day; `Section.unlisted` is the number of others.
public struct Itinerary: Sendable {
    /// How many items that go on all day are listed on a day.
    public static let mostContinuing = 32

    /// What happens on a day, or on days in a row of which each is like the other.
    public struct Section: Sendable {
        public let days: ClosedRange<Day>
        /// Whether the days lie outside of the trip's.
        public let isOutside: Bool
        public internal(set) var entries: [Entry] = []
        /// Where clocks are read, in the order of time.
        public internal(set) var places: [Place] = []
        /// The number of items that go on all day and are not among the entries.
        public internal(set) var unlisted = 0

        init(days: ClosedRange<Day>, isOutside: Bool) { (self.days, self.isOutside) = (days, isOutside) }

        /// Where one is, in the order of time. A zone alone is left out where a city of it is named.
        public var placeWords: String {
            let cities = Set(places.filter { !$0.city.isEmpty }.map(\.zone))
            var words: [String] = []
            for place in places where !place.city.isEmpty || !cities.contains(place.zone) {
                if words.last != place.words { words.append(place.words) }
            }
            return words.joined(separator: " – ")
        }
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
        }

        public let item: TripItem
        public let part: Part

        /// An entry for a list of its own, as of items without a time.
        public init(item: TripItem, part: Part) { (self.item, self.part) = (item, part) }
    }

    /// Where clocks are read.
    public struct Place: Hashable, Sendable {
        /// Empty if the item does not say, or hides it.
        public let city: String
        /// An IANA name; empty if there is no time.
        public let zone: String

        public init(city: String, zone: String) { (self.city, self.zone) = (city, zone) }

        /// The city, or whose time it is, as in "Lisbon time".
        public var words: String {
            if !city.isEmpty { return city }
            let name = zone.split(separator: "/").last.map { String($0).replacing("_", with: " ") } ?? zone
            return "\(name) time"
        }
    }

    /// In the order of time, without gaps between the trip's first and last day.
    public private(set) var sections: [Section] = []
    /// The items that have no time.
    public let open: [TripItem]

    /// O(items · log items).
    public init(_ trip: Trip, _ items: [TripItem]) {
        open = items.filter { $0.firstDay == nil && $0.lastDay == nil }
        var course = ItineraryCourse(trip)
        for event in ItineraryEvent.inOrder(items.flatMap(ItineraryEvent.events)) { course.add(event) }
        sections = course.finish()
    }
}
