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

/// Entities in JSON, with the members in a readable order.
struct EntityJSON {
    let organizations: (Organization.ID) -> Organization?

    /// A trip in a list, with the cursor after which the list goes on, if it was cut there.
    static func row(_ row: TripRow, next: PageCursor?) -> JSON {
        .object(members(row) + [("next", .optional(next?.description))])
    }

    static func trip(_ row: TripRow) -> JSON { .object(members(row)) }

    private static func members(_ row: TripRow) -> [(String, JSON)] {
        let trip = row.trip
        return [
            ("id", .string("\(trip.id)")), ("name", .string(trip.name)), ("destination", .string(trip.destination)),
            ("notes", .string(trip.notes)), ("startDate", .optional(trip.startDay?.description)),
            ("endDate", .optional(trip.effectiveEndDay?.description)), ("isProtected", .bool(trip.isProtected)),
            ("originalCreation", .optional(trip.originalCreation?.utcText)),
            ("createdAt", .optional(trip.createdAt?.utcText)), ("updatedAt", .optional(trip.updatedAt?.utcText)),
            ("itemCount", .integer(row.itemCount)), ("cost", .array(row.costs.map(\.json))),
        ]
    }

    func item(_ item: TripItem) -> JSON {
        let isJourney = item.kind == .transportation
        return .object([
            ("kind", item.kind.json), ("id", .string("\(item.id)")), ("name", .string(item.name)),
            ("trip", .optional(item.trip.map { "\($0)" })), ("mode", .optional(item.mode.map { "\($0)" })),
            ("start", item.start?.json ?? .null), ("end", item.effectiveEnd?.json ?? .null),
            ("cost", item.cost?.json ?? .null), ("paid", .string("\(item.paid)")),
            ("reservation", isJourney ? .null : .string(item.reservation)),
            ("confirmation", isJourney ? .string(item.reservation) : .null), ("notes", .string(item.notes)),
            ("customLocationName", .string(item.customLocationName)), ("hidesLocation", .bool(item.hidesLocation)),
            ("address", item.address?.json ?? .null), ("organization", organization(item.organization)),
            ("createdAt", .optional(item.createdAt?.utcText)), ("updatedAt", .optional(item.updatedAt?.utcText)),
        ])
    }

    static func organization(_ organization: Organization) -> JSON {
        .object([
            ("id", .string("\(organization.id)")), ("name", .string(organization.name)),
            ("phone", .string(organization.phone)), ("email", .string(organization.email)),
            ("website", .string(organization.website)), ("logoURL", .string(organization.logoURL)),
            ("address", organization.address?.json ?? .null),
            ("createdAt", .optional(organization.createdAt?.utcText)),
            ("updatedAt", .optional(organization.updatedAt?.utcText)),
        ])
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
            ("timestamp", .optional(commit?.timestamp.utcText)), ("hash", .optional(commit.map { "\($0.hash)" })),
            ("visible", .bool(isVisible)),
            (
                "entities",
                .array(
                    entities.map { entity in
                        .object([
                            ("kind", entity.kind.json), ("id", .string(entity.id.uuidString)),
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
