import Foundation
import TripStore

/// GPX 1.1 of trips: a waypoint for each place, and a route of two points for each journey.
///
/// A file is `beginning`, the waypoints of all trips, their routes, and `end`, so that it can be written piece by piece. What its head says of
/// all of it is gathered before, by `Extent`.
public enum GPX {
    /// The area that trips cover, and the time of their newest write.
    public struct Extent: Sendable, Hashable {
        private(set) var latitudes: ClosedRange<Double>?
        private(set) var longitudes: ClosedRange<Double>?
        private(set) var updated: Date?
        private(set) var names: [String] = []

        public init() {}

        /// Adds a trip, if a place or a route of it is written. O(items).
        public mutating func add(_ geography: TripGeography) {
            let ends = geography.routes.flatMap { [$0.departure, $0.arrival] }
            let places = geography.places.map(\.coordinates) + ends
            guard !places.isEmpty else { return }
            // The names of two say that there are several.
            if names.count < 2 { names.append(geography.trip.name) }
            for place in places {
                latitudes = Self.widened(latitudes, to: place.latitude)
                longitudes = Self.widened(longitudes, to: GPX.longitude(place))
            }
            let dates =
                [geography.trip.updatedAt] + geography.places.map(\.item.updatedAt)
                + geography.routes.map(\.journey.updatedAt)
            updated = (dates + [updated]).compactMap { $0 }.max()
        }

        private static func widened(_ range: ClosedRange<Double>?, to value: Double) -> ClosedRange<Double> {
            guard let range else { return value...value }
            return min(range.lowerBound, value)...max(range.upperBound, value)
        }
    }

    /// A whole file.
    public static func text(of trips: [TripGeography]) -> String {
        var extent = Extent()
        for trip in trips { extent.add(trip) }
        return beginning(extent) + trips.map(waypoints).joined() + trips.map(routes).joined() + end
    }

    /// The time is that of the newest change, so that the same trips are the same file.
    public static func beginning(_ extent: Extent) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="TripStore" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata>

            """
        if extent.names.count == 1 { text += element("name", extent.names[0], "    ") }
        if let time = extent.updated.flatMap({ Moment($0, "UTC").utc }) { text += element("time", time, "    ") }
        if let latitudes = extent.latitudes, let longitudes = extent.longitudes {
            text +=
                "    <bounds minlat=\"\(Degrees.text(latitudes.lowerBound))\" minlon=\"\(Degrees.text(longitudes.lowerBound))\" "
            text +=
                "maxlat=\"\(Degrees.text(latitudes.upperBound))\" maxlon=\"\(Degrees.text(longitudes.upperBound))\"/>\n"
        }
        return text + "  </metadata>\n"
    }

    /// The waypoints of a trip. O(items).
    public static func waypoints(of geography: TripGeography) -> String {
        geography.places.map { place in
            let item = place.item
            let time = place.role == .arrival ? item.effectiveEnd : item.start
            return "  <wpt \(attributes(place.coordinates))>\n"
                + element("time", time?.utc ?? "", "    ")
                + element(
                    "name",
                    place.role == .place || place.address.isEmpty ? item.name : "\(item.name): \(place.address)", "    "
                )
                + element("desc", description(of: item, geography.trip, place.address), "    ")
                + element("src", CalendarNames.uid(item.reference), "    ")
                + element("sym", place.role == .place ? "" : place.role.rawValue, "    ")
                + element("type", item.kind.name ?? "", "    ") + "  </wpt>\n"
        }.joined()
    }

    /// The routes of a trip. O(items).
    public static func routes(of geography: TripGeography) -> String {
        geography.routes.map { route in
            let journey = route.journey
            let ends = [
                (route.departure, journey.departure.line, journey.start),
                (route.arrival, journey.arrival.line, journey.effectiveEnd),
            ]
            return "  <rte>\n" + element("name", journey.name, "    ")
                + element("desc", description(of: .transportation(journey), geography.trip, ""), "    ")
                + element("src", CalendarNames.uid(journey.id.reference), "    ")
                + element("type", "\(journey.mode)", "    ")
                + ends.map { place, name, time in
                    "    <rtept \(attributes(place))>\n" + element("time", time?.utc ?? "", "      ")
                        + element("name", name, "      ") + "    </rtept>\n"
                }.joined() + "  </rte>\n"
        }.joined()
    }

    public static let end = "</gpx>\n"

    private static func attributes(_ place: Coordinates) -> String {
        "lat=\"\(Degrees.text(place.latitude))\" lon=\"\(Degrees.text(longitude(place)))\""
    }

    /// The schema has the antimeridian as -180 alone; what rounds to 180 is on it.
    fileprivate static func longitude(_ place: Coordinates) -> Double {
        Degrees.text(place.longitude) == "180" ? -180 : place.longitude
    }

    /// The trip, the local times with their zones, the place and the notes, a line each.
    private static func description(of item: TripItem, _ trip: Trip, _ address: String) -> String {
        let times = [
            item.start?.description ?? item.startDay?.description,
            item.effectiveEnd?.description ?? item.effectiveEndDay?.description,
        ]
        let time = times.compactMap { $0 }.joined(separator: " – ")
        return [trip.name, time, item.customLocationName, address, item.notes].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    /// An element with a text, on a line; nothing if there is no text.
    private static func element(_ name: String, _ text: String, _ indent: String) -> String {
        text.isEmpty ? "" : "\(indent)<\(name)>\(XMLText.escaped(text))</\(name)>\n"
    }
}

/// Texts in XML 1.0.
enum XMLText {
    /// The text as the content of an element or an attribute. Characters that XML 1.0 has no form for become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            // A parser would read a line feed.
            case "\r": escaped += "&#xD;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
