import TripStore

/// The places of a trip, and its ways between them, as a picture shows them. Places that it could not tell apart are one.
struct TripMap {
    struct Place {
        let point: GlobePoint
        let position: MapPosition
        /// Each once, in the order of the trip.
        fileprivate(set) var names: [String] = []
        fileprivate var known: Set<String> = []
        fileprivate var cities: Set<String> = []

        /// The city, where they name one alone, or else the first name, and how many others there are.
        var label: String {
            guard names.count > 1 else { return names.first ?? "" }
            if cities.count == 1, let city = cities.first { return city }
            return "\(names[0]) + \(names.count - 1)"
        }
    }

    private struct Way: Hashable {
        let from, to: Int
        let isFlight: Bool
    }

    /// How far apart places are at least, in units: then their dots do not overlap.
    private static let leastDistance: Double = 15

    let frame: MapFrame
    /// In the order of the trip.
    private(set) var places: [Place] = []
    /// The lines between places, each once.
    private(set) var flights: [[GlobePoint]] = []
    private(set) var others: [[GlobePoint]] = []
    let missing: Int

    /// Nil of fewer than two places. O(items · places), of which a picture has at most some hundreds.
    init?(_ contents: TripContents, _ itinerary: Itinerary) {
        let found = MapStops(contents, itinerary)
        missing = found.missing
        guard let frame = MapFrame(around: found.stops.map(\.point), and: found.legs.flatMap(\.arc)) else { return nil }
        self.frame = frame
        let placeOf = found.stops.map { add($0) }
        guard places.count > 1 else { return nil }
        var drawn: Set<Way> = []
        for leg in found.legs {
            let (from, to) = (placeOf[leg.from], placeOf[leg.to])
            let way = Way(from: min(from, to), to: max(from, to), isFlight: !leg.arc.isEmpty)
            guard from != to, drawn.insert(way).inserted else { continue }
            if way.isFlight {
                flights.append(leg.arc)
            } else {
                others.append([places[from].point, places[to].point])
            }
        }
    }

    /// The index of the stop's place.
    private mutating func add(_ stop: MapStops.Stop) -> Int {
        let position = frame.position(of: stop.point)
        let index = places.firstIndex { $0.position.distance(to: position) < Self.leastDistance } ?? places.count
        if index == places.count { places.append(Place(point: stop.point, position: position)) }
        if places[index].known.insert(stop.name).inserted { places[index].names.append(stop.name) }
        if !stop.city.isEmpty { places[index].cities.insert(stop.city) }
        return index
    }
}
