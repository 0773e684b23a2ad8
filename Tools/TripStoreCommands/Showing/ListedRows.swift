import Events
import TripFormats
import TripStore

/// Entities in lists for people, a line each, which begins with the shortest digits that tell the ids apart. Where there is little room, names
/// and costs are kept the longest.
enum ListedRows {
    static func lines(of rows: [TripRow], in source: any TripQuerying) throws -> [String] {
        let trips = rows.map(\.trip.reference)
        let marks = try ConflictMarks(trips, in: source)
        marks.explain()
        let cells = zip(rows, try ShortIDs.shown(trips.map(\.id), in: source)).map { row, id in
            let days = [row.trip.startDay, row.trip.effectiveEndDay].map { $0.map { "\($0)" } ?? "–" }
            return [
                id, days[0], days[1], row.itemCount.counted("item"),
                row.costs.map(\.words).joined(separator: ", "), row.trip.destination,
                marks.shown(row.trip.name, of: row.trip.reference),
            ]
        }
        let table = TextTable(cutting: [4, 5, 6], dropping: [5, 3, 2, 4], naming: 6, listing: [4]) { row, column in
            [0: TextStyle.id, 4: .money][column] ?? (column == 6 ? marks.style(of: trips[row]) : nil)
        }
        return table.lines(cells)
    }

    static func lines(of items: [TripItem], in source: any TripQuerying) throws -> [String] {
        let references = items.map(\.reference)
        let marks = try ConflictMarks(references, in: source)
        marks.explain()
        var clocks: [Trip.ID: TripClocks] = [:]
        for trip in Set(items.compactMap(\.trip)) { clocks[trip] = TripClocks(try source.items(of: trip).rows) }
        let cells = try zip(items, ShortIDs.shown(references.map(\.id), in: source)).map { item, id in
            let course = ItemCourse(item, item.trip.flatMap { clocks[$0] } ?? .own)
            return [
                id, ListedDays.words(course), item.kind.words,
                try item.trip.flatMap { try source.trip($0) }?.name ?? "",
                item.cost.map { "\($0)" } ?? "", marks.shown(item.name, of: item.reference),
            ]
        }
        let table = TextTable(cutting: [3, 4, 5], dropping: [3, 2, 4], naming: 5, listing: [4]) { row, column in
            [0: TextStyle.id, 2: .kind, 4: .money][column] ?? (column == 5 ? marks.style(of: references[row]) : nil)
        }
        return table.lines(cells)
    }

    static func lines(of organizations: [Organization], in source: any TripQuerying) throws -> [String] {
        let references = organizations.map(\.reference)
        let marks = try ConflictMarks(references, in: source)
        marks.explain()
        let cells = zip(organizations, try ShortIDs.shown(references.map(\.id), in: source)).map { found, id in
            [id, marks.shown(found.name, of: found.reference), found.phone, found.email, found.website]
        }
        let table = TextTable(cutting: [1, 2, 3, 4], dropping: [4, 2, 3], naming: 1) { row, column in
            column == 0 ? .id : column == 1 ? marks.style(of: references[row]) : nil
        }
        return table.lines(cells)
    }
}

/// The days of an item in a list.
enum ListedDays {
    /// The start, as in "2027-05-02 15:00", or without a clock time the days: "2027-05-02", "2027-05-02 – 05-04".
    static func words(_ course: ItemCourse) -> String {
        if let first = course.first { return course.begins.map { "\(first) \($0.clock)" } ?? words(first, course.last) }
        if let last = course.last, let ends = course.ends { return "until \(last) \(ends.clock)" }
        return course.last.map { "until \($0)" } ?? "–"
    }

    private static func words(_ first: Day, _ last: Day?) -> String {
        guard let last, last != first else { return "\(first)" }
        return "\(first) – \(last.year == first.year ? String("\(last)".suffix(5)) : "\(last)")"
    }
}
