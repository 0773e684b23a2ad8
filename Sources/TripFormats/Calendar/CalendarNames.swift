import Foundation
import TripStore

/// The names by which calendars of this store know entities: `UUID@KIND.tripstore`.
enum CalendarNames {
    private static let domain = ".tripstore"
    static let prefix = "X-TRIPSTORE-"

    static func uid(_ entity: EntityReference) -> String {
        "\(entity.id.uuidString)@\(entity.kind.name ?? "entity")\(domain)"
    }

    /// When an entity was created, to the millisecond: an import into another store creates it anew.
    static func creation(_ date: Date) -> String { Moment(date, "UTC").localISO8601 }

    /// The entity of a UID of ours; nil for any other.
    static func entity(_ uid: String) -> EntityReference? {
        let parts = uid.split(separator: "@")
        guard parts.count == 2, parts[1].hasSuffix(domain), let id = UUID(uuidString: String(parts[0])),
            let kind = EntityKind(name: String(parts[1].dropLast(domain.count))),
            kind == .trip || EntityKind.itemKinds.contains(kind)
        else { return nil }
        return EntityReference(kind: kind, id: id)
    }
}

/// The name of a time of an event beside its UID.
///
/// A time of a rule is named by its number: so it keeps its name when the series is moved or when a single event begins to recur. A date of
/// RDATE is named by when it was to be. A time of an event whose series the file does not have is named by the day on which it was to be, as
/// the series may move within it.
struct InstanceName {
    /// Which time of its rule it is; nil for a date. An event that does not recur has the name of the first time.
    private let ordinal: Int?
    /// When it was to be; nil for an event that does not recur.
    private let original: CalendarTime?
    /// Whether the file does not have its series.
    private let isAlone: Bool
    /// Whether the file has no other time of the series on that day.
    private let isAloneOnDay: Bool

    static let whole = InstanceName(0, nil)

    init(_ ordinal: Int?, _ original: CalendarTime?, isAlone: Bool = false, isAloneOnDay: Bool = false) {
        (self.ordinal, self.original) = (ordinal, original)
        (self.isAlone, self.isAloneOnDay) = (isAlone, isAloneOnDay)
    }

    var isFirst: Bool { ordinal == 0 }

    func name(_ uid: String, _ line: Int, _ resolver: inout ZoneResolver) -> String {
        if let ordinal { return Self.name(uid, ordinal) }
        return dates(uid, line, &resolver).first ?? uid
    }

    /// The names that other files may give it: one without its series, and one with it.
    func others(_ uid: String, _ line: Int, _ resolver: inout ZoneResolver) -> [String] {
        let dates = dates(uid, line, &resolver)
        return ordinal == nil ? Array(dates.dropFirst()) : dates
    }

    static func name(_ uid: String, _ ordinal: Int) -> String { ordinal == 0 ? uid : "\(uid)#\(ordinal)" }

    /// The names by when it was to be.
    private func dates(_ uid: String, _ line: Int, _ resolver: inout ZoneResolver) -> [String] {
        guard let original else { return [] }
        let exact = "\(uid)#\(resolver.key(original, line))"
        guard isAloneOnDay, !original.isDay else { return [exact] }
        let day = "\(uid)#\(original.day)"
        return isAlone ? [day, exact] : [exact, day]
    }
}
