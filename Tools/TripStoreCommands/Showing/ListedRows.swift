import TripFormats
import TripStore

/// Entities in lists for people, a line each, which begins with the shortest digits that tell the ids apart.
enum ListedRows {
    static func lines(of rows: [TripRow], in source: any TripQuerying) throws -> [String] {
        let marks = try ConflictMarks(rows.map(\.trip.reference), in: source)
        marks.explain()
        let cells = zip(rows, ShortIDs.shown(rows.map { "\($0.id)" })).map { row, id in
            let days = [row.trip.startDay, row.trip.effectiveEndDay].map { $0.map { "\($0)" } ?? "–" }
            return [
                id, days[0], days[1], row.itemCount == 1 ? "1 item" : "\(row.itemCount) items",
                row.costs.map(\.words).joined(separator: ", "), row.trip.destination,
                marks.shown(row.trip.name, of: row.trip.reference),
            ]
        }
        // The costs go first where there is little room, and the name never.
        return TextTable.lines(cells, cutting: [4, 5, 6], dropping: [4, 3, 2, 5])
    }

    static func lines(of items: [TripItem], in source: any TripQuerying) throws -> [String] {
        let marks = try ConflictMarks(items.map(\.reference), in: source)
        marks.explain()
        var clocks: [Trip.ID: TripClocks] = [:]
        for trip in Set(items.compactMap(\.trip)) { clocks[trip] = TripClocks(try source.items(of: trip).rows) }
        let cells = try zip(items, ShortIDs.shown(items.map { "\($0.id)" })).map { item, id in
            let course = ItemCourse(item, item.trip.flatMap { clocks[$0] } ?? .own)
            return [
                id, (course.first ?? course.last)?.description ?? "–", item.kind.words,
                try item.trip.flatMap { try source.trip($0) }?.name ?? "",
                marks.shown(item.name, of: item.reference),
            ]
        }
        return TextTable.lines(cells, cutting: [3, 4], dropping: [2, 3, 1])
    }

    static func lines(of organizations: [Organization], in source: any TripQuerying) throws -> [String] {
        let marks = try ConflictMarks(organizations.map(\.reference), in: source)
        marks.explain()
        let cells = zip(organizations, ShortIDs.shown(organizations.map { "\($0.id)" })).map { found, id in
            [id, marks.shown(found.name, of: found.reference), found.phone, found.email, found.website]
        }
        return TextTable.lines(cells, cutting: [1, 2, 3, 4], dropping: [4, 2, 3])
    }
}

/// Ids in a list.
enum ShortIDs {
    /// On a terminal the shortest prefixes that distinguish these ids, at least the time in them; elsewhere the whole ids.
    static func shown(_ ids: [String]) -> [String] {
        guard Console.current.layout.columns != nil else { return ids }
        var length = 13
        while length < 36, Set(ids.map { $0.prefix(length) }).count < Set(ids).count { length += 1 }
        return ids.map { String($0.prefix(length)) }
    }
}
