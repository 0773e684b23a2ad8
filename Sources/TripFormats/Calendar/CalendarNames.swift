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
