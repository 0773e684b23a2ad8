import Foundation
import Testing

@testable import TravelingSnails

@Suite struct ExportFileTests {
    private func date(_ text: String) -> Date? { ISO8601DateFormatter().date(from: text) }

    @Test func theSummaryTellsWhatStandsOutsideTheTrips() throws {
        let summary = try Reading(Sample.whole).summary
        #expect(summary.info == ExportInfo(version: "1.0", timestamp: date("2013-12-31T00:00:00Z")))
        #expect(summary.tripCount == 2 && summary.itemCount == 3 && summary.attachmentCount == 1)
        #expect(summary.problems.isEmpty)
        let airline = try #require(summary.organizations.first)
        #expect(airline.id.uuidString == Sample.airlineID)
        let texts = [airline.name, airline.phone, airline.email, airline.website, airline.logoURL]
        #expect(texts == ["United", "1", "2", "3", "4"])
        let address = try #require(airline.address)
        #expect(address.id?.uuidString == "00000000-0000-0000-0000-0000000000AD")
        #expect(address.latitude == 29.76 && address.longitude == -95.37)
        let parts = [address.street, address.city, address.state, address.country, address.postalCode]
        #expect(parts == ["1 Main St", "Houston", "TX", "USA", "77001"])
        #expect(address.formatted == "1 Main St, Houston")
        #expect(address.place.path == "organizations[0].address")
    }

    @Test func latitudeAndLongitudeZeroAreUnknown() throws {
        let address = try #require(try Reading(Sample.whole).summary.addresses.first)
        #expect(address.latitude == nil && address.longitude == nil && address.city == "Houston")
    }

    @Test func aTripComesWithAllItsFields() throws {
        let trips = try Reading(Sample.whole).trips
        #expect(trips.count == 2)
        let trip = try #require(trips.first)
        #expect(trip.id.uuidString == Sample.tripID)
        #expect(trip.name == "N14228 on 2013-01-01" && trip.notes == "To IAH")
        #expect(trip.createdDate == date("2012-12-01T12:00:00Z"))
        #expect(trip.startDate == date("2013-01-01T05:00:00Z"))
        #expect(trip.endDate == nil, "the date beside a false flag is a stand-in")
        #expect(trip.isProtected && trip.totalCost?.text == "360.0")
        #expect(trip.items.map(\.kind) == [.transportation, .lodging, .activity])
        #expect(trip.problems.isEmpty)
        #expect(trip.place == Place(path: "trips[0]", line: 9, column: 3, offset: trip.place.offset))
    }

    @Test func aTransportationComesWithAllItsFields() throws {
        let flight = try #require(try Reading(Sample.whole).trips.first?.items.first)
        #expect(flight.id.uuidString == Sample.flightID)
        #expect(flight.name == "UA1545 EWR to IAH" && flight.mode == "plane")
        #expect(flight.start == date("2013-01-01T10:15:00Z") && flight.end == date("2013-01-01T14:19:00Z"))
        #expect(flight.startTimeZone == "America/New_York" && flight.endTimeZone == "America/Chicago")
        #expect(flight.cost?.text == "210.0" && flight.paid == "infull" && flight.reservation == "UA1545")
        #expect(flight.notes == "1400 miles" && flight.organizationID?.uuidString == Sample.airlineID)
        #expect(flight.customLocationName == "" && !flight.hidesLocation)
        #expect(flight.place.path == "trips[0].embeddedTransportation[0]")
    }

    @Test func aLodgingAndAnActivityComeWithWhatTheyHave() throws {
        let items = try #require(try Reading(Sample.whole).trips.first?.items)
        try #require(items.count == 3)
        #expect(items[1].name == "Hôtel 東京 😀" && items[1].reservation == "R-7" && items[1].organizationID == nil)
        #expect(items[1].customLocationName == "By the sea" && items[1].hidesLocation)
        #expect(items[1].mode == nil && items[1].paid == nil && items[1].startTimeZone == nil)
        #expect(items[2].name == "A \"walk\" é😀\n")
        #expect(items[2].cost == nil)
        #expect(items[2].start == date("2013-01-02T11:00:00Z")?.addingTimeInterval(0.5))
    }

    @Test func missingFieldsTakeDefaults() throws {
        let trip = try #require(try Reading(Sample.whole).trips.last)
        #expect(trip.name == "" && trip.notes == "" && !trip.isProtected && trip.items.isEmpty && trip.problems.isEmpty)
        #expect(trip.createdDate == nil && trip.startDate == nil && trip.endDate == nil && trip.totalCost == nil)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func theOrderOfKeysDoesNotMatter(seed: UInt64) throws {
        var generator = Seeded(seed)
        let shuffled = Sample.whole.shuffled(using: &generator).written()
        #expect(shuffled != Sample.whole.written())
        #expect(try Reading(shuffled.utf8).withoutPlaces == Reading(Sample.whole).withoutPlaces, "seed \(seed)")
    }

    @Test(arguments: [1, 2, 3, 7, 64]) func theSizeOfAChunkDoesNotMatter(chunk: Int) throws {
        let bytes = Array(Sample.whole.written().utf8)
        let whole = try Reading(bytes)
        #expect(try Reading(bytes, limits: ReaderLimits(chunk: chunk)).withPlaces == whole.withPlaces)
    }

    @Test func aByteOrderMarkAndAnyWhiteSpaceAreTolerated() throws {
        let spaced = Sample.whole.written().replacing("\n", with: "\r\n\t ")
        let reading = try Reading([0xEF, 0xBB, 0xBF] + Array("\n \(spaced) \t\r\n".utf8))
        #expect(try reading.withoutPlaces == Reading(Sample.whole).withoutPlaces)
        #expect(reading.trips.first?.place.line == 10)
    }

    @Test func ofAKeyThatComesTwiceTheLastCounts() throws {
        let text = Sample.whole.written()
        let again = #"{"trips": [{"id": 5}], "exportInfo": 1, "attachments": [1, 2, 3], "addresses": [7],"#
        let once = try Reading(Sample.whole)
        let twice = try Reading((again + text.dropFirst()).utf8)
        #expect(twice.withoutPlaces == once.withoutPlaces)

        let later = try Reading((text.dropLast() + #","trips": [], "organizations": null}"#).utf8)
        #expect(later.trips.isEmpty && later.summary.tripCount == 0 && later.summary.organizations.isEmpty)

        let fields = #"{"id": 7, "name": [], "id": "\#(Sample.tripID)", "name": "a", "name": "b"}"#
        let trip = try #require(try Reading(Sample.with(trips: [.raw(fields)])).trips.first)
        #expect(trip.name == "b")
    }

    @Test("A key that comes twice is named with its place, in whatever object; the same key in another object is not")
    func repeatedKeysAreNamed() throws {
        #expect(try Reading(Sample.whole).summary.repetitions.isEmpty)
        let fields = #"{"id": "\#(Sample.tripID)", "name": "a", "name": "b", "other": {"name": 1, "id": 2, "id": 3}}"#
        let found = try Reading(Sample.with(trips: [.raw(fields)])).summary
        #expect(found.repetitions.map(\.place.path) == ["trips[0].name", "trips[0].other.id"])
        #expect(found.repetitions.allSatisfy { $0.reason.contains("is there twice") && $0.leftOut.isEmpty })
        #expect(found.problems.isEmpty && found.tripCount == 1)
        let again = String(repeating: ", \"name\": \"b\"", count: 300)
        let many = "{\"id\": \"\(Sample.tripID)\", \"name\": \"a\"\(again)}"
        #expect(try Reading(Sample.with(trips: [.raw(many)])).summary.repetitions.count == 100)
    }

    @Test func keysMayBeWrittenWithEscapes() throws {
        let text = Sample.whole.written().replacing("\"trips\"", with: #""\u0074rip\u0073""#)
        #expect(try Reading(text.utf8).withoutPlaces == Reading(Sample.whole).withoutPlaces)
    }

    @Test func progressRisesToTheSizeOfTheFile() throws {
        let bytes = Array(Sample.whole.written().utf8)
        let file = try TemporaryFile(bytes)
        let export = ExportFile(path: file.path, limits: ReaderLimits(chunk: 100))
        for pass in 1...2 {
            var seen: [Int64] = []
            let note = { (read: Int64, total: Int64) in
                seen.append(read)
                #expect(total == Int64(bytes.count))
            }
            if pass == 1 {
                _ = try export.scan(progress: note)
            } else {
                try export.forEachTrip(progress: note) { _ in }
            }
            #expect(seen == seen.sorted() && seen.count > 5 && seen.last == Int64(bytes.count))
        }
    }

    @Test func theSecondPassStopsAtTheErrorOfItsCaller() throws {
        struct Enough: Error {}
        let file = try TemporaryFile(Sample.whole.written().utf8)
        var seen = 0
        #expect(throws: Enough.self) {
            try ExportFile(path: file.path).forEachTrip { _ in
                seen += 1
                throw Enough()
            }
        }
        #expect(seen == 1)
    }
}
