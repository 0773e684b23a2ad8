import Foundation
import TripFormats
import TripStore

/// Writes an export of Traveling Snails.
struct SnailsExporter: TripExporter {
    /// When the export is made, as it says.
    var date = Date.now

    func export(_ selection: ExportSelection, of store: TripStore, to output: ExportOutput) async throws -> [String] {
        let report = Console.current.progress
        defer { report?("") }
        let losses = try await SnailsExport(of: store, at: date).write(
            selection.trips, isAll: selection.isAll,
            progress: { report?("\($0.trips) of \(Words.count($0.total, "trip")), \($0.bytes >> 20) MiB") },
            to: { try output.write($0) })
        return losses.map(\.description)
    }
}
