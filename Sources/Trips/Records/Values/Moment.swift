import Events
public import Foundation
import Synchronization

/// A start or an end: an instant of real time, and the zone of the place where it counts.
public struct Moment: Hashable, Sendable {
    /// The instant in milliseconds since 1970, UTC.
    public var milliseconds: Int64
    /// The IANA name of the zone, as in "Europe/Lisbon". Kept as written, known to this platform or not.
    public var zone: String
    /// Fields of the value that this version does not know, unchanged.
    package var unknownFields: [UInt8] = []

    /// Takes any number and any name; validation refuses years beyond 1 to 9999, and unknown zones.
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

    /// The milliseconds of the years 1 to 9999, UTC.
    static let representable =
        Int64(Day.first.daysSince1970) * 86_400_000...Int64(Day.last.daysSince1970 + 1) * 86_400_000 - 1
}

extension Moment: PartedValue {
    static var form: FieldForm { .moment }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        (milliseconds, zone) = (0, "")
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
        return writer.count == 0 ? nil : writer.finish()
    }

    func isSame(as other: Moment) -> Bool {
        milliseconds == other.milliseconds && zone.isSame(as: other.zone) && unknownFields == other.unknownFields
    }

    var text: String { description }

    var json: JSONValue {
        .object(["time": .string(localISO8601), "zone": .string(zone), "milliseconds": .integer(milliseconds)])
    }

    static var lastPart: UInt32 { 2 }
}

extension Moment {
    /// The instant in the bytes of a field, without the text of the zone, which would take memory; nil if they cannot be read.
    static func milliseconds(_ bytes: UnsafeRawBufferPointer?) -> Int64? {
        guard let bytes, !bytes.isEmpty else { return nil }
        return plainMilliseconds(bytes) ?? bytes.number { _ in true }
    }

    /// The instant of a value in the common encoding: instant, zone with a name of up to 127 bytes, and nothing else.
    /// Nil for others.
    @inline(__always)
    private static func plainMilliseconds(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard bytes.count > 3, bytes[0] == 0x08 else { return nil }
        var reader = WireReader(bytes.part(from: 1))
        guard let number = try? reader.rawVarint(), reader.remaining >= 2 else { return nil }
        let zone = 1 + reader.offset
        guard bytes[zone] == 0x12, bytes[zone + 1] < 0x80, zone + 2 + Int(bytes[zone + 1]) == bytes.count else {
            return nil
        }
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}

/// The zones in use, by their IANA names: making one reads files of the platform.
enum TimeZoneCache {
    /// The names that this platform lists: it accepts each, and some more.
    private static let listed = KnownNames(TimeZone.knownTimeZoneIdentifiers)

    /// Whether the platform knows a zone of that name: without making text, if it lists the name.
    static func isKnown(_ identifier: UnsafeRawBufferPointer) -> Bool {
        if listed.contains(identifier) { return true }
        return identifier.isASCII && zone(String(decoding: identifier, as: UTF8.self)) != nil
    }

    private static let zones = Mutex<[String: TimeZone]>([:])

    /// The zone of that name; nil if the platform does not know it.
    static func zone(_ identifier: String) -> TimeZone? {
        guard identifier.isVisibleASCII else { return nil }
        if let zone = zones.withLock({ $0[identifier] }) { return zone }
        guard !identifier.isEmpty, let zone = TimeZone(identifier: identifier) else { return nil }
        zones.withLock { zones in
            // Names come from other devices, so the cache is bounded, though there are only some 600 real ones.
            if zones.count >= 2_000 { zones.removeAll() }
            zones[identifier] = zone
        }
        return zone
    }
}
