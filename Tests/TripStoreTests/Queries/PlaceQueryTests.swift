import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

@Suite("Queries by distance")
struct PlaceQueryTests {
    private static func random(_ generator: inout SeededGenerator, near place: Coordinates? = nil) -> Coordinates {
        guard let place, Bool.random(using: &generator) else {
            // Poles and the line where the days meet are as likely as all else.
            let latitude = Double.random(in: -95...95, using: &generator)
            let longitude = Double.random(in: -190...190, using: &generator)
            return Coordinates(latitude: min(90, max(-90, latitude)), longitude: min(180, max(-180, longitude)))
        }
        let spread = pow(10, Double.random(in: -5...0.5, using: &generator))
        return Coordinates(
            latitude: min(90, max(-90, place.latitude + Double.random(in: -spread...spread, using: &generator))),
            longitude: min(180, max(-180, place.longitude + Double.random(in: -spread...spread, using: &generator))))
    }

    /// In metres, by the haversine formula.
    private static func distance(_ a: Coordinates, _ b: Coordinates) -> Double {
        let (first, second) = (a.latitude * .pi / 180, b.latitude * .pi / 180)
        let (north, east) = (sin((second - first) / 2), sin((b.longitude - a.longitude) * .pi / 360))
        let half = min(1, north * north + cos(first) * cos(second) * east * east)
        return 2 * 6_371_008.8 * asin(half.squareRoot())
    }

    @Test("Distances in integers are those of the haversine formula, to a few centimetres", arguments: Seeds.some(3))
    func haversine(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let place = Self.random(&generator)
            let other = Self.random(&generator, near: place)
            let meters = Self.distance(place, other)
            // On the other side of the globe the straight line hardly says how far it is.
            guard meters < 19_000_000 else { continue }
            let (a, b) = (try #require(GlobePoint(place)), try #require(GlobePoint(other)))
            let tolerance = 0.1 + meters * 1e-8
            #expect(
                try a.isWithin(#require(GlobeDistance(meters: meters + tolerance)), of: b), "seed \(seed), \(meters)")
            if meters > tolerance {
                #expect(
                    try !a.isWithin(#require(GlobeDistance(meters: meters - tolerance)), of: b),
                    "seed \(seed), \(meters)")
            }
        }
    }

    @Test("Cells around a place hold everything that is near it", arguments: Seeds.some(3))
    func cover(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let place = Self.random(&generator)
            let center = try #require(GlobePoint(place))
            let distance = try #require(GlobeDistance(meters: pow(10, Double.random(in: 0...7.4, using: &generator))))
            let cells = GlobeCell.cover(distance, around: center)
            #expect(zip(cells, cells.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            for _ in 0..<30 {
                let other = try #require(GlobePoint(Self.random(&generator, near: place)))
                guard other.isWithin(distance, of: center) else { continue }
                let number = GlobeCell.number(other)
                #expect(cells.contains { $0.contains(number) }, "seed \(seed), \(place), \(distance)")
            }
        }
    }

    @Test(
        "With an index and without one the same places are found, also across 180° and at the poles",
        arguments: Seeds.some(2))
    func found(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        options.indexes = [Index(on: \Activity.address)]
        let (plain, indexed) = (
            try await TripStore.test(), try await TripStore.temporary(options: options)
        )
        let trip = Trip(name: "Around the world")
        let centers = [(0, 180), (89.99, 10), (-90, 0), (38.7, -9.1)].map {
            Coordinates(latitude: $0.0, longitude: $0.1)
        }
        let activities = (0..<200).map { index in
            var activity = Activity(name: "Stop \(index)", in: trip.id)
            let place = Self.random(&generator, near: centers[index % centers.count])
            if index % 10 > 0 { activity.address = Address(city: "Somewhere", coordinates: place) }
            if index % 10 == 1 { activity.address = Address(city: "Nowhere") }
            return activity
        }
        for store in [plain, indexed] {
            try await store.create(trip)
            try await store.create(activities)
        }
        for center in centers {
            for meters in [0.5, 10, 1_000, 50_000, 2_000_000, 30_000_000, -1, .nan] as [Double] {
                let query = Query<Activity>().where { $0.address.isWithin(meters: meters, of: center) }
                #expect(try plain.ids(query) == indexed.ids(query), "seed \(seed), \(meters) m of \(center)")
                let count = activities.count { activity in
                    activity.address?.coordinates.map { Self.distance($0, center) <= meters } ?? false
                }
                #expect(try plain.count(query) == count, "seed \(seed), \(meters) m of \(center)")
            }
        }
        let near = Query<Activity>().where { $0.address.isWithin(meters: 1_000, of: centers[3]) }
        #expect(try indexed.explain(near).index == "activity by address")
        #expect(try indexed.explain(near).rowsLookedAt < 100)
        try await plain.expectInvariants()
        try await indexed.expectInvariants()
    }
}
