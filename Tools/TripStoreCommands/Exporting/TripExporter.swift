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
