public import TripStore

/// The geography of a trip: the places and routes of its items that have coordinates which may be shown.
///
/// An activity or a lodging is a place at its address. A journey is a route if both of its ends have coordinates; with
/// one of them it is a place there. Places that an item hides (`hidesLocation`) are left out, and so are coordinates
/// that are not on the globe.
public struct TripGeography: Sendable, Hashable {
    /// A place of an item.
    public struct Place: Sendable, Hashable {
        /// Which of an item's places it is.
        public enum Role: String, Sendable {
            /// The place of an activity or a lodging.
            case place
            /// The departure of a journey whose arrival has no known coordinates.
            case departure
            /// The arrival of a journey whose departure has no known coordinates.
            case arrival
        }

        public let item: TripItem
        public let role: Role
        public let coordinates: Coordinates
        /// The address of the place as text, as far as it is known; empty if nothing is.
        public let address: String
    }

    /// A journey between two places.
    public struct Route: Sendable, Hashable {
        public let journey: Transportation
        public let departure: Coordinates
        public let arrival: Coordinates
    }

    public let trip: Trip
    /// In the order of the items.
    public private(set) var places: [Place] = []
    public private(set) var routes: [Route] = []
    /// Items that have no coordinates.
    public private(set) var withoutCoordinates: [TripItem] = []
    /// Items that hide where they are.
    public private(set) var hidden: [TripItem] = []

    /// Reads where a trip goes, or where it goes on some days. O(items).
    public init(_ contents: TripContents, days: ClosedRange<Day>? = nil) {
        trip = contents.trip
        for course in ItemCourse.all(of: contents.items) {
            if let days, course.span?.overlaps(days) != true { continue }
            add(course.item)
        }
    }

    private mutating func add(_ item: TripItem) {
        guard !item.hidesLocation else { return hidden.append(item) }
        if case .transportation(let journey) = item {
            let (departure, arrival) = (journey.departure, journey.arrival)
            switch (departure.coordinates?.onGlobe, arrival.coordinates?.onGlobe) {
            case (let first?, let last?):
                return routes.append(Route(journey: journey, departure: first, arrival: last))
            case (let first?, nil):
                return places.append(Place(item: item, role: .departure, coordinates: first, address: departure.line))
            case (nil, let last?):
                return places.append(Place(item: item, role: .arrival, coordinates: last, address: arrival.line))
            case (nil, nil): break
            }
        }
        guard let coordinates = item.address?.coordinates?.onGlobe else { return withoutCoordinates.append(item) }
        places.append(Place(item: item, role: .place, coordinates: coordinates, address: item.address?.line ?? ""))
    }
}

extension Coordinates {
    /// Themselves if they are on the globe.
    fileprivate var onGlobe: Coordinates? { isInRange ? self : nil }
}

extension Address {
    /// Its parts in one line, without coordinates.
    var line: String {
        if !formatted.isEmpty { return formatted.split(whereSeparator: \.isNewline).joined(separator: ", ") }
        return [street, postalCode, city, state, country].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension TravelPlace {
    /// Its name and code, else its address, in one line.
    var line: String {
        let named = [name, code.isEmpty || name.isEmpty ? code : "(\(code))"].filter { !$0.isEmpty }.joined(
            separator: " ")
        return named.isEmpty ? address?.line ?? "" : named
    }
}
