import Foundation
import Testing
import TripFormats
import TripStore

@Suite("Trips on maps")
struct TripGeographyTests {
    private static let trip = Trip(name: "Lisbon & \"back\"", days: Day(2027, 5, 1)...Day(2027, 5, 8))

    private static func place(_ latitude: Double, _ longitude: Double, street: String = "") -> Address {
        Address(street: street, coordinates: Coordinates(latitude: latitude, longitude: longitude))
    }

    private static func journey(_ from: Coordinates?, _ to: Coordinates?) -> TripItem {
        var journey = Transportation(name: "TP 1", mode: .plane, in: trip.id)
        journey.departure = TravelPlace(name: "Lisboa", code: "LIS")
        journey.arrival = TravelPlace(name: "Tokyo")
        journey.departure.coordinates = from
        journey.arrival.coordinates = to
        return .transportation(journey)
    }

    private static func geography(_ items: TripItem..., days: ClosedRange<Day>? = nil) -> TripGeography {
        TripGeography(TripContents(trip: trip, items: items), days: days)
    }

    /// The geometry of the first feature.
    private static func geometry(_ geography: TripGeography) throws -> NSDictionary {
        var geoJSON = GeoJSON()
        let text = geoJSON.text(of: [geography])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let feature = try #require((object["features"] as? [[String: Any]])?.first)
        return try #require(feature["geometry"] as? NSDictionary)
    }

    @Test(
        "A place with coordinates is a point, longitude first; what hides its place, or has none, is counted and left out"
    )
    func places() throws {
        var hidden = Activity(name: "Secret", in: Self.trip.id)
        hidden.hidesLocation = true
        hidden.address = Self.place(1, 2)
        var off = Activity(name: "Off", in: Self.trip.id)
        off.address = Self.place(91, 0)
        var inn = Lodging(name: "Inn", in: Self.trip.id)
        inn.address = Self.place(38.72230005, -9.13930004, street: "Rua 1")
        let geography = Self.geography(
            .activity(hidden), .activity(off), .activity(Activity(name: "Walk", in: Self.trip.id)), .lodging(inn))
        #expect(geography.places.map(\.item.name) == ["Inn"] && geography.places.first?.address == "Rua 1")
        #expect(geography.hidden.map(\.name) == ["Secret"])
        #expect(geography.withoutCoordinates.map(\.name) == ["Off", "Walk"])
        #expect(try Self.geometry(geography) == ["type": "Point", "coordinates": [-9.1393, 38.7223001]])
    }

    @Test("A journey with one end that has coordinates is a point there")
    func halves() {
        let here = Coordinates(latitude: 38.7, longitude: -9.1)
        let geography = Self.geography(Self.journey(here, nil), Self.journey(nil, here), Self.journey(nil, nil))
        #expect(geography.places.map(\.role) == [.departure, .arrival] && geography.routes.isEmpty)
        #expect(geography.places.map(\.address) == ["Lisboa (LIS)", "Tokyo"])
        #expect(geography.withoutCoordinates.count == 1)
    }

    @Test(
        "A route is a line, and cut in two at the antimeridian where the shorter way crosses it",
        arguments: [
            (-9.0, 10.0, "[[[-9,10],[10,20]]]"), (-179.0, 0.0, "[[[-179,10],[0,20]]]"),
            (170.0, -170.0, "[[[170,10],[180,15]],[[-180,15],[-170,20]]]"),
            (-160.0, 160.0, "[[[-160,10],[-180,15]],[[180,15],[160,20]]]"),
            (180.0, -170.0, "[[[-180,10],[-170,20]]]"), (170.0, -180.0, "[[[170,10],[180,20]]]"),
            (-90.0, 90.0, "[[[-90,10],[90,20]]]"),
        ])
    func routes(from: Double, to: Double, lines: String) throws {
        let geography = Self.geography(
            Self.journey(Coordinates(latitude: 10, longitude: from), Coordinates(latitude: 20, longitude: to)))
        let expected = try #require(try JSONSerialization.jsonObject(with: Data(lines.utf8)) as? [Any])
        let geometry = try Self.geometry(geography)
        #expect(geometry["type"] as? String == (expected.count == 1 ? "LineString" : "MultiLineString"))
        let found = expected.count == 1 ? [geometry["coordinates"] ?? 0] : geometry["coordinates"] as? [Any] ?? []
        #expect((found as NSArray).isEqual(expected as NSArray), "\(geometry)")
    }

    @Test("Only items that touch the days are on the map")
    func days() {
        var early = Activity(name: "Early", in: Self.trip.id, days: Day(2027, 5, 1)...Day(2027, 5, 2))
        early.address = Self.place(1, 2)
        var late = Activity(
            name: "Late", in: Self.trip.id, from: Moment(milliseconds: 1_809_648_000_000, zone: "Asia/Tokyo"))
        late.address = Self.place(3, 4)
        var open = Activity(name: "Open", in: Self.trip.id)
        open.address = Self.place(5, 6)
        let items: [TripItem] = [.activity(early), .activity(late), .activity(open)]
        func names(_ days: ClosedRange<Day>?) -> [String] {
            TripGeography(TripContents(trip: Self.trip, items: items), days: days).places.map(\.item.name)
        }
        #expect(names(nil) == ["Early", "Late", "Open"])
        #expect(names(Day(2027, 5, 2)...Day(2027, 5, 3)) == ["Early"])
        #expect(names(late.start.map { $0.localDay...$0.localDay }) == ["Late"])
    }

    @Test("GPX escapes texts, replaces what XML has no form for, and has the antimeridian in the west")
    func gpx() {
        var activity = Activity(name: "A<b>&\"'\u{1}\u{FFFE}\r\n é", in: Self.trip.id)
        activity.address = Self.place(-0.00000001, 180)
        let text = GPX.text(of: [Self.geography(.activity(activity))])
        #expect(text.contains("<name>A&lt;b&gt;&amp;&quot;&apos;\u{FFFD}\u{FFFD}&#xD;\n é</name>"))
        #expect(text.contains("<wpt lat=\"0\" lon=\"-180\">"))
        #expect(text.contains("<bounds minlat=\"0\" minlon=\"-180\" maxlat=\"0\" maxlon=\"-180\"/>"))
        #expect(text == GPX.text(of: [Self.geography(.activity(activity))]))
    }
}
