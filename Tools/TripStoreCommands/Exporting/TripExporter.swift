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
}
