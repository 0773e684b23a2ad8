import Foundation
import TripStore

/// Finds the zone of the database that a calendar means by a name.
enum ZoneNames {
    /// The name, if the platform knows it.
    static func listed(_ name: String) -> String? {
        guard name.utf8.count <= 64, Moment(milliseconds: 0, zone: name).timeZone != nil else { return nil }
        return name
    }

    /// The zone of a name that says it: one of the database or of Windows, at the end of a path or with a number behind it; nil for others.
    static func named(_ name: String) -> String? {
        let name = name.trimmed
        if let zone = known(name) { return zone }
        // The number of "GMT +2" is no addition.
        guard offset(name) == nil else { return nil }
        if let zone = known(withoutNumber(name)) { return zone }
        // A path, as "/softwarestudio.org/Tzfile/Europe/Berlin". A last part alone, as UTC, says it where the rest is an address.
        let parts = name.split(separator: "/", maxSplits: 20)
        let least = name.hasPrefix("/") || name.contains("://") ? 1 : 2
        return stride(from: 3, through: least, by: -1).lazy.filter { parts.count > $0 }.compactMap { count in
            let end = parts.suffix(count).joined(separator: "/")
            return known(end) ?? known(withoutNumber(end))
        }.first
    }

    /// The zone of an offset, of places, or of both, as in "(UTC+01:00) Amsterdam, Berlin, Bern": that of the places, if it has the offset in
    /// January or July of a year, else one that always has it. Nil for names that say neither.
    static func described(_ name: String, in year: Int) -> String? {
        let (offset, rest) = splitOffset(name.trimmed)
        return zone(ofPlaces: rest, offset, year) ?? offset.flatMap { fixed($0) }
    }

    /// The zone of a name that the calendar does not define: that of the offset as it is written, which is all that the calendar says for sure, or
    /// of the places without one. Nil for names that say neither.
    static func written(_ name: String, in year: Int) -> String? {
        let (offset, rest) = splitOffset(name.trimmed)
        return offset.map { fixed($0) } ?? zone(ofPlaces: rest, nil, year)
    }

    /// A zone that always has an offset in seconds; nil for one of over 14 hours, or not in minutes.
    static func fixed(_ offset: Int) -> String? {
        guard abs(offset) <= 14 * 3600, offset % 60 == 0 else { return nil }
        if offset == 0 { return "UTC" }
        // The database counts to the west, and has none of over 12 hours there.
        if offset % 3600 == 0, offset >= -12 * 3600 { return "Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset) / 3600)" }
        let parts = [abs(offset) / 3600, abs(offset) / 60 % 60].map { CalendarText.padded($0, 2) }
        return "GMT\(offset < 0 ? "-" : "+")\(parts.joined())"
    }

    // MARK: Names

    /// By the names in lower case, with underscores.
    private static let database = Dictionary(TimeZone.knownTimeZoneIdentifiers.map { (key($0), $0) }) { first, _ in
        first
    }

    private static func key(_ name: String) -> String { name.lowercased().replacing(" ", with: "_") }

    private static func known(_ name: String) -> String? {
        if ["z", "utc", "zulu"].contains(name.lowercased()) { return "UTC" }
        // The platform takes "UTC+2" for a zone, which others do not, and a calendar may define it with summer time.
        guard name == "GMT" || offset(name) == nil else { return nil }
        return listed(name) ?? database[key(name)].flatMap { listed($0) } ?? windows(name)
    }

    /// The zone of a name of Windows, also of "Romance Daylight Time".
    private static func windows(_ name: String) -> String? {
        let name = name.lowercased()
        let standard = [" daylight time", " summer time"].reduce(name) {
            $0.hasSuffix($1) ? String($0.dropLast($1.count)) + " standard time" : $0
        }
        return WindowsZones.names[standard].flatMap { listed($0) }
    }

    /// Without what a program adds to tell two definitions apart, as in "Europe/Berlin 1", "Europe/Berlin_2" and "Europe/Berlin (3)".
    private static func withoutNumber(_ name: String) -> String {
        var rest = name[...]
        if rest.last == ")" { rest.removeLast() }
        while rest.last?.isNumber == true { rest.removeLast() }
        while let last = rest.last, " _(#".contains(last) { rest.removeLast() }
        return String(rest)
    }

    // MARK: Offsets

    /// Seconds east of Greenwich, from text as "+0200", "-05:30", "UTC+2" or "GMT+01.00"; nil for anything else.
    static func offset(_ text: String) -> Int? {
        let (offset, rest) = offsetPrefix(text[...])
        return rest.isEmpty ? offset : nil
    }

    /// The offset in parentheses, or at the beginning, and the text without it.
    private static func splitOffset(_ name: String) -> (offset: Int?, rest: String) {
        for part in name.split(separator: "(", maxSplits: 20).dropFirst(name.hasPrefix("(") ? 0 : 1) {
            guard let end = part.firstIndex(of: ")"), let offset = offset(String(part[..<end])) else { continue }
            return (offset, name.replacing("(\(part[...end])", with: " ").trimmed)
        }
        let (offset, rest) = offsetPrefix(name[...])
        return (offset, rest.trimmed)
    }

    /// An offset at the beginning of a text, and what follows it.
    private static func offsetPrefix(_ text: Substring) -> (offset: Int?, rest: Substring) {
        let name = text.prefix(3).lowercased()
        let isNamed = name == "utc" || name == "gmt"
        let rest = isNamed ? text.dropFirst(3) : text
        let signed = isNamed ? rest.drop { $0 == " " } : rest
        guard let sign = signed.first, "+-\u{2212}".contains(sign) else {
            let isWord = rest.first.map { $0.isLetter || $0.isNumber } ?? false
            return isNamed && !isWord ? (0, rest) : (nil, text)
        }
        var digits = signed.dropFirst().prefix { $0.isASCII && $0.isNumber }
        var end = signed.dropFirst(1 + digits.count)
        if digits.count <= 2, let mark = end.first, mark == ":" || mark == "." {
            let minutes = end.dropFirst().prefix { $0.isASCII && $0.isNumber }
            digits = Substring(digits.count == 1 ? "0\(digits)\(minutes)" : "\(digits)\(minutes)")
            end = end.dropFirst(1 + minutes.count)
        }
        guard [1, 2, 4].contains(digits.count), let number = Int(digits) else { return (nil, text) }
        let (hours, minutes) = digits.count == 4 ? number.quotientAndRemainder(dividingBy: 100) : (number, 0)
        guard hours < 24, minutes < 60 else { return (nil, text) }
        return ((sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60), end)
    }

    // MARK: Places

    /// By the last parts of the names in lower case, with spaces.
    private static let cities: [String: String] = Dictionary(
        TimeZone.knownTimeZoneIdentifiers.sorted().compactMap { name in
            name.split(separator: "/").dropFirst().last.map { ($0.lowercased().replacing("_", with: " "), name) }
        }
    ) { first, _ in first }

    private static func zone(ofPlaces text: String, _ offset: Int?, _ year: Int) -> String? {
        let text = text.lowercased()
        if let zone = WindowsZones.places[text], has(zone, offset, year) { return zone }
        return text.split(maxSplits: 20) { "/,;|(".contains($0) }.lazy.compactMap { part in
            let place = part.trimmed
            let zone = cities[place] ?? WindowsZones.places[place]
            return (zone ?? windows(place) ?? windows(standard(place))).flatMap { has($0, offset, year) ? $0 : nil }
        }.first
    }

    /// The full name: "eastern standard time" for "eastern" and "eastern time".
    private static func standard(_ place: String) -> String {
        (place.hasSuffix(" time") ? String(place.dropLast(5)) : place) + " standard time"
    }

    /// Whether a zone has an offset in January or July of a year; true without one.
    private static func has(_ name: String, _ offset: Int?, _ year: Int) -> Bool {
        guard let zone = Moment(milliseconds: 0, zone: name).timeZone else { return false }
        guard let offset else { return true }
        return [1, 7].contains { month in
            let day = Day(min(max(year, 1), 9999), month, 15)
            return zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(day.daysSince1970 * 86_400)))
                == offset
        }
    }
}
