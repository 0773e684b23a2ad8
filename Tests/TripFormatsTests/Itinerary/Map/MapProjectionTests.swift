import Foundation
import TestSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("The projection of maps")
struct MapProjectionTests {
    private static func point(_ latitude: Double, _ longitude: Double) -> GlobePoint {
        GlobePoint(Coordinates(latitude: latitude, longitude: longitude))
    }

    /// By another formula than the projection's: the haversine.
    private static func angle(_ a: Coordinates, _ b: Coordinates) -> Double {
        let (north, east) = ((b.latitude - a.latitude) * .pi / 180, (b.longitude - a.longitude) * .pi / 180)
        let (first, second) = (a.latitude * .pi / 180, b.latitude * .pi / 180)
        let square = pow(sin(north / 2), 2) + cos(first) * cos(second) * pow(sin(east / 2), 2)
        return 2 * asin(min(1, square.squareRoot()))
    }

    @Test("Distances from the centre are true, and positions lead back to their points, everywhere")
    func distances() {
        var random = SeededGenerator(seed: 7)
        for latitude in [-90, -89.9, -45, 0, 51.5, 89.9, 90] as [Double] {
            for longitude in [-180, -179.9, 0, 12.5, 180] as [Double] {
                let center = Coordinates(latitude: latitude, longitude: longitude)
                let projection = MapProjection(center: GlobePoint(center))
                for _ in 0..<20 {
                    let place = Coordinates(
                        latitude: .random(in: -89...89, using: &random),
                        longitude: .random(in: -180...180, using: &random))
                    let position = projection.position(of: GlobePoint(place))
                    let angle = Self.angle(center, place)
                    #expect(abs(hypot(position.east, position.north) - angle) < 1e-6, "\(center) \(place)")
                    let back = projection.point(east: position.east, north: position.north)?.coordinates
                    #expect(back.map { Self.angle($0, place) < 1e-6 } ?? false, "\(center) \(place)")
                }
            }
        }
    }

    @Test("East is to the right and north above, also over the antimeridian and at a pole")
    func directions() {
        let east = MapProjection(center: Self.point(0, 179)).position(of: Self.point(0, -171))
        #expect(abs(east.east - 10 * .pi / 180) < 1e-12 && abs(east.north) < 1e-12)
        let north = MapProjection(center: Self.point(60, 10)).position(of: Self.point(65, 10))
        #expect(abs(north.east) < 1e-12 && abs(north.north - 5 * .pi / 180) < 1e-12)
        let pole = MapProjection(center: Self.point(90, 0))
        let (here, there) = (pole.position(of: Self.point(80, 90)), pole.position(of: Self.point(80, -90)))
        #expect(abs(here.east - 10 * .pi / 180) < 1e-12 && abs(here.east + there.east) < 1e-12)
        let opposite = pole.position(of: Self.point(-90, 0))
        #expect(opposite.east == .pi && opposite.north == 0)
        #expect(pole.point(east: 3, north: 3) == nil)
    }

    @Test("The middle of places is between those farthest from each other, also over the antimeridian")
    func middle() throws {
        let points = [Self.point(0, 170), Self.point(0, -170), Self.point(0, -175)]
        let middle = try #require(GlobePoint.middle(of: points)).coordinates
        #expect(abs(middle.latitude) < 1 && abs(abs(middle.longitude) - 180) < 1, "\(middle)")
        #expect(GlobePoint.middle(of: []) == nil)
        #expect(GlobePoint.middle(of: [Self.point(0, 0), Self.point(0, 180)]) != nil)
    }

    @Test("The way of a flight is the shortest, and to the opposite point has its ends alone")
    func ways() {
        let way = Self.point(59, -100).way(to: Self.point(59, 80)).map(\.coordinates)
        #expect(way.count == 21 && way[10].latitude > 89.9)
        for (a, b) in zip(way, way.dropFirst()) { #expect(abs(Self.angle(a, b) - 3.1 * .pi / 180) < 1e-6) }
        #expect(Self.point(10, 20).way(to: Self.point(-10, -160)).count == 2)
        #expect(Self.point(10, 20).way(to: Self.point(10, 20)).count == 2)
    }
}
