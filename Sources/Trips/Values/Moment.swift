import Events
public import Foundation

/// An end of an item: an instant of real time, and the zone of the place where it counts.
public struct Moment: Hashable, Sendable {
    /// The instant in milliseconds since 1970, UTC.
    public var milliseconds: Int64
    /// The IANA name of the zone, as in "Europe/Lisbon". Kept as it came, known to this platform or not.
    public var zone: String
    /// Fields of the value that this version does not know, as they came.
    public package(set) var unknownFields: [UInt8] = []

    public init(milliseconds: Int64, zone: String) {
        self.milliseconds = milliseconds
        self.zone = zone
    }

    /// The instant is rounded to milliseconds.
    public init(_ date: Date, _ zone: String) { self.init(milliseconds: date.milliseconds, zone: zone) }

    /// The instant.
    public var date: Date { Date(milliseconds: milliseconds) }

    /// The zone; nil if this platform does not know it.
    public var timeZone: TimeZone? { TimeZoneCache.zone(zone) }

    /// The calendar day there; in UTC if this platform does not know the zone.
    public var localDay: Day { Day(date, in: timeZone ?? .gmt) }

    /// Local time with its offset, as in 2027-05-01T09:30:00+01:00, with milliseconds if there are any; in UTC, marked
    /// with Z, if this platform does not know the zone.
    public var localISO8601: String {
        let offset = timeZone.map { self.offset(in: $0) }
        let (days, seconds) = local(offset: offset ?? 0)
        let (year, month, day) = CivilCalendar.date(days: days)
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { CivilCalendar.padded($0, 2) }
        let fraction = Int(milliseconds) - Int(milliseconds).flooredDivision(by: 1000) * 1000
        return "\(CivilCalendar.padded(year, 4))-\(CivilCalendar.padded(month, 2))-\(CivilCalendar.padded(day, 2))T"
            + time.joined(separator: ":") + (fraction == 0 ? "" : "." + CivilCalendar.padded(fraction, 3))
            + Self.suffix(offset)
    }

    private static func suffix(_ offset: Int?) -> String {
        guard let offset, offset != 0 else { return "Z" }
        let minutes = Int(offset.magnitude) / 60
        return (offset < 0 ? "-" : "+") + CivilCalendar.padded(minutes / 60, 2) + ":"
            + CivilCalendar.padded(minutes % 60, 2)
    }

    func localDays(in zone: TimeZone) -> Int { local(offset: offset(in: zone)).days }

    private func local(offset: Int) -> (days: Int, seconds: Int) {
        let seconds = Int(milliseconds).flooredDivision(by: 1000) + offset
        let days = seconds.flooredDivision(by: 86_400)
        return (days, seconds - days * 86_400)
    }

    private func offset(in zone: TimeZone) -> Int {
        // Zones of the platform are asked only about years that they know.
        let asked = min(max(milliseconds, Self.representable.lowerBound), Self.representable.upperBound)
        return zone.secondsFromGMT(for: Date(milliseconds: asked))
    }

    /// The milliseconds of the years 1 to 9999, UTC.
    static let representable =
        Int64(Day.first.daysSince1970) * 86_400_000...Int64(Day.last.daysSince1970 + 1) * 86_400_000 - 1
}

extension Moment: FieldValue {
    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        self.init(milliseconds: 0, zone: "")
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: milliseconds = try reader.signed(field)
            case 2: zone = try reader.text(field, strictly: strictly)
            default: unknownFields += try reader.skip(field)
            }
        }
    }

    var encodedValue: [UInt8]? {
        var writer = WireWriter(reservingCapacity: 32)
        if milliseconds != 0 { writer.signed(1, milliseconds) }
        if !zone.isEmpty { writer.string(2, zone) }
        writer.raw(unknownFields)
        return writer.bytes.isEmpty ? nil : writer.bytes
    }

    var text: String { "\(localISO8601) \(zone)" }

    var json: JSONValue {
        .object(["time": .string(localISO8601), "zone": .string(zone), "milliseconds": .integer(milliseconds)])
    }

    mutating func keepUnknownParts(of other: Moment) {
        if unknownFields.isEmpty { unknownFields = other.unknownFields }
    }
}
