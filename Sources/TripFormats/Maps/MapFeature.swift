import Foundation
import TripStore

/// A place, a track or both, as a map describes them. Texts are as written.
struct MapFeature {
    /// The id that the file gives it; empty if none.
    var id = ""
    var name = ""
    private(set) var notes: [String] = []
    /// The number of texts that were given as notes, also of those that are not taken.
    private(set) var noteCount = 0
    var category = ""
    var address = ""
    var links: [Link] = []
    var start = ""
    var end = ""
    /// The points that are places by themselves.
    var points: [Coordinates] = []
    var track = TrackMeasure()
    /// The number of further points, which are not taken.
    var furtherPoints = 0
    /// Whether it has an area, or a picture, which is neither a place nor a track.
    var hasArea = false
    /// The entity, if a store wrote the map.
    var own: EntityReference?
    /// Whether its point is the arrival of a journey that a store wrote.
    var isArrival = false
    /// The bytes of the file that describe it.
    var range: Range<Int64> = 0..<0
    var line = 1

    static let mostNotes = 100

    /// Adds a note, if it is one of the first `mostNotes`.
    /// - Parameter name: what a program calls the value: one that a note has already is passed over.
    mutating func addNote(_ text: String, called name: String? = nil) {
        noteCount += 1
        guard noteCount <= Self.mostNotes else { return }
        if name != nil, notes.contains(where: { $0.contains(text) }) { return }
        let plain = PlainText.of(name.map { "\($0): \(text)" } ?? text).trimmed
        if !plain.isEmpty, !notes.contains(plain), !MachineText.isJSON(plain) { notes.append(plain) }
    }

    mutating func addLink(_ address: String, title: String = "") {
        guard !address.isEmpty, address.utf8.count <= CalendarLinks.longest, links.count < CalendarLinks.most,
            !links.contains(where: { $0.url == address })
        else { return }
        links.append(Link(address, title: title))
    }
}

/// The length and the times of a track, whose points are not kept.
struct TrackMeasure: Hashable {
    /// The mean radius of WGS 84's ellipsoid, in metres: (2a + b) / 3.
    private static let radius = 6_371_008.7714

    /// In metres, along great circles. What lies between two parts does not count.
    private(set) var meters: Double = 0
    private(set) var points = 0
    private(set) var first: Coordinates?
    private(set) var last: Coordinates?
    /// The last point of the open part.
    private var previous: Coordinates?
    /// The times of the first and the last point that have one, as written.
    private(set) var start = ""
    private(set) var end = ""

    mutating func beginPart() { previous = nil }

    mutating func add(_ point: Coordinates) {
        if let previous { meters += Self.distance(previous, point) }
        if first == nil { first = point }
        (previous, last) = (point, point)
        points += 1
    }

    /// Adds the parts of another one, without its times.
    mutating func add(_ other: TrackMeasure) {
        meters += other.meters
        points += other.points
        first = first ?? other.first
        last = other.last ?? last
        previous = nil
    }

    mutating func add(time: String) {
        if start.isEmpty { start = time }
        end = time
    }

    /// By the haversine formula, which is exact for short distances.
    static func distance(_ a: Coordinates, _ b: Coordinates) -> Double {
        let radians: Double = .pi / 180
        let (north, east) = ((b.latitude - a.latitude) * radians / 2, (b.longitude - a.longitude) * radians / 2)
        let cosines = cos(a.latitude * radians) * cos(b.latitude * radians)
        let haversine = sin(north) * sin(north) + cosines * sin(east) * sin(east)
        return 2 * radius * asin(min(1, haversine.squareRoot()))
    }
}

/// A day or a time of a map (ISO 8601, as in XML): a year or a month alone is none.
struct MapTime: Hashable {
    let day: Day?
    let moment: Moment?

    /// Nil for text that is none, and outside of the years 1 to 9999.
    /// - Parameter zone: of times that name no offset, and in which those that do are shown.
    init?(_ text: String, zone: String) {
        let trimmed = text.trimmed
        guard
            let found = trimmed.wholeMatch(
                of: /(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(Z|z|[+\-]\d\d:?\d\d)?)?/)
        else { return nil }
        guard let clock = found.2 else {
            guard let day = Day(String(found.1)) else { return nil }
            (self.day, moment) = (day, nil)
            return
        }
        let fraction = (found.4 ?? "").prefix(3)
        let milliseconds = fraction + String(repeating: "0", count: 3 - fraction.count)
        var offset = (found.5 ?? "").uppercased()
        if offset.count == 5 { offset = offset.prefix(3) + ":" + offset.suffix(2) }
        let exact = "\(found.1)T\(clock):\(found.3 ?? "00").\(milliseconds)\(offset)"
        guard let moment = try? Moment(parsing: exact, in: zone) else { return nil }
        (day, self.moment) = (nil, moment)
    }
}

extension Coordinates {
    /// Nil for what is no place on Earth.
    init?(latitude: String?, longitude: String?) {
        guard let latitude = latitude.flatMap({ Double($0.trimmed) }),
            let longitude = longitude.flatMap({ Double($0.trimmed) })
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
        if !isInRange { return nil }
    }
}
