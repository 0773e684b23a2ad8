import TripFormats
import TripStore

/// An agenda for programs.
enum AgendaJSON {
    static func day(_ day: AgendaDay, _ names: AgendaNames) -> JSON {
        .object([
            ("day", .string("\(day.day)")), ("trips", .array(day.trips.map(trip))),
            ("entries", .array(day.entries.map { entry($0, names) })),
        ])
    }

    private static func trip(_ trip: AgendaTrip) -> JSON {
        .object([
            ("id", .string("\(trip.id)")), ("name", .string(trip.trip.name)), ("role", .string("\(trip.role)")),
            ("stage", .string("\(trip.trip.stage)")),
        ])
    }

    private static func entry(_ entry: AgendaEntry, _ names: AgendaNames) -> JSON {
        .object(
            EntityText.members(entry.item.reference, entry.item.name) + [
                ("trip", .optional(entry.trip.map { "\($0)" })), ("tripName", .optional(names[entry.trip])),
                ("role", .string("\(entry.role)")), ("begins", entry.begins?.json ?? .null),
                ("ends", entry.ends?.json ?? .null), ("zone", .optional(entry.zone)),
                ("night", .optional(entry.night)), ("nights", .optional(entry.nightCount)),
                ("stage", .string("\(entry.item.stage)")),
            ])
    }

    static func finding(_ finding: AgendaFinding, _ names: AgendaNames) -> JSON {
        .object([
            ("problem", .string("\(finding.problem)")), ("trip", .string("\(finding.trip)")),
            ("tripName", .optional(names[finding.trip])),
            ("items", .array(finding.items.map { .object(EntityText.members($0.reference, $0.name)) })),
            ("firstDay", .string("\(finding.days.lowerBound)")), ("lastDay", .string("\(finding.days.upperBound)")),
            ("from", finding.from?.json ?? .null), ("until", finding.until?.json ?? .null),
            ("neededMinutes", .optional(finding.neededMinutes)),
        ])
    }
}

/// An agenda for spreadsheets.
enum AgendaTable {
    static func entries(_ agenda: Agenda, _ names: AgendaNames) -> CSVTable {
        var table = CSVTable(columns: [
            "day", "role", "kind", "id", "name", "trip", "tripName", "begins", "ends", "zone", "night", "nights",
            "stage",
        ])
        for day in agenda.days {
            for trip in day.trips {
                let id = CSVTable.Cell.text("\(trip.id)")
                table.add([
                    .text("\(day.day)"), .text("\(trip.role)"), .text("trip"), id, .text(trip.trip.name), id,
                    .text(trip.trip.name), .empty, .empty, .empty, .empty, .empty, .text("\(trip.trip.stage)"),
                ])
            }
            for entry in day.entries {
                table.add([
                    .text("\(day.day)"), .text("\(entry.role)"), .text(entry.item.kind.words),
                    .text("\(entry.item.id)"), .text(entry.item.name), .optional(entry.trip.map { "\($0)" }),
                    .optional(names[entry.trip]), .optional(entry.begins?.localISO8601),
                    .optional(entry.ends?.localISO8601), .optional(entry.zone),
                    entry.night.map { .integer($0) } ?? .empty, entry.nightCount.map { .integer($0) } ?? .empty,
                    .text("\(entry.item.stage)"),
                ])
            }
        }
        return table
    }

    static func findings(_ agenda: Agenda, _ names: AgendaNames) -> CSVTable {
        var table = CSVTable(columns: [
            "problem", "trip", "tripName", "firstDay", "lastDay", "firstId", "first", "secondId", "second", "from",
            "until",
            "neededMinutes",
        ])
        for finding in agenda.findings {
            let items = (0..<2).map { $0 < finding.items.count ? finding.items[$0] : nil }
            table.add(
                [
                    .text("\(finding.problem)"), .text("\(finding.trip)"), .optional(names[finding.trip]),
                    .text("\(finding.days.lowerBound)"), .text("\(finding.days.upperBound)"),
                ]
                    + items.flatMap { item -> [CSVTable.Cell] in
                        [.optional(item.map { "\($0.id)" }), .optional(item?.name)]
                    } + [
                        .optional(finding.from?.localISO8601), .optional(finding.until?.localISO8601),
                        finding.neededMinutes.map { .integer($0) } ?? .empty,
                    ])
        }
        return table
    }
}
