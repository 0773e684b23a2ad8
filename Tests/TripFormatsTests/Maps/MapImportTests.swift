import Foundation
import StoreSupport
import Testing
import TravelingSnails
import TripStore

@testable import TripFormats

@Suite("Importing maps")
struct MapImportTests {
    private static let gpx = MapSample.gpx(
        """
        <metadata><name>Alps</name></metadata><wpt lat="45.1" lon="7.1"><name>Hut</name></wpt>
        <wpt lat="45.2" lon="7.2"><time>2027-06-13T07:00:00Z</time><name>Summit</name></wpt>
        <trk><name>Day 1</name><trkseg><trkpt lat="45" lon="7"><time>2027-06-13T06:00:00Z</time></trkpt>
        <trkpt lat="46" lon="7"><time>2027-06-14T06:00:00Z</time></trkpt></trkseg></trk>
        """)
    private static let kml = MapSample.kml(
        """
        <name>Alps</name><Placemark><name>Hut</name><Point><coordinates>7.1,45.1</coordinates></Point></Placemark>
        <Placemark><name>Day 1</name><LineString><coordinates>7,45 7,46</coordinates></LineString></Placemark>
        """)
    private static let geojson = """
        {"type":"FeatureCollection","name":"Alps","features":[{"type":"Feature","geometry":{"type":"Point",
        "coordinates":[7.1,45.1]},"properties":{"name":"Hut"}},{"type":"Feature","properties":{"name":"Day 1"},
        "geometry":{"type":"LineString","coordinates":[[7,45],[7,46]]}}]}
        """

    private static func run(
        _ text: String, named name: String, into store: TripStore, _ options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return try await Importer(store: store, options: options).run(path: path, by: "ana")
    }

    @Test(
        "Places become activities and tracks attachments of a trip that is called as the map; a second time writes nothing",
        arguments: [(gpx, "a.gpx", 2), (kml, "a.kml", 1), (geojson, "a.geojson", 1)])
    func once(text: String, name: String, places: Int) async throws {
        let store = try await TripStore.test()
        let planned = try await Self.run(text, named: name, into: store, ImportOptions(isDryRun: true))
        #expect(planned.commits == 0 && planned.created == [.trip: 1, .activity: places, .own: 1])
        #expect(try store.trips(.undated).rows.isEmpty && store.trips(.dated).rows.isEmpty)
        let first = try await Self.run(text, named: name, into: store)
        #expect(first.created == planned.created && first.warnings.isEmpty && first.events == planned.events)
        let rows = try store.trips(.dated).rows + store.trips(.undated).rows
        let trip = try #require(rows.first?.trip)
        #expect(rows.count == 1 && trip.name == "Alps")
        let hut = try #require(try store.items(of: trip.id).rows.first { $0.name == "Hut" })
        #expect(hut.address?.coordinates == Coordinates(latitude: 45.1, longitude: 7.1))
        let track = try #require(try store.attachments(of: trip.id).first)
        #expect(
            track.name == "Day 1.\(name.split(separator: ".")[1])" && track.caption.hasPrefix("\(MapSample.degree) m"))
        #expect(try await Self.run(text, named: name, into: store).events == 0)
        try await store.expectInvariants()
    }

    @Test("The attachment of a track is a file of its own that reads as the same track")
    func bytes() async throws {
        for (text, name, format) in [
            (Self.gpx, "a.gpx", MapFile.Format.gpx), (Self.kml, "a.kml", .kml), (Self.geojson, "a.geojson", .geojson),
        ] {
            let store = try await TripStore.test()
            _ = try await Self.run(text, named: name, into: store, ImportOptions(destination: .named("Alps")))
            let rows = try store.trips(.dated).rows + store.trips(.undated).rows
            let trip = try #require(rows.first).trip.id
            let track = try #require(try store.attachments(of: trip).first)
            #expect(track.mediaType == format.mediaType)
            let data = try await store.data(of: track)
            let again = try MapSample.contents("", format, bytes: [UInt8](data))
            #expect(again.places.isEmpty && again.tracks.map(\.name) == ["Day 1"])
            #expect(again.tracks.first?.caption == track.caption)
            try await store.expectInvariants()
        }
    }

    @Test("A file that was replaced after it was read is not cut")
    func replaced() throws {
        try MapSample.withFile(Array(Self.gpx.utf8), named: "a.gpx") { path in
            var map = MapFile(path: path, .gpx)
            let track = try #require(try map.contents(zone: "UTC").contents.tracks.first)
            var pieces = try map.pieces(of: track.range)
            while try pieces.next() != nil {}
            try Data((Self.gpx + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            let error = #expect(throws: ExportError.self) { _ = try map.pieces(of: track.range) }
            #expect(error?.code == .changed)
        }
    }

    @Test("A trip of the map has the days of its places, and without these those of its tracks")
    func days() async throws {
        let store = try await TripStore.test()
        _ = try await Self.run(Self.gpx, named: "a.gpx", into: store)
        let trip = try #require(try store.trips(.dated).rows.first?.trip)
        #expect(trip.startDay == Day(2027, 6, 13) && trip.effectiveEndDay == Day(2027, 6, 13))
        let tracks = MapSample.gpx(
            """
            <metadata><name>Ride</name></metadata><trk><trkseg><trkpt lat="1" lon="2"><time>2027-07-01T10:00:00Z</time></trkpt>
            <trkpt lat="1" lon="3"><time>2027-07-02T10:00:00Z</time></trkpt></trkseg></trk>
            """)
        _ = try await Self.run(tracks, named: "b.gpx", into: store)
        let ride = try #require(try store.trips(.dated).rows.first { $0.trip.name == "Ride" }?.trip)
        #expect(ride.startDay == Day(2027, 7, 1) && ride.effectiveEndDay == Day(2027, 7, 2))
        try await store.expectInvariants()
    }

    @Test("What a person changed stays, a place that moved on the map moves, and a new one comes")
    func newer() async throws {
        let store = try await TripStore.test()
        _ = try await Self.run(Self.gpx, named: "a.gpx", into: store)
        let trip = try #require(try store.trips(.dated).rows.first?.trip)
        let hut = try #require(try store.items(of: trip.id).rows.first { $0.name == "Hut" })
        guard case .activity(let id) = hut.id else { throw Missing() }
        try await store.edit(id) { $0.notes = "booked by phone" }
        let newer = Self.gpx.replacing("lat=\"45.1\"", with: "lat=\"45.3\"").replacing(
            "</metadata>", with: "</metadata><wpt lat=\"1\" lon=\"2\"><name>New</name></wpt>")
        let report = try await Self.run(newer, named: "b.gpx", into: store)
        #expect(report.edited == [.activity: 1] && report.created == [.activity: 1])
        let moved = try #require(try store.items(of: trip.id).rows.first { $0.name == "Hut" })
        #expect(moved.address?.coordinates?.latitude == 45.3 && moved.notes == "booked by phone")
        try await store.expectInvariants()
    }

    @Test("Items and tracks come into the trip that is named")
    func named() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Summer"))
        let report = try await Self.run(
            Self.gpx, named: "a.gpx", into: store, ImportOptions(destination: .trip(trip)))
        #expect(report.created == [.activity: 2, .own: 1])
        #expect(try store.items(of: trip).rows.count == 2 && store.attachments(of: trip).count == 1)
        try await store.expectInvariants()
    }

    @Test("A map that this store wrote changes nothing here, and brings the items into another store")
    func own() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        var place = Activity(name: "Fado", in: trip)
        place.address = Address(
            street: "Rua 1", coordinates: Coordinates(latitude: 38.7112345678, longitude: -9.1))
        let id = try await store.create(place)
        let contents = try #require(try store.read { try $0.contents(of: trip) })
        var writer = GeoJSON()
        let texts = [
            ("own.geojson", writer.text(of: [TripGeography(contents)])),
            ("own.gpx", GPX.text(of: [TripGeography(contents)])),
        ]
        for (file, text) in texts {
            let report = try await Self.run(text, named: file, into: store)
            #expect(report.events == 0 && report.unchanged == [.activity: 1], "\(file)")
            let other = try await TripStore.test()
            #expect(try await Self.run(text, named: file, into: other).created == [.trip: 1, .activity: 1], "\(file)")
            #expect(try other.entity(id)?.name == "Fado")
            try await other.expectInvariants()
        }
        try await store.expectInvariants()
    }

    @Test("Both ends of a journey on a map of another store come from it, and a single end is the right one")
    func ownJourneys() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let (lisbon, porto) = (Coordinates(latitude: 38.5, longitude: -9), Coordinates(latitude: 41, longitude: -8.5))
        var journeys: [Transportation] = []
        for (from, to) in [(lisbon, porto), (nil, porto), (lisbon, nil)] as [(Coordinates?, Coordinates?)] {
            var journey = Transportation(name: "Ride", mode: .train, in: trip)
            journey.departure = TravelPlace(name: "Lisboa")
            journey.arrival = TravelPlace(name: "Porto")
            journey.departure.coordinates = from
            journey.arrival.coordinates = to
            try await store.create(journey)
            journeys.append(journey)
        }
        let contents = try #require(try store.read { try $0.contents(of: trip) })
        var writer = GeoJSON()
        let texts = [
            ("own.geojson", writer.text(of: [TripGeography(contents)])),
            ("own.gpx", GPX.text(of: [TripGeography(contents)])),
        ]
        for (file, text) in texts {
            let other = try await TripStore.test()
            _ = try await Self.run(text, named: file, into: other)
            for journey in journeys {
                let taken = try #require(try other.entity(journey.id), "\(file)")
                #expect(taken.departure.coordinates == journey.departure.coordinates, "\(file)")
                #expect(taken.arrival.coordinates == journey.arrival.coordinates, "\(file)")
            }
            try await other.expectInvariants()
        }
        try await store.expectInvariants()
    }

    @Test(
        "A format that is named and is not that of the file is refused, with the right one",
        arguments: [
            (gpx, "a.json", ImportOptions.Format.json, "gpx"), (geojson, "a.json", .json, "geojson"),
            (gpx, "a.ics", .ics, "gpx"), (kml, "a.gpx", .gpx, "kml"),
        ])
    func wrongFormat(text: String, name: String, format: ImportOptions.Format, found: String) async throws {
        let store = try await TripStore.test()
        let error = await #expect(throws: TextFormatError.self) {
            try await Self.run(text, named: name, into: store, ImportOptions(format: format))
        }
        #expect(error?.code == .wrongFormat && error?.message.contains("Name the format \(found)") == true)
        // Without it the content says it, whatever the name is.
        #expect(try await Self.run(text, named: name, into: store).created[.activity, default: 0] > 0)
        try await store.expectInvariants()
    }

    private struct Missing: Error {}

    @Test("Of over 1,000 warnings all are counted, and the first are kept")
    func warnings() {
        var report = ImportReport()
        for number in 0..<1_500 { report.warn("\(number)") }
        #expect(report.warningCount == 1_500 && report.warnings.count == 1_000 && report.warnings.last == "999")
    }
}
