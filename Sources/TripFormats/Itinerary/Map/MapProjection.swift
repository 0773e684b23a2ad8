import Foundation
import TripStore

/// A point of the globe as a vector of length 1: nothing is special at the poles and the antimeridian.
struct GlobePoint: Hashable, Sendable {
    let x, y, z: Double

    init(_ coordinates: Coordinates) {
        let (latitude, longitude) = (coordinates.latitude * .pi / 180, coordinates.longitude * .pi / 180)
        (x, y, z) = (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }

    /// The point in the direction of a vector; nil of one without a direction.
    init?(toward x: Double, _ y: Double, _ z: Double) {
        let length = (x * x + y * y + z * z).squareRoot()
        guard length > 1e-9 else { return nil }
        (self.x, self.y, self.z) = (x / length, y / length, z / length)
    }

    /// In degrees.
    var coordinates: Coordinates {
        Coordinates(latitude: atan2(z, hypot(x, y)) * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
    }

    func dot(_ other: GlobePoint) -> Double { x * other.x + y * other.y + z * other.z }

    /// Points on the shortest way to another, with both ends, about 3 degrees apart. The ways to the opposite point are all the shortest: it has
    /// the ends alone.
    func way(to end: GlobePoint) -> [GlobePoint] {
        let angle = acos(min(1, max(-1, dot(end))))
        let count = Int(angle * 180 / .pi / 3)
        guard count > 1, sin(angle) > 1e-6 else { return [self, end] }
        return [self]
            + (1..<count).compactMap { step in
                let share = Double(step) / Double(count)
                let (a, b) = (sin((1 - share) * angle), sin(share * angle))
                return GlobePoint(toward: a * x + b * end.x, a * y + b * end.y, a * z + b * end.z)
            } + [end]
    }

    /// About the middle of the least circle that holds the points: each step goes a part of the way to the farthest one (Bădoiu and Clarkson,
    /// "Smaller core-sets for balls", 2003). O(points).
    static func middle(of points: [GlobePoint]) -> GlobePoint? {
        guard let first = points.first else { return nil }
        var (x, y, z) = (first.x, first.y, first.z)
        for step in 2...100 {
            func distance(_ point: GlobePoint) -> Double {
                (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y) + (point.z - z) * (point.z - z)
            }
            guard let farthest = points.max(by: { distance($0) < distance($1) }) else { break }
            let share = 1 / Double(step)
            (x, y, z) = (x + share * (farthest.x - x), y + share * (farthest.y - y), z + share * (farthest.z - z))
        }
        return GlobePoint(toward: x, y, z) ?? first
    }
}

/// The azimuthal equidistant projection: distances and directions from its centre are true.
///
/// Snyder, "Map Projections: A Working Manual", USGS Professional Paper 1395 (1987), chapter 25, on a sphere, by vectors.
struct MapProjection: Sendable {
    let center: GlobePoint
    private let east, north: GlobePoint

    init(center: GlobePoint) {
        self.center = center
        let place = center.coordinates
        east = GlobePoint(Coordinates(latitude: 0, longitude: place.longitude + 90))
        // A quarter of a meridian further north, over the pole.
        north = GlobePoint(Coordinates(latitude: place.latitude + 90, longitude: place.longitude))
    }

    /// In radians from the centre, to the east and to the north. The point opposite of the centre, which is a circle, is on its east.
    func position(of point: GlobePoint) -> (east: Double, north: Double) {
        let (toEast, toNorth) = (east.dot(point), north.dot(point))
        let (sine, cosine) = (hypot(toEast, toNorth), center.dot(point))
        guard sine > 1e-12 else { return cosine > 0 ? (0, 0) : (.pi, 0) }
        let factor = atan2(sine, cosine) / sine
        return (toEast * factor, toNorth * factor)
    }

    /// Nil beyond the globe.
    func point(east toEast: Double, north toNorth: Double) -> GlobePoint? {
        let distance = hypot(toEast, toNorth)
        guard distance > 0 else { return center }
        guard distance <= .pi else { return nil }
        let (a, b, c) = (cos(distance), sin(distance) * toEast / distance, sin(distance) * toNorth / distance)
        return GlobePoint(
            toward: a * center.x + b * east.x + c * north.x, a * center.y + b * east.y + c * north.y,
            a * center.z + b * east.z + c * north.z)
    }
}
