import TripFormats
import TripStore

/// Writes GPX 1.1.
struct GPXExporter: TripExporter {
    /// The head says where all of it is, and all waypoints come before the routes: so the text is held until all trips are read. Each trip is
    /// read once, so that its parts are of one state.
    func export(_ selection: ExportSelection, of store: TripStore, to output: ExportOutput) async throws -> [String] {
        var left = LeftOutPlaces()
        var extent = GPX.Extent()
        var (waypoints, routes) = ("", "")
        try selection.forEachGeography(in: store) { geography in
            left.count(geography)
            extent.add(geography)
            waypoints += GPX.waypoints(of: geography)
            routes += GPX.routes(of: geography)
        }
        for text in [GPX.beginning(extent), waypoints, routes, GPX.end] { try output.write(text) }
        return left.warnings
    }
}
