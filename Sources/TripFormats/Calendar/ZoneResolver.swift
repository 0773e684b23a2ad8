import Foundation
import TripStore

/// Finds the zones of a calendar in the database of zones, and turns its times into instants.
struct ZoneResolver {
    private var definitions: [String: DefinedOffsets] = [:]
    /// The names that definitions give for the database of zones.
    private var locations: [String: String] = [:]
    /// Of times without a zone.
    private let floating: String
    /// Of times in UTC: the calendar's own zone, if it says one.
    private let displayed: String
    private var known: [String: Found] = [:]
    /// How many definitions were compared with zones.
    private var compared = 0
    private static let mostCompared = 500
    private(set) var warnings = CountedWarnings()

    private enum Found {
        case zone(String)
        /// It is defined, and no zone has its offsets.
        case defined
        case unknown
    }

    /// - Parameter floating: the zone of times that name none, which is known.
    init(_ calendar: CalendarComponent, floating: String) {
        let own = calendar.property("X-WR-TIMEZONE").flatMap { property in
            ZoneNames.named(property.text) ?? ZoneNames.offset(property.text).flatMap { ZoneNames.fixed($0) }
        }
        self.floating = own ?? floating
        displayed = own ?? "UTC"
        for component in calendar.components where component.name == "VTIMEZONE" {
            guard let definition = ZoneDefinition(component) else { continue }
            definitions[definition.name] = definition.observances.isEmpty ? nil : DefinedOffsets(definition)
            locations[definition.name] = definition.location
        }
    }

    /// The instant and the zone of a time; nil for a whole day, and beyond the years 1 to 9999.
    mutating func moment(_ time: CalendarTime, line: Int) -> Moment? {
        switch time {
        case .day: return nil
        case .utc: return Moment(milliseconds: Int64(time.clockSeconds) * 1000, zone: displayed)
        case .local(let day, let second, nil):
            warnings.add("a time names no zone: it is taken in \(floating)", at: line)
            return Self.moment(day, second, floating)
        case .local(let day, let second, let name?):
            switch find(name, time, line) {
            case .zone(let zone): return Self.moment(day, second, zone)
            case .unknown: return Self.moment(day, second, floating)
            case .defined:
                let offset = offset(of: name, atClock: time.clockSeconds)
                return Moment(
                    milliseconds: Int64(time.clockSeconds - offset) * 1000, zone: ZoneNames.fixed(offset) ?? displayed)
            }
        }
    }

    /// The first instant at which a clock shows some seconds since 1970; nil in a zone that is not known, and beyond the years 1 to 9999.
    static func moment(clock: Int, _ zone: String) -> Moment? {
        Day(daysSince1970: clock.euclideanFloor(86_400)).flatMap {
            moment($0, clock.euclideanRemainder(86_400), zone)
        }
    }

    private static func moment(_ day: Day, _ second: Int, _ zone: String) -> Moment? {
        let parts = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return try? Moment(parsing: "\(day)T\(parts.joined(separator: ":"))", in: zone)
    }

    /// By the offset of the clock's own time, which is right but in the hour of a change.
    private mutating func offset(of name: String, atClock seconds: Int) -> Int {
        let first = definitions[name]?.offset(at: seconds) ?? 0
        return definitions[name]?.offset(at: seconds - first) ?? first
    }

    // MARK: Names

    private mutating func find(_ name: String, _ time: CalendarTime, _ line: Int) -> Found {
        if let found = known[name] { return found }
        let found = search(name, year: time.day.year)
        known[name] = found
        let shown = "\"\(name.prefix(60))\""
        switch found {
        case .zone(let zone):
            if zone != name { warnings.add("the zone \(shown) is taken for \(zone)", at: line) }
        case .defined:
            warnings.add("no zone has the offsets of \(shown): its times are kept with these offsets alone", at: line)
        case .unknown:
            warnings.add("the zone \(shown) is not known: its times are taken in \(floating)", at: line)
        }
        return found
    }

    private mutating func search(_ name: String, year: Int) -> Found {
        if let zone = ZoneNames.named(name) ?? locations[name].flatMap({ ZoneNames.named($0) }) { return .zone(zone) }
        guard definitions[name] != nil else { return ZoneNames.written(name, in: year).map { .zone($0) } ?? .unknown }
        guard compared < Self.mostCompared else { return .defined }
        compared += 1
        return match(name, ZoneNames.described(name, in: year), year: year).map { .zone($0) } ?? .defined
    }

    /// The first zone that has the offsets of a definition in the middle of each month of a year: that of its name, of one offset in whole
    /// hours the zone of that offset, then those of the table.
    private mutating func match(_ name: String, _ described: String?, year: Int) -> String? {
        let year = min(max(year, 3), 9997)
        let instants = (1...12).map { Day(year, $0, 15).daysSince1970 * 86_400 + 43_200 }
        var offsets: [Int?] = []
        for instant in instants { offsets.append(definitions[name]?.offset(at: instant)) }
        let only = Set(offsets).count == 1 ? offsets[0] : nil
        let fixed = only.flatMap { $0 % 3600 == 0 ? ZoneNames.fixed($0) : nil }
        return ([described, fixed].compactMap { $0 } + WindowsZones.zones).first { name in
            guard let zone = Moment(milliseconds: 0, zone: name).timeZone else { return false }
            return zip(instants, offsets).allSatisfy { instant, offset in
                zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))) == offset
            }
        }
    }
}
