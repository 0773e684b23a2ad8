import Foundation
import TripStore

extension Date {
    /// ISO 8601 in UTC with milliseconds.
    var utcText: String {
        // Others may have written any number; dates end where timestamps do.
        let bounded = max(-1e14, min(timeIntervalSince1970 * 1000, 1.5e14))
        let milliseconds = Int64(bounded.rounded())
        // Counted from the second before, even if that is before 1970.
        let fraction = (milliseconds % 1000 + 1000) % 1000
        let text = Moment(milliseconds: milliseconds - fraction, zone: "UTC").localISO8601
        let plain = text.replacingOccurrences(of: "+00:00", with: "").replacingOccurrences(of: "Z", with: "")
        return plain + String(format: ".%03dZ", Int(fraction))
    }
}

extension Timestamp {
    var utcText: String { date.utcText }
}

/// Entities in JSON: the fields as their schema lists them, and what belongs to the entity beside them.
struct EntityJSON {
    let organizations: (Organization.ID) -> Organization?

    /// A trip in a list, with the cursor after which the list goes on, if it was cut there.
    static func row(_ row: TripRow, _ marks: ConflictMarks, next: PageCursor?) -> JSON {
        .object(members(row) + listed(row.trip.reference, marks, next: next?.description))
    }

    /// The members that only rows of a list have.
    static func listed(_ entity: EntityReference, _ marks: ConflictMarks, next: String?) -> [(String, JSON)] {
        [("contested", marks.json(of: entity)), ("next", .optional(next))]
    }

    static func trip(_ row: TripRow) -> JSON { .object(members(row)) }

    private static func members(_ row: TripRow) -> [(String, JSON)] {
        let trip = row.trip
        let fields = fields(
            of: trip,
            [
                "endDate": .optional(trip.effectiveEndDay?.description),
                "originalCreation": .optional(trip.originalCreation?.utcText),
                "archivedAt": .optional(trip.archivedAt?.utcText),
            ])
        return [("id", .string("\(trip.id)"))] + fields + stored(of: trip) + [
            ("own", trip.ownValues(in: Console.current.known).ordered)
        ]
            + times(of: trip)
            + [("itemCount", .integer(row.itemCount)), ("cost", .array(row.costs.map(\.json)))]
    }

    func item(_ item: TripItem) -> JSON { .object(members(item)) }

    /// An item in a list, with the id after which the list goes on, if it was cut there.
    func row(_ item: TripItem, _ marks: ConflictMarks, next: String?) -> JSON {
        .object(members(item) + Self.listed(item.reference, marks, next: next))
    }

    private func members(_ item: TripItem) -> [(String, JSON)] {
        let replaced = [
            "end": item.effectiveEnd?.json ?? .null, "endDay": .optional(item.effectiveEndDay?.description),
            "organization": organization(item.organization),
        ]
        let (fields, times) =
            switch item {
            case .activity(let item): (Self.fields(of: item, replaced), Self.times(of: item))
            case .lodging(let item): (Self.fields(of: item, replaced), Self.times(of: item))
            case .transportation(let item): (Self.fields(of: item, replaced), Self.times(of: item))
            }
        let values = Dictionary(fields, uniquingKeysWith: { first, _ in first })
        return [("kind", item.kind.json), ("id", .string("\(item.id)"))]
            + Self.itemFields.map { ($0, values[$0] ?? .null) } + Self.stored(of: item.entity)
            + [("own", item.entity.ownValues(in: Console.current.known).ordered)] + times
    }

    /// The fields of every kind of items, each once: what a kind does not have is null.
    private static let itemFields: [String] = {
        var names: [String] = []
        let kinds = [Activity.fieldNames, Lodging.fieldNames, Transportation.fieldNames]
        for index in 0..<(kinds.map(\.count).max() ?? 0) {
            for kind in kinds where index < kind.count && !names.contains(kind[index]) { names.append(kind[index]) }
        }
        return names
    }()

    static func organization(_ organization: Organization) -> JSON { .object(members(organization)) }

    /// An organization in a list, with the id after which the list goes on, if it was cut there.
    static func row(_ organization: Organization, _ marks: ConflictMarks, next: String?) -> JSON {
        .object(members(organization) + listed(organization.reference, marks, next: next))
    }

    private static func members(_ organization: Organization) -> [(String, JSON)] {
        [("id", .string("\(organization.id)"))] + fields(of: organization)
            + [("own", organization.ownValues(in: Console.current.known).ordered)] + times(of: organization)
    }

    /// The fields, some with another value than their own.
    private static func fields(
        of entity: some TripEntity, _ replaced: [String: JSON] = [:]
    ) -> [(String, JSON)] {
        entity.fieldValues.map { ($0.name, replaced[$0.name] ?? $0.value.ordered) }
    }

    /// The fields of the store's own namespace.
    private static func stored(of entity: some TripEntity) -> [(String, JSON)] {
        entity.storeValues.map { ($0.name, $0.value.ordered) }
    }

    private static func times(of entity: some TripEntity) -> [(String, JSON)] {
        [
            ("createdAt", .optional(entity.createdAt?.utcText)),
            ("updatedAt", .optional(entity.updatedAt?.utcText)),
        ]
    }

    private func organization(_ id: Organization.ID?) -> JSON {
        guard let id else { return .null }
        return .object([("id", .string("\(id)")), ("name", .optional(organizations(id)?.name))])
    }
}

extension Receipt {
    var members: [(String, JSON)] {
        [
            ("changed", .bool(commit != nil)), ("position", .integer(position.rawValue)),
            ("replica", .optional(commit.map { "\($0.replica)" })),
            ("sequence", .optional(commit?.sequence.rawValue)),
            ("timestamp", .optional(timestamp?.utcText)), ("hash", .optional(commit.map { "\($0.hash)" })),
            ("visible", .bool(isVisible)),
            (
                "entities",
                .array(
                    entities.map { entity in
                        .object([
                            ("kind", entity.kindJSON), ("id", .string(entity.id.uuidString)),
                            ("version", .optional(versions[entity].map { "\($0)" })),
                        ])
                    })
            ),
        ]
    }

    var json: JSON { .object(members) }

    /// Prints the receipt, for people in a line.
    func print(_ options: StoreOptions, _ done: String, unchanged: String = "Nothing to change.") {
        let text = commit.map { "\(done) (position \(position), \($0.hash.description.prefix(12)))" }
        Console.current.out(options.json ? json.text : text ?? unchanged)
    }
}
