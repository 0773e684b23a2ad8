import TripStore

/// The stops of a trip in the order of time, and the legs between them, by their indexes.
struct MapStops {
    struct Stop {
        let point: GlobePoint
        let name: String
        let city: String
    }

    struct Leg {
        let from, to: Int
        /// The way of a flight; other legs are straight lines.
        let arc: [GlobePoint]
    }

    private(set) var stops: [Stop] = []
    private(set) var legs: [Leg] = []
    /// How many items, without the cancelled ones, have no coordinates, or hide them.
    private(set) var missing = 0
    /// The index of the place where travellers are; nil before the first stop.
    private var last: Int?

    /// O(items · log items).
    init(_ contents: TripContents, _ itinerary: Itinerary) {
        let geography = TripGeography(contents)
        missing = (geography.withoutCoordinates + geography.hidden).count { $0.stage != .cancelled }
        let routes = Dictionary(geography.routes.map { ($0.journey.reference, $0) }) { first, _ in first }
        let places = Dictionary(geography.places.map { ($0.item.reference, $0) }) { first, _ in first }
        let timed = itinerary.sections.flatMap(\.entries).filter(\.hasDetails)
        for (entries, areTimed) in [(timed, true), (itinerary.open, false)] {
            for entry in entries where entry.item.stage != .cancelled {
                // Ideas are places, but not on the way; neither is a car that one has.
                let isOnWay = areTimed && entry.item.stage != .idea && !entry.course.isHad
                if let route = routes[entry.item.reference] {
                    add(route, isOnWay: isOnWay)
                } else if let place = places[entry.item.reference] {
                    add(place, isOnWay: isOnWay)
                }
            }
        }
    }

    private mutating func add(_ route: TripGeography.Route, isOnWay: Bool) {
        let journey = route.journey
        let from = add(route.departure, journey.departure.line, journey.departure.address, isOnWay: isOnWay)
        let to = add(route.arrival, journey.arrival.line, journey.arrival.address, isOnWay: false)
        guard isOnWay else { return }
        let arc = journey.mode == .plane ? stops[from].point.way(to: stops[to].point) : []
        legs.append(Leg(from: from, to: to, arc: arc))
        last = to
    }

    private mutating func add(_ place: TripGeography.Place, isOnWay: Bool) {
        var (name, address) = (place.item.customLocationName, place.item.address)
        if case .transportation(let journey) = place.item, place.role != .place {
            let end = place.role == .arrival ? journey.arrival : journey.departure
            (name, address) = (end.line, end.address)
        }
        _ = add(place.coordinates, name.isEmpty ? place.item.name : name, address, isOnWay: isOnWay)
    }

    private mutating func add(_ place: Coordinates, _ name: String, _ address: Address?, isOnWay: Bool) -> Int {
        let index = stops.count
        let city = address?.city ?? ""
        let named = [name, city, address?.line ?? ""].first { !$0.isEmpty }
        stops.append(Stop(point: GlobePoint(place), name: named ?? Degrees.words(place), city: city))
        if isOnWay {
            if let last { legs.append(Leg(from: last, to: index, arc: [])) }
            last = index
        }
        return index
    }
}
