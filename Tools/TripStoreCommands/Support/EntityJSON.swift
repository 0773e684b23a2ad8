import Foundation
import TripStore

extension Date {
    /// ISO 8601 in UTC with milliseconds.
    var utcText: String {
        // What others wrote may be any number; dates end where those of timestamps do.
        let bounded = max(-1e14, min(timeIntervalSince1970 * 1000, 1.5e14))
        let milliseconds = Int64(bounded.rounded())
        // Counted from the second before, also where that is before 1970.
        let fraction = (milliseconds % 1000 + 1000) % 1000
        let text = Moment(milliseconds: milliseconds - fraction, zone: "UTC").localISO8601
        let plain = text.replacingOccurrences(of: "+00:00", with: "").replacingOccurrences(of: "Z", with: "")
        return plain + String(format: ".%03dZ", Int(fraction))
    }
}

extension Timestamp {
    var utcText: String { date.utcText }
}

/// Entities in JSON, with the members in an order that reads well.
struct EntityJSON {
    let views: (Organization.ID) -> Organization?

    func trip(_ row: TripRow) -> JSON {
        let trip = row.trip
        return .object([
            ("id", .string("\(trip.id)")), ("name", .string(trip.name)), ("destination", .string(trip.destination)),
            ("notes", .string(trip.notes)), ("startDate", .optional(trip.startDay?.description)),
            ("endDate", .optional(trip.effectiveEndDay?.description)), ("isProtected", .bool(trip.isProtected)),
            ("originalCreation", .optional(trip.originalCreation?.utcText)),
            ("createdAt", .optional(trip.createdAt?.utcText)), ("updatedAt", .optional(trip.updatedAt?.utcText)),
            ("itemCount", .integer(row.itemCount)), ("cost", .array(row.costs.map(\.json))),
        ])
    }

    func item(_ item: TripItem) -> JSON {
        let booking = item.kind == .transportation ? "confirmation" : "reservation"
        var members: [(String, JSON)] = [
            ("kind", .string(item.kind.name ?? "")), ("id", .string(item.id.uuidString)),
            ("name", .string(item.name)),
        ]
        if let mode = item.mode { members.append(("mode", .string(mode.description))) }
        members += [
            ("start", .optional(item.start?.localISO8601)), ("startTimeZone", .optional(item.start?.zone)),
            ("end", .optional(item.effectiveEnd?.localISO8601)), ("endTimeZone", .optional(item.effectiveEnd?.zone)),
            ("cost", item.cost?.json ?? .null), ("paid", .string(item.paid.description)),
            (booking, .string(item.reservation)), ("notes", .string(item.notes)),
            ("customLocationName", .string(item.customLocationName)), ("hidesLocation", .bool(item.hidesLocation)),
            ("address", item.address?.json ?? .null), ("organization", organization(item.organization)),
            ("createdAt", .optional(item.createdAt?.utcText)), ("updatedAt", .optional(item.updatedAt?.utcText)),
        ]
        return .object(members)
    }

    private func organization(_ id: Organization.ID?) -> JSON {
        guard let id else { return .null }
        return .object([("id", .string("\(id)")), ("name", .optional(views(id)?.name))])
    }
}

extension Money {
    var json: JSON { .object([("currency", .string(currency.code)), ("minor", .integer(minorUnits))]) }
}

extension Address {
    var json: JSON {
        .object([
            ("street", .string(street)), ("city", .string(city)), ("state", .string(state)),
            ("country", .string(country)), ("postalCode", .string(postalCode)),
            ("latitude", coordinates.map { .double($0.latitude) } ?? .null),
            ("longitude", coordinates.map { .double($0.longitude) } ?? .null), ("formatted", .string(formatted)),
        ])
    }
}

extension Receipt {
    var json: JSON {
        guard let commit else { return .object([("unchanged", .bool(true))]) }
        return .object([
            ("position", .integer(position.rawValue)), ("replica", .string("\(commit.replica)")),
            ("sequence", .integer(commit.sequence.rawValue)), ("timestamp", .string(commit.timestamp.utcText)),
            ("hash", .string("\(commit.hash)")), ("visible", .bool(isVisible)),
            (
                "entities",
                .array(
                    entities.map { entity in
                        .object([
                            ("kind", entity.kind.json),
                            ("id", .string(entity.id.uuidString)),
                            ("version", .optional(versions[entity]?.description)),
                        ])
                    })
            ),
        ])
    }

    /// Prints the receipt, for people in a line.
    func print(_ options: StoreOptions, _ done: String, unchanged: String = "Nothing to change.") {
        let text = commit.map { "\(done) (position \(position), \($0.hash.description.prefix(12)))" }
        Console.current.out(options.json ? json.text : text ?? unchanged)
    }
}
