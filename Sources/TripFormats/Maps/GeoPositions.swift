import Foundation
import TravelingSnails
import TripStore

/// The positions of a geometry, whose type may stand behind them.
struct GeoPositions {
    /// The positions of several areas are nested four deep.
    private static let deepest = 6

    static let most = 1_000

    /// The first of them, at most `most`.
    private(set) var first: [Coordinates] = []
    /// The track of a line, or of several.
    private(set) var track = TrackMeasure()

    /// Reads the list that is next, of positions or of lists of them.
    mutating func read(_ json: inout JSONReader, _ warn: () -> Void) throws {
        var (depth, numbers) = (1, [String]())
        try json.beginList()
        while depth > 0 {
            guard try json.nextElement() else {
                close(&numbers, warn)
                depth -= 1
                continue
            }
            switch try json.valueKind() {
            case .list where depth < Self.deepest:
                try json.beginList()
                depth += 1
            case .number:
                let number = try json.numberValue()
                if numbers.count < 3 { numbers.append(number) }
            default: try json.skipValue()
            }
        }
    }

    /// A list ends: a position, or a line of them.
    private mutating func close(_ numbers: inout [String], _ warn: () -> Void) {
        guard !numbers.isEmpty else { return track.beginPart() }
        defer { numbers = [] }
        guard numbers.count >= 2, let position = Coordinates(latitude: numbers[1], longitude: numbers[0]) else {
            return warn()
        }
        if first.count < Self.most { first.append(position) }
        track.add(position)
    }
}

/// Reads the properties of a feature by the names that programs commonly write.
struct GeoProperties {
    private static let names = ["name", "title", "business name"]
    private static let notes = ["description", "desc", "notes", "note", "comment", "cmt"]
    private static let starts = ["start", "begin", "time", "timestamp", "datetime", "date"]
    private static let ends = ["end", "endtime"]
    private static let links = ["url", "link", "website", "href", "google maps url"]
    private static let categories = ["category", "type", "sym"]
    private static let addresses = ["address"]
    /// The properties of maps that a store writes.
    private static let own = ["kind", "tripid", "role"]
    private static let known = Set(
        names + notes + starts + ends + links + categories + addresses + own)

    /// By their names in lower case.
    private var values: [String: String] = [:]
    /// The times of the first and the last point of a track, as written.
    private(set) var times: (start: String, end: String) = ("", "")

    /// Reads the object that is next, and one of a place in it.
    mutating func read(_ json: inout JSONReader, depth: Int = 0) throws {
        try json.beginObject()
        while let name = try json.nextName() {
            let key = name.lowercased().replacing("_", with: " ")
            switch try json.valueKind() {
            case .text where Self.known.contains(key):
                let text = try json.textValue()
                if !text.trimmed.isEmpty, values[key] == nil { values[key] = text }
            case .object where key == "location" && depth == 0: try read(&json, depth: 1)
            case .object where key == "coordinateproperties" && depth == 0: try read(&json, depth: 1)
            case .list where key == "coordtimes" || key == "times": try readTimes(&json)
            default: try json.skipValue()
            }
        }
    }

    /// Reads the times of several tracks, one list for each.
    private mutating func readTimes(_ json: inout JSONReader) throws {
        var depth = 1
        try json.beginList()
        while depth > 0 {
            guard try json.nextElement() else {
                depth -= 1
                continue
            }
            switch try json.valueKind() {
            case .list where depth < 3:
                try json.beginList()
                depth += 1
            case .text:
                let text = try json.textValue()
                times = (times.start.isEmpty ? text : times.start, text)
            default: try json.skipValue()
            }
        }
    }

    private func value(_ names: [String]) -> String { names.lazy.compactMap { values[$0] }.first ?? "" }

    func set(_ feature: inout MapFeature, id: String) {
        feature.id = id
        feature.name = value(Self.names)
        feature.address = value(Self.addresses)
        feature.category = value(Self.categories)
        for name in Self.notes { values[name].map { feature.addNote($0) } }
        for name in Self.links { values[name].map { feature.addLink($0.trimmed) } }
        // Of a place that was saved in a map it is when.
        if values["google maps url"] == nil { feature.start = value(Self.starts) }
        feature.end = value(Self.ends)
        guard values["tripid"] != nil, let uuid = UUID(uuidString: id) else { return }
        feature.isArrival = values["role"] == TripGeography.Place.Role.arrival.rawValue
        switch values["kind"] {
        case "activity": feature.own = Activity.ID(uuid).reference
        case "lodging": feature.own = Lodging.ID(uuid).reference
        case "transportation": feature.own = Transportation.ID(uuid).reference
        default: break
        }
    }
}
