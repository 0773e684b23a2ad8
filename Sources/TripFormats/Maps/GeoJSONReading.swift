import TravelingSnails
import TripStore

/// Reads GeoJSON (RFC 7946): a collection of features, a feature or a geometry.
struct GeoJSONReading {
    private static let deepest = 16
    /// Geometries of one collection.
    private static let mostParts = 1_000
    private static let types: Set<String> = [
        "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon",
        "MultiPolygon", "GeometryCollection",
    ]

    /// Reads a file whose first value is next. Throws `wrongFormat` for other JSON.
    mutating func read(_ json: inout JSONReader, into contents: inout MapContents) throws {
        guard try json.valueKind() == .object else { throw Self.wrongFormat }
        let root = try object(&json, 0, &contents)
        try json.expectEnd()
        guard Self.types.contains(root.type) else { throw Self.wrongFormat }
        contents.name = root.name
        if root.type != "FeatureCollection" { try contents.add(root.feature(1)) }
    }

    private static let wrongFormat = TextFormatError(
        .wrongFormat,
        "It is JSON, but no GeoJSON: an object with the \"type\" FeatureCollection, Feature or a geometry is expected. For an export of "
            + "Traveling Snails give --format json.")

    /// An object of GeoJSON, of whichever type: that may stand behind the rest.
    private struct Object {
        var type = ""
        var name = ""
        var id = ""
        var positions = GeoPositions()
        var parts: [Object] = []
        var properties = GeoProperties()
        var range: Range<Int64> = 0..<0

        /// The feature of the object as a whole.
        func feature(_ line: Int) -> MapFeature {
            var feature = MapFeature()
            properties.set(&feature, id: id)
            (feature.range, feature.line) = (range, line)
            add(to: &feature)
            if !properties.times.start.isEmpty {
                feature.track.add(time: properties.times.start)
                feature.track.add(time: properties.times.end)
            }
            return feature
        }

        private func add(to feature: inout MapFeature) {
            switch type {
            case "Point", "MultiPoint":
                feature.points += positions.first
                feature.furtherPoints += positions.track.points - positions.first.count
            case "LineString", "MultiLineString": feature.track.add(positions.track)
            case "Polygon", "MultiPolygon": feature.hasArea = true
            default: break
            }
            for part in parts { part.add(to: &feature) }
        }
    }

    /// Reads the object that is next. Features of a collection are added at once.
    private func object(
        _ json: inout JSONReader, _ depth: Int, _ contents: inout MapContents
    ) throws -> Object {
        guard depth < Self.deepest else {
            throw TextFormatError(
                .tooLarge, "Geometries are nested over \(Self.deepest) deep. Remove the inner ones.",
                at: TextPlace(line: json.currentLine))
        }
        var object = Object()
        let start = json.offset
        try json.beginObject()
        while let name = try json.nextName() {
            switch (name, try json.valueKind()) {
            case ("type", .text): object.type = try json.textValue()
            case ("name", .text): object.name = try json.textValue()
            case ("id", .text): object.id = try json.textValue()
            case ("id", .number): object.id = try json.numberValue()
            case ("coordinates", .list):
                let line = json.currentLine
                try object.positions.read(&json) { contents.warnOfPosition(at: line) }
            case ("geometry", .object): object.parts.append(try self.object(&json, depth + 1, &contents))
            case ("geometries", .list):
                try json.beginList()
                while try json.nextElement() {
                    let isObject = try json.valueKind() == .object
                    guard isObject, object.parts.count < Self.mostParts else {
                        let reason = isObject ? "\(Self.mostParts) are read of a collection" : "it is no object"
                        contents.leaveOut("a geometry is left out, for \(reason)", at: json.currentLine)
                        try json.skipValue()
                        continue
                    }
                    object.parts.append(try self.object(&json, depth + 1, &contents))
                }
            case ("features", .list): try features(&json, depth, &contents)
            case ("properties", .object): try object.properties.read(&json)
            default: try json.skipValue()
            }
        }
        object.range = start..<json.offset
        return object
    }

    private func features(_ json: inout JSONReader, _ depth: Int, _ contents: inout MapContents) throws {
        try json.beginList()
        while try json.nextElement() {
            guard try json.valueKind() == .object else {
                contents.leaveOut("a feature is left out, for it is no object", at: json.currentLine)
                try json.skipValue()
                continue
            }
            let line = json.currentLine
            let object = try object(&json, depth + 1, &contents)
            if object.type != "FeatureCollection" { try contents.add(object.feature(line)) }
        }
    }
}
