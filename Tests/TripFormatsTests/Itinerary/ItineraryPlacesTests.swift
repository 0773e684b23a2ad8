import Foundation
import Testing
import TripStore

@testable import TripFormats

@Suite("Places and pictures of itineraries")
struct ItineraryPlacesTests {
    private static let coordinates = Coordinates(latitude: 38.713909, longitude: -9.13342)
    private static let trip = Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 3))

    private static func html(
        _ items: [TripItem], files: [EntityReference: [AttachedFile]] = [:], _ options: ItineraryPage.Options = .init()
    ) async throws -> String {
        let document = TripDocument(contents: TripContents(trip: trip, items: items), attachments: files)
        return try await ItineraryPage.html(document, options).html
    }

    @Test("A place is shown by its name or its address, which lead to a map, and by its coordinates only without them")
    func names() async throws {
        let map =
            "<a href=\"https://www.openstreetmap.org/?mlat=38.713909&amp;mlon=-9.13342#map=16/38.713909/-9.13342\""
            + " title=\"38.71391, -9.13342\" rel=\"noopener noreferrer\">"
        var tram = Activity(name: "Tram", in: nil)
        tram.address = Address(coordinates: Self.coordinates)
        #expect(try await Self.html([.activity(tram)]).contains("<dt>Place</dt><dd>\(map)38.71391, -9.13342</a></dd>"))
        tram.address?.street = "Rua <1>"
        var html = try await Self.html([.activity(tram)])
        #expect(
            html.contains("<dt>Address</dt><dd>\(map)<bdi>Rua &lt;1&gt;</bdi></a></dd>") && !html.contains("<dt>Place"))
        tram.customLocationName = "Stop"
        html = try await Self.html([.activity(tram)])
        #expect(html.contains("<dt>Place</dt><dd>\(map)<bdi>Stop</bdi></a></dd>"))
        #expect(html.contains("<dt>Address</dt><dd><bdi>Rua &lt;1&gt;</bdi></dd>"))
        tram.hidesLocation = true
        html = try await Self.html([.activity(tram)])
        #expect(!html.contains("38.7") && !html.contains("Stop"))
        var train = Transportation(name: "IC", mode: .train, in: nil)
        train.departure = TravelPlace(name: "Oriente", address: Address(coordinates: Self.coordinates))
        train.arrival.coordinates = Coordinates(latitude: 91, longitude: 0)
        html = try await Self.html([.transportation(train)])
        #expect(html.contains("<dt>From</dt><dd>\(map)<bdi>Oriente</bdi></a></dd>") && !html.contains("<dt>To"))
    }

    @Test(
        "The overview, the map and the days come before a trip's own pictures, and each day of the overview leads to its own"
    )
    func order() async throws {
        var (tram, hotel) = (
            Activity(name: "Tram", in: nil, days: Day(2027, 5, 2)...Day(2027, 5, 2)),
            Lodging(name: "Inn", in: nil, days: Day(2027, 5, 1)...Day(2027, 5, 3))
        )
        tram.address = Address(coordinates: Self.coordinates)
        hotel.address = Address(coordinates: Coordinates(latitude: 41.1, longitude: -8.6))
        let root = try #require(Digest(String(repeating: "ab", count: 32)))
        let content = try #require(ContentID(root: root, size: 4))
        let file = AttachedFile(name: "photo", of: Self.trip.reference, content: content)
        var options = ItineraryPage.Options()
        options.embedding = ItineraryPage.Embedding { _ in Data([0xFF, 0xD8, 0xFF, 0]) }
        let html = try await Self.html(
            [.activity(tram), .lodging(hotel)], files: [Self.trip.reference: [file]], options)
        let parts = ["-overview\">Overview<", "-map\">Map<", "-1\">Sun 2 May 2027<", "-files\">Attachments<", "<img "]
        let places = parts.map { html.range(of: $0)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
        let anchor = ItineraryPage.anchor(Self.trip.id)
        #expect(html.contains("<p class=\"date\"><a href=\"#\(anchor)-1\">Sun 2 May</a></p>"))
        #expect(html.contains("id=\"\(anchor)-1\""))
    }
}
