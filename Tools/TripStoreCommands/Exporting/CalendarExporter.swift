import TripFormats
import TripStore

/// Writes trips as a calendar. What it holds depends on the store alone, so that the same state gives the same bytes.
struct CalendarExporter: TripExporter {
    /// Whether descriptions have costs.
    var hasCosts = false

    func export(_ selection: ExportSelection, of store: TripStore, to output: ExportOutput) async throws -> [String] {
        let (text, warnings) = try store.read { views in
            try calendar(of: selection.trips, days: selection.days, in: views)
        }.text()
        try output.write(text)
        return warnings
    }

    /// The trips that are there, as one snapshot shows them.
    func calendar(of trips: [Trip.ID], days: ClosedRange<Day>?, in views: borrowing TripViews) throws -> TripCalendar {
        var calendar = TripCalendar(name: "Trips", days: days, hasCosts: hasCosts)
        for trip in trips {
            if let entry = try views.calendarEntry(of: trip) { calendar.entries.append(entry) }
        }
        if trips.count == 1, let entry = calendar.entries.first { calendar.name = entry.document.contents.trip.name }
        return calendar
    }
}
