import TripStore

/// GeoJSON (RFC 7946) of trips: a feature for each place, a point, and for each route, a line.
///
/// A file is `beginning`, the features of each trip, and `end`, so that it can be written piece by piece.
///
/// ```swift
/// var geoJSON = GeoJSON()
/// let text = geoJSON.text(of: [TripGeography(contents)])
/// ```
public struct GeoJSON: Sendable {
    /// Whether a feature was written.
    private var hasFeatures = false

    public init() {}

    public static let beginning = "{\"type\":\"FeatureCollection\",\"features\":["
    public static let end = "\n]}\n"

    /// A whole file.
    public mutating func text(of trips: [TripGeography]) -> String {
        Self.beginning + trips.map { features(of: $0) }.joined() + Self.end
    }

    /// The features of a trip, a line each. O(items).
    public mutating func features(of geography: TripGeography) -> String {
        var text = ""
        for feature in geography.places.map({ Self.feature($0, of: geography.trip) })
            + geography.routes.map({ Self.feature($0, of: geography.trip) })
        {
            text += hasFeatures ? ",\n" : "\n"
            text += feature
            hasFeatures = true
        }
        return text
    }

    private static func feature(_ place: TripGeography.Place, of trip: Trip) -> String {
        let geometry = "{\"type\":\"Point\",\"coordinates\":\(position(place.coordinates))}"
        var properties = properties(of: place.item, trip)
        properties.add("address", place.address)
        properties.add("place", place.item.customLocationName)
        if place.role != .place { properties.add("role", place.role.rawValue) }
        return feature(place.item, geometry, properties)
    }

    private static func feature(_ route: TripGeography.Route, of trip: Trip) -> String {
        let lines = route.parts.map { "[" + $0.map(position).joined(separator: ",") + "]" }
        let geometry =
            lines.count == 1
            ? "{\"type\":\"LineString\",\"coordinates\":\(lines[0])}"
            : "{\"type\":\"MultiLineString\",\"coordinates\":[\(lines.joined(separator: ","))]}"
        let journey = route.journey
        var properties = properties(of: .transportation(journey), trip)
        properties.add("mode", "\(journey.mode)")
        properties.add("carrier", journey.carrier)
        properties.add("number", journey.number)
        for (end, place) in [("from", journey.departure), ("to", journey.arrival)] {
            properties.add(end, place.line)
            properties.add("\(end)Address", place.address?.line ?? "")
        }
        return feature(.transportation(journey), geometry, properties)
    }

    private static func feature(_ item: TripItem, _ geometry: String, _ properties: JSONMembers) -> String {
        "{\"type\":\"Feature\",\"id\":\"\(item.id)\",\"geometry\":\(geometry),\"properties\":\(properties.text)}"
    }

    private static func properties(of item: TripItem, _ trip: Trip) -> JSONMembers {
        var properties = JSONMembers()
        properties.add("trip", trip.name)
        properties.add("tripID", "\(trip.id)")
        properties.add("kind", item.kind.name ?? "")
        properties.add("name", item.name)
        for (name, moment, day) in [
            ("start", item.start, item.startDay), ("end", item.effectiveEnd, item.effectiveEndDay),
        ] {
            if let moment {
                properties.add(name, moment.localISO8601)
                properties.add("\(name)Zone", moment.zone)
            } else if let day {
                properties.add(name, "\(day)")
            }
        }
        properties.add("stage", "\(item.stage)")
        return properties
    }

    /// Longitude first.
    private static func position(_ place: Coordinates) -> String {
        "[\(Degrees.text(place.longitude)),\(Degrees.text(place.latitude))]"
    }
}

/// The members of a JSON object whose values are texts.
struct JSONMembers {
    private(set) var members = ""

    var text: String { "{\(members)}" }

    /// Adds a text, unless it is empty.
    mutating func add(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        if !members.isEmpty { members += "," }
        members += "\"\(name)\":"
        members += Self.quoted(value)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted += "\\"
                quoted.unicodeScalars.append(scalar)
            case "\n": quoted += "\\n"
            // Controls, and the two separators that end lines in JavaScript.
            case _
            where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || (0x2028...0x2029).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
