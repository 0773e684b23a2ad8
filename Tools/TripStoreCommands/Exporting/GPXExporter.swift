import TripFormats
import TripStore

/// Writes GPX 1.1.
struct GPXExporter: TripExporter {
    func export(_ selection: ExportSelection, of store: TripStore, to output: ExportOutput) async throws -> [String] {
        var left = LeftOutPlaces()
        // The head says where all of it is, and all waypoints come before the routes: the trips are read three times, as one snapshot shows them.
        try store.read { views in
            var extent = GPX.Extent()
            try selection.forEachGeography(in: views) { geography in
                left.count(geography)
                extent.add(geography)
            }
            try output.write(GPX.beginning(extent))
            try selection.forEachGeography(in: views) { try output.write(GPX.waypoints(of: $0)) }
            try selection.forEachGeography(in: views) { try output.write(GPX.routes(of: $0)) }
            try output.write(GPX.end)
        }
        return left.warnings
    }
}
