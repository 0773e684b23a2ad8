import Events
import TripFormats
import TripStore

/// Writes GeoJSON.
struct GeoJSONExporter: TripExporter {
    func export(_ selection: ExportSelection, of store: TripStore, to output: ExportOutput) async throws -> [String] {
        var left = LeftOutPlaces()
        var geoJSON = GeoJSON()
        try output.write(GeoJSON.beginning)
        try selection.forEachGeography(in: store) { geography in
            left.count(geography)
            try output.write(geoJSON.features(of: geography))
        }
        try output.write(GeoJSON.end)
        return left.warnings
    }
}

/// The items that no map shows.
struct LeftOutPlaces {
    private var withoutCoordinates = 0
    private var hidden = 0

    mutating func count(_ geography: TripGeography) {
        withoutCoordinates += geography.withoutCoordinates.count
        hidden += geography.hidden.count
    }

    var warnings: [String] {
        var warnings: [String] = []
        if withoutCoordinates > 0 {
            warnings.append("\(withoutCoordinates.counted("item")) without coordinates left out.")
        }
        if hidden > 0 {
            warnings.append(
                "\(hidden.counted("item")) left out that \(hidden == 1 ? "hides its place" : "hide their places")."
            )
        }
        return warnings
    }
}

extension ExportSelection {
    /// Calls `body` with where each of the trips goes that are there, each as one snapshot shows it: none is held meanwhile, for the body may
    /// wait for who reads its output.
    func forEachGeography(in store: TripStore, _ body: (TripGeography) throws -> Void) throws {
        for trip in trips {
            try Task.checkCancellation()
            guard let contents = try store.contents(of: trip) else { continue }
            try body(TripGeography(contents, days: days))
        }
    }
}

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
