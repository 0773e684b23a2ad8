import EventLog
import Foundation
import TripFormats
import TripStore

/// Writes trips in one format.
protocol TripExporter: Sendable {
    /// Returns what the format could not hold, to warn of.
    func export(_ selection: ExportSelection, of store: TripStore, to output: ExportOutput) async throws -> [String]
}

/// What is exported.
struct ExportSelection: Sendable {
    /// By their start; those without days last.
    let trips: [Trip.ID]
    /// Only items that touch one of these days, if the format has items by themselves; nil for all.
    let days: ClosedRange<Day>?
    /// Whether it is all trips of the store.
    let isAll: Bool
    /// How many items of these days, or all, are left out because they have no trip.
    let unfiledItems: Int
    /// How many templates are left out, of all trips: those with days have none.
    let templates: Int

    /// Trips that were chosen one by one.
    init(trips: [Trip.ID], days: ClosedRange<Day>?) {
        (self.trips, self.days) = (trips, days)
        (isAll, unfiledItems, templates) = (false, 0, 0)
    }

    /// The trips with a day or an item in a range, or all but templates.
    init(on days: ClosedRange<Day>?, in views: borrowing TripViews) throws {
        self.days = days
        isAll = days == nil
        if let days {
            let found = try views.trips(on: days)
            (trips, unfiledItems, templates) = (found.trips, found.unfiledItems, 0)
            return
        }
        trips = try views.ids(.dated) + views.ids(.undated)
        (unfiledItems, templates) = (try views.unfiledItems().count, try views.templates().count)
    }
}

/// Writes trips as a calendar. What it holds depends on the store alone, so that the same state gives the same bytes.
struct CalendarExporter: TripExporter {
    /// Whether events have costs.
    var hasCosts = false

    /// The text is made on a thread of its own: it takes a while for large stores.
    func export(_ selection: ExportSelection, of store: TripStore, to output: ExportOutput) async throws -> [String] {
        let (text, warnings) = try await WorkerThread(name: "tripstore.export").run { [self] in
            try store.read { views in try calendar(of: selection, in: views) }.text()
        }
        try output.write(text)
        return warnings
    }

    /// The trips that are there, as one snapshot shows them.
    func calendar(of selection: ExportSelection, in views: borrowing TripViews) throws -> TripCalendar {
        var calendar = TripCalendar(name: "Trips", days: selection.days, hasCosts: hasCosts)
        (calendar.unfiledItems, calendar.templates) = (selection.unfiledItems, selection.templates)
        for trip in selection.trips {
            if let entry = try views.calendarEntry(of: trip) { calendar.entries.append(entry) }
        }
        if selection.trips.count == 1, let entry = calendar.entries.first {
            calendar.name = entry.document.contents.trip.name
        }
        return calendar
    }
}

/// Writes an export of Traveling Snails.
struct SnailsExporter: TripExporter {
    /// When the export is made, as it says.
    var date = Console.current.now()

    func export(_ selection: ExportSelection, of store: TripStore, to output: ExportOutput) async throws -> [String] {
        let losses = try await LongWork.run(
            standing: output.isStandardOutput
                ? "The file ends in the middle." : "No file was written; one that was there stands as it was."
        ) { work in
            try await SnailsExport(of: store, at: date).write(
                selection.trips, isAll: selection.isAll,
                progress: { work.report("writing", $0.trips, of: $0.total, .things("trip")) },
                to: { try output.write($0) })
        }
        return losses.map(\.description)
    }
}
