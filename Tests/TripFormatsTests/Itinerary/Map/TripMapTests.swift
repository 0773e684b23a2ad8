import Foundation
import TestSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("The map of an itinerary")
struct TripMapTests {
    private static let trip = Trip(name: "World", days: Day(2027, 5, 1)...Day(2027, 5, 9))

    private static func place(_ latitude: Double, _ longitude: Double, city: String = "") -> Address {
        Address(city: city, coordinates: Coordinates(latitude: latitude, longitude: longitude))
    }

    private static func visit(_ name: String, _ address: Address?, day: Int = 2) -> TripItem {
        var visit = Activity(name: name, in: trip.id, days: Day(2027, 5, day)...Day(2027, 5, day))
        visit.address = address
        return .activity(visit)
    }

    private static func flight(_ from: (String, Address), _ to: (String, Address), day: Int = 1) throws -> TripItem {
        var flight = Transportation(
            name: "Flight", mode: .plane, in: trip.id,
            from: try Moment(parsing: "2027-05-0\(day)T09:00", in: "UTC"),
            until: try Moment(parsing: "2027-05-0\(day)T20:00", in: "UTC"))
        flight.departure = TravelPlace(name: from.0, address: from.1)
        flight.arrival = TravelPlace(name: to.0, address: to.1)
        return .transportation(flight)
    }

    private static func map(_ items: [TripItem]) -> TripMap? {
        TripMap(TripContents(trip: trip, items: items), Itinerary(trip, items))
    }

    private static func markup(_ items: [TripItem]) throws -> String {
        MapMarkup(try #require(map(items)), level: 2).text("t")
    }

    @Test("A flight over the antimeridian leads east by the short way, and its places are as far apart as on the globe")
    func antimeridian() throws {
        let map = try #require(
            Self.map([try Self.flight(("Auckland", Self.place(-37, 174.8)), ("Honolulu", Self.place(21.3, -157.9)))]))
        #expect(map.places.map(\.label) == ["Auckland", "Honolulu"] && map.missing == 0)
        let (from, to) = (map.places[0].position, map.places[1].position)
        #expect(from.x < to.x && from.y > to.y)
        // 7,087 km on a sphere.
        let kilometres = from.distance(to: to) / map.frame.scale * MapFrame.earthRadius
        #expect(abs(kilometres - 7_087) < 20, "\(kilometres)")
        #expect(map.flights.count == 1 && map.others.isEmpty)
        var path = MapPath()
        path.add(map.flights[0], in: map.frame)
        #expect(path.data.count(where: { $0 == "M" }) == 1)
    }

    @Test(
        "Places that touch are one, with a city's name; ideas and hired cars are no part of the way, cancelled items no part of the map"
    )
    func places() throws {
        let (hotel, tram) = (Self.place(38.71, -9.14, city: "Lisbon"), Self.place(38.712, -9.141, city: "Lisbon"))
        var (idea, gone) = (Activity(name: "Idea", in: nil), Activity(name: "Gone", in: nil))
        (idea.address, idea.stage) = (Self.place(40.2, -8.4), .idea)
        (gone.address, gone.stage) = (Self.place(60, 10), .cancelled)
        var hidden = Activity(name: "Secret", in: nil)
        (hidden.address, hidden.hidesLocation) = (Self.place(1, 2), true)
        let map = try #require(
            Self.map([
                Self.visit("Hotel", hotel), Self.visit("Tram", tram, day: 3),
                Self.visit("Porto", Self.place(41.15, -8.61), day: 4),
                Self.visit("Dinner", nil), .activity(idea), .activity(gone), .activity(hidden),
            ]))
        #expect(map.places.map(\.label) == ["Lisbon", "Porto", "Idea"] && map.missing == 2)
        #expect(map.places[0].names == ["Hotel", "Tram"])
        #expect(map.others.count == 1 && map.flights.isEmpty)
        #expect(
            try Self.markup([Self.visit("A", hotel), Self.visit("B", Self.place(41, -8)), Self.visit("C", nil)])
                .contains("<p class=\"soft\">1 item not on the map: it has no coordinates to show.</p>"))
        #expect(Self.map([Self.visit("Hotel", hotel), Self.visit("Bar", hotel)]) == nil)
    }

    @Test("A picture has its dots where the map has its places, in its bounds, and a scale that is right")
    func picture() throws {
        let items = [Self.visit("A", Self.place(0, 0)), Self.visit("B", Self.place(0, 1), day: 3)]
        let map = try #require(Self.map(items))
        // A degree of the equator over 400 - 2 * 36 units.
        #expect(abs(map.frame.scale * .pi / 180 - 328) < 0.01 && map.frame.height == 170)
        let markup = try Self.markup(items)
        #expect(markup.contains("<svg viewBox=\"0 0 400 170\" role=\"img\" aria-label=\"Map of 2 places, "))
        #expect(
            markup.contains("<circle cx=\"36\" cy=\"85\" r=\"7\">")
                && markup.contains("<circle cx=\"364\" cy=\"85\" r=\"7\">"))
        #expect(markup.contains("<path class=\"way\" d=\"M360 850l3280 0\"></path>"))
        let bar = ScaleBar(map.frame)
        #expect(bar.kilometres == 20 && abs(bar.length - 20 / 111.195 * 328) < 0.01)
        #expect(markup.contains(">20 km</text>") && markup.contains(">0°</text>") && markup.contains(">0.5° E</text>"))
    }

    @Test("Names and numbers of any places are in the picture, without one over another", arguments: Seeds.some(8))
    func labels(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let items = (0..<60).map { number in
            Self.visit(
                "Place \(number)",
                Self.place(.random(in: 36...44, using: &random), .random(in: -10...4, using: &random)))
        }
        let map = try #require(Self.map(items))
        var labels = MapLabels(map.frame, map.places, taken: [])
        let placed = map.places.compactMap { labels.place($0.label, at: $0.position) }
        #expect(placed.count > 10)
        for (number, box) in labels.taken.enumerated() {
            #expect(
                box.x >= 0 && box.y >= 0 && box.x + box.width <= MapFrame.width
                    && box.y + box.height <= map.frame.height)
            for other in labels.taken.dropFirst(max(number + 1, map.places.count)) { #expect(!box.overlaps(other)) }
        }
    }

    @Test(
        "Places at the poles, on the antimeridian, opposite of each other and all around make a picture of numbers",
        arguments: [
            [(90, 0), (90, 120)], [(90, 0), (89.9, 40)], [(-90, 180), (-89.999, -180)], [(89.5, 0), (89.5, 10)],
            [(0, 180), (0, -180), (1, 179)], [(0, 0), (0, 180)], [(0, 0), (0, 120), (0, -120)],
            [(45, 10), (-45, -170)],
            [(0, 0), (90, 0), (-90, 0), (0, 90), (0, 180), (0, -90)], [(51.5, 0.1), (51.5001, 0.1001)],
        ] as [[(Double, Double)]])
    func extremes(places: [(Double, Double)]) throws {
        var items = places.map { Self.visit("\($0)", Self.place($0.0, $0.1)) }
        items.append(
            try Self.flight(("A", Self.place(places[0].0, places[0].1)), ("B", Self.place(places[1].0, places[1].1))))
        guard let map = Self.map(items) else { return }
        let markup = MapMarkup(map, level: 2).text("t")
        #expect(!markup.contains("nan") && !markup.contains("inf") && markup.utf8.count < 60_000)
        for place in map.places {
            #expect(map.frame.isNear(place.position, within: 0), "\(place.position)")
        }
    }

    @Test("Hostile names are text in the picture and in its list")
    func hostile() throws {
        let text = "</text></svg><script>alert(1)</script>\" onload=\"x"
        let markup = try Self.markup([Self.visit(text, Self.place(1, 2)), Self.visit("B", Self.place(3, 9))])
        #expect(!markup.contains("<script") && !markup.contains("\" onload"))
        #expect(markup.contains("<li><bdi>&lt;/text&gt;") && markup.contains("&lt;/text&gt;&lt;/svg&gt;"))
    }

    @Test("The coast is small, on the globe, and where it should be")
    func coast() throws {
        #expect(PageText.coastline.utf8.count < 30_000)
        let points = Coastline.coasts.flatMap(\.self)
        #expect(points.count == 9_452)
        // Capes at the ends of continents: da Roca, of Good Hope, Horn, York, Dezhnev beside the antimeridian.
        for (latitude, longitude) in [(38.8, -9.5), (-34.4, 18.5), (-56, -67.3), (-10.7, 142.5), (66.1, -169.7)] {
            let cape = GlobePoint(Coordinates(latitude: latitude, longitude: longitude))
            let nearest = try #require(points.map { acos(min(1, $0.dot(cape))) }.min())
            #expect(nearest * MapFrame.earthRadius < 80, "\(latitude) \(longitude)")
        }
        let inland = GlobePoint(Coordinates(latitude: 48, longitude: 90))
        #expect(points.allSatisfy { acos(min(1, $0.dot(inland))) * MapFrame.earthRadius > 1_500 })
    }
}
