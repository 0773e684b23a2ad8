import Foundation

extension Moment: CustomStringConvertible {
    /// Local time, offset and zone, as in "2027-05-01T09:30:00+01:00 Europe/Lisbon".
    public var description: String { "\(localISO8601) \(zone)" }

    /// Local time with its offset, as in 2027-05-01T09:30:00+01:00, with milliseconds if there are any.
    ///
    /// If this platform does not know the zone, it is the time in UTC, marked with Z.
    public var localISO8601: String {
        let (days, milliseconds, offset) = local(in: timeZone ?? .gmt)
        let seconds = milliseconds / 1000
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { CivilCalendar.padded($0, 2) }
        let fraction = milliseconds % 1000
        return CivilCalendar.text(days: days) + "T" + time.joined(separator: ":")
            + (fraction == 0 ? "" : "." + CivilCalendar.padded(fraction, 3)) + Self.suffix(offset)
    }

    /// Hours and minutes; before zones were introduced offsets had seconds too, which ISO 8601 cannot express.
    private static func suffix(_ offset: Int64) -> String {
        guard offset != 0 else { return "Z" }
        let minutes = abs(offset) / 60
        return (offset < 0 ? "-" : "+") + CivilCalendar.padded(minutes / 60, 2) + ":"
            + CivilCalendar.padded(minutes % 60, 2)
    }

    /// How far clocks in its zone are ahead of UTC then; nil if this platform does not know the zone. Beyond representable years it is that
    /// of the nearest one.
    package var secondsFromUTC: Int? { timeZone.map { Int(local(in: $0).offset) } }

    /// The days since 1970 and the milliseconds of the day as clocks in a zone show them, and the offset in seconds.
    func local(in zone: TimeZone) -> (days: Int64, milliseconds: Int64, offset: Int64) {
        // The platform is asked only about representable years. Whole days first, so that nothing overflows.
        let asked = min(max(milliseconds, Self.representable.lowerBound), Self.representable.upperBound)
        let offset = Int64(zone.secondsFromGMT(for: Date(milliseconds: asked)))
        let (days, rest) = milliseconds.flooredDivision(by: 86_400_000)
        let (carry, ofDay) = (rest + offset * 1000).flooredDivision(by: 86_400_000)
        return (days + carry, ofDay, offset)
    }

    /// From local time, as in "2027-05-01T09:30" with optional seconds and fractions; or from time with an offset or Z,
    /// which then determines the instant alone. A time that clocks show twice is the first of them; one that they skip
    /// is counted from before the gap.
    ///
    /// Throws `ValidationError` with `invalidTime` or `unknownTimeZone`.
    public init(parsing text: String, in zone: String) throws(ValidationError) {
        guard let timeZone = TimeZoneCache.zone(zone) else { throw .unknownTimeZone(zone) }
        guard let (local, offset) = Self.scan(text) else {
            throw ValidationError(
                .invalidTime,
                "\"\(text.prefix(100))\" is no time. Write it as in 2027-05-01T09:30, or with an offset, as in "
                    + "2027-05-01T09:30:00+01:00.")
        }
        if let offset {
            self.init(milliseconds: local - offset * 1000, zone: zone)
            return
        }
        self.init(milliseconds: Self.instant(atLocal: local, in: timeZone), zone: zone)
    }

    /// The milliseconds since 1970 that the clock shows, and the offset in seconds if one is named.
    private static func scan(_ text: String) -> (local: Int64, offset: Int64?)? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let dayOfMonth = scanner.number(2), let day = Day(year: Int(year), month: Int(month), day: Int(dayOfMonth)),
            scanner.skip("T") || scanner.skip(" "), let hour = scanner.number(2), scanner.skip(":"),
            let minute = scanner.number(2), hour < 24, minute < 60
        else { return nil }
        var milliseconds = (Int64(day.daysSince1970) * 1440 + hour * 60 + minute) * 60_000
        if scanner.skip(":") {
            guard let second = scanner.number(2), second < 60 else { return nil }
            milliseconds += second * 1000
            if scanner.skip(".") {
                guard let fraction = scanner.number(3) else { return nil }
                milliseconds += fraction
            }
        }
        if scanner.isAtEnd { return (milliseconds, nil) }
        if scanner.skip("Z") { return scanner.isAtEnd ? (milliseconds, 0) : nil }
        let isWest = scanner.skip("-")
        guard isWest || scanner.skip("+"), let hours = scanner.number(2), scanner.skip(":"),
            let minutes = scanner.number(2), hours < 24, minutes < 60, scanner.isAtEnd
        else { return nil }
        return (milliseconds, (hours * 3600 + minutes * 60) * (isWest ? -1 : 1))
    }
}

/// Reads text of fixed forms, such as 2027-05-01: ASCII digits and marks, nothing else.
struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// The number that exactly `count` digits make (at most 9 of them); nil if they are not there.
    mutating func number(_ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0.isDecimalDigit }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Skips a mark and returns whether it was there.
    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest = rest.dropFirst()
        return true
    }
}

extension UInt8 {
    var isDecimalDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

extension String {
    /// Whether it can be a code or a name of a standard, letter for letter: visible ASCII.
    ///
    /// Other text may pass for another: a Kelvin sign equals a K, a long s becomes an S in capitals, and Foundation
    /// stops reading the name of a zone at a NUL once it knows the zone.
    var isVisibleASCII: Bool { utf8.allSatisfy { 0x21...0x7E ~= $0 } }
}
