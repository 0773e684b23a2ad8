import EventLog
import TripFormats
import TripStore

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
    private func calendar(of selection: ExportSelection, in views: borrowing TripViews) throws -> TripCalendar {
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
