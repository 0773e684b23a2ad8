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
/// RDATE, and a time of an event whose series the file does not have, are named by when they were to be.
struct InstanceName {
    /// Which time of its rule it is; nil for a date. An event that does not recur has the name of the first time.
    private let ordinal: Int?
    /// When it was to be; nil for an event that does not recur.
    private let original: CalendarTime?

    static let whole = InstanceName(0, nil)

    init(_ ordinal: Int?, _ original: CalendarTime?) { (self.ordinal, self.original) = (ordinal, original) }

    var isFirst: Bool { ordinal == 0 }
    var isNumbered: Bool { ordinal != nil }

    func name(_ uid: String, _ line: Int, _ resolver: inout ZoneResolver) -> String {
        ordinal.map { Self.name(uid, $0) } ?? date(uid, line, &resolver) ?? uid
    }

    /// The name that a file without its series gave a numbered time.
    func others(_ uid: String, _ line: Int, _ resolver: inout ZoneResolver) -> [String] {
        guard ordinal != nil, let date = date(uid, line, &resolver) else { return [] }
        return [date]
    }

    static func name(_ uid: String, _ ordinal: Int) -> String { ordinal == 0 ? uid : "\(uid)#\(ordinal)" }

    private func date(_ uid: String, _ line: Int, _ resolver: inout ZoneResolver) -> String? {
        original.map { "\(uid)#\(resolver.key($0, line))" }
    }
}
