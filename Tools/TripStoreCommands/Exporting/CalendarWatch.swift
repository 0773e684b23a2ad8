import TripFormats
import TripStore

/// Keeps a calendar file in step with a store until the command is interrupted.
struct CalendarWatch {
    let exporter: CalendarExporter
    let path: String
    /// Nil for the trips that the days, or all, have at the time.
    let trips: [Trip.ID]?
    let days: ClosedRange<Day>?

    /// Writes the file, and again whenever what it holds changes, each time as a whole. Changes that come while it is written are written
    /// together.
    /// - Parameter written: receives how many bytes the file has.
    func run(_ store: TripStore, replacing: Bool, written: @escaping @Sendable (Int) -> Void) async throws {
        let calendars = store.live { [self] views in
            let trips = try trips ?? ExportSelection.trips(touching: days, in: views)
            return try exporter.calendar(of: trips, days: days, in: views).text().text
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var isFirst = true
                for try await text in calendars {
                    let output = try ExportOutput(OutputTarget(argument: path), replacing: replacing || !isFirst)
                    do {
                        try output.write(text)
                        try output.finish()
                    } catch {
                        output.discard()
                        throw error
                    }
                    isFirst = false
                    written(output.size)
                }
            }
            group.addTask { await Console.current.ended() }
            try await group.next()
            group.cancelAll()
        }
    }
}

extension ExportSelection {
    /// The trips with a day in a range, or all but templates: by their start, those without days last.
    static func trips(touching days: ClosedRange<Day>?, in views: borrowing TripViews) throws -> [Trip.ID] {
        let queries: [TripQuery] = days.map { [.overlapping($0)] } ?? [.dated, .undated]
        var ids: [Trip.ID] = []
        for query in queries {
            var cursor: PageCursor?
            repeat {
                let page = try views.trips(query, limit: 1000, after: cursor)
                ids += page.rows.map(\.trip.id)
                cursor = page.next
            } while cursor != nil
        }
        return ids
    }
}
