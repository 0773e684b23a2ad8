import TripStore

/// A position in the picture, in its units: from the left, and from above.
struct MapPosition: Hashable, Sendable {
    var x, y: Double

    func distance(to other: MapPosition) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

/// A rectangle of the picture.
struct MapBox {
    var x, y, width, height: Double

    func overlaps(_ other: MapBox) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
}

/// The part of the globe that a picture shows.
struct MapFrame: Sendable {
    static let width: Double = 400
    private static let heights: ClosedRange<Double> = 170...300
    /// Around the places: room for their names.
    private static let margin: Double = 36
    /// About 2 km: a map of less is no help without streets.
    private static let leastSize = 0.0003
    static let earthRadius = 6371.0088  // km, the mean one

    let projection: MapProjection
    /// Units for a radian.
    let scale: Double
    let height: Double
    private let middle: (east: Double, north: Double)

    /// A frame around some points, of which `places` are in the middle; nil without any. O(points).
    init?(around places: [GlobePoint], and others: [GlobePoint]) {
        guard let center = GlobePoint.middle(of: places) else { return nil }
        projection = MapProjection(center: center)
        let positions = (places + others).map(projection.position(of:))
        let (easts, norths) = (positions.map(\.east), positions.map(\.north))
        guard let west = easts.min(), let east = easts.max(), let south = norths.min(), let north = norths.max() else {
            return nil
        }
        let (width, height) = (max(east - west, Self.leastSize), max(north - south, Self.leastSize))
        scale = min(
            (Self.width - 2 * Self.margin) / width, (Self.heights.upperBound - 2 * Self.margin) / height)
        self.height = max((height * scale + 2 * Self.margin).rounded(), Self.heights.lowerBound)
        middle = ((west + east) / 2, (south + north) / 2)
    }

    func position(of point: GlobePoint) -> MapPosition {
        let position = projection.position(of: point)
        return MapPosition(
            x: Self.width / 2 + (position.east - middle.east) * scale,
            y: height / 2 - (position.north - middle.north) * scale)
    }

    /// Nil beyond the globe.
    func point(at position: MapPosition) -> GlobePoint? {
        projection.point(
            east: middle.east + (position.x - Self.width / 2) / scale,
            north: middle.north - (position.y - height / 2) / scale)
    }

    /// Whether a straight line joins two positions of a way. Far from the centre two near points may be on opposite sides.
    func joins(_ first: MapPosition, _ second: MapPosition) -> Bool { first.distance(to: second) < .pi * scale }

    /// Whether a position is in the picture or near it.
    func isNear(_ position: MapPosition, within margin: Double = 60) -> Bool {
        -margin...Self.width + margin ~= position.x && -margin...height + margin ~= position.y
    }
}

/// The data of an SVG path in tenths of a unit.
struct MapPath {
    private(set) var data = ""

    /// Adds a line as far as the frame shows it, in steps of at least some units.
    mutating func add(_ points: some Sequence<GlobePoint>, in frame: MapFrame, step: Double = 0) {
        var (last, pen): (MapPosition?, (x: Int, y: Int)?) = (nil, nil)
        for point in points {
            let position = frame.position(of: point)
            guard let previous = last else {
                last = position
                continue
            }
            if previous.distance(to: position) < step { continue }
            last = position
            guard frame.isNear(previous) || frame.isNear(position), frame.joins(previous, position) else {
                pen = nil
                continue
            }
            let end = Self.tenths(position)
            if let pen {
                data += " \(end.x - pen.x) \(end.y - pen.y)"
            } else {
                let start = Self.tenths(previous)
                data += "M\(start.x) \(start.y)l\(end.x - start.x) \(end.y - start.y)"
            }
            pen = end
        }
    }

    private static func tenths(_ position: MapPosition) -> (x: Int, y: Int) {
        (Int((position.x * 10).rounded()), Int((position.y * 10).rounded()))
    }
}
