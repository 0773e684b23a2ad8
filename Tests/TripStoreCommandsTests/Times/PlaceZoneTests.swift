import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("Zones of places")
struct PlaceZoneTests {
    @Test("Each airport is in one zone, which is known here")
    func airports() {
        let words = AirportZones.table.split(separator: "\n").map { $0.split(separator: " ") }
        let codes = words.flatMap { $0.dropFirst() }
        #expect(codes.count > 200 && Set(codes).count == codes.count)
        #expect(codes.allSatisfy { $0.wholeMatch(of: /[A-Z]{3}/) != nil })
        #expect(words.filter { TimeZone(identifier: String($0[0])) == nil } == [])
    }

    @Test("Airports and cities that a zone is called after have it; other names have none")
    func names() {
        #expect(PlaceZone.zone(of: "JFK") == "America/New_York")
        #expect(PlaceZone.zone(of: "new york") == "America/New_York")
        #expect(PlaceZone.zone(of: "São Paulo") == "America/Sao_Paulo")
        for name in ["", "Matsue", "UTC", "jfk", "Europe"] { #expect(PlaceZone.zone(of: name) == nil, "\(name)") }
    }

    @Test("A name that is a word, or is of several places, has no zone: that of the trip is taken")
    func ambiguous() async throws {
        for name in ["Center", "Petersburg", "Easter", "Belém", "Santiago", "Mérida", "San Juan", "Norfolk"] {
            #expect(PlaceZone.zone(of: name) == nil, "\(name)")
        }
        for name in ["Indianapolis", "Buenos Aires", "Santo Domingo", "Perth"] {
            #expect(PlaceZone.zone(of: name) != nil, "\(name)")
        }
        let tool = try await Tool.planning()
        let line = ["add", "activity", "--name", "Tower", "--trip", "Lisbon", "--custom-location-name", "Belém"]
        #expect(await tool.plan(line + ["--start", "3 may 10:00"]).code == 0)
        #expect(Tool.words(try await tool.lastItem()["start"]) == "2027-05-03T10:00:00+01:00 Europe/Lisbon")
        await tool.expectInvariants()
    }

    @Test("The place that another item of the trip has tells the zone before any table")
    func neighbour() {
        var outbound = Transportation(name: "Out", in: nil)
        outbound.arrival = TravelPlace(code: "LIS")
        outbound.end = Moment(milliseconds: 0, zone: "Atlantic/Madeira")
        var back = Transportation(name: "Back", in: nil)
        back.departure = TravelPlace(code: "lis")
        back.arrival = TravelPlace(name: "Frankfurt Airport", code: "FRA")
        let others = [TripItem.transportation(outbound)]
        let start = PlaceZone.of(.transportation(back), atEnd: false, among: others)
        #expect(start?.zone == "Atlantic/Madeira" && start?.place == "LIS")
        #expect(PlaceZone.of(.transportation(back), atEnd: true, among: others)?.zone == "Europe/Berlin")
        #expect(PlaceZone.of(.transportation(back), atEnd: false, among: [])?.zone == "Europe/Lisbon")
        let named = TripItem.transportation(Transportation(name: "LH400 FRA-JFK", in: nil))
        #expect(PlaceZone.of(named, atEnd: false, among: [])?.zone == "Europe/Berlin")
        #expect(PlaceZone.of(named, atEnd: true, among: [])?.zone == "America/New_York")
        for name in ["LOS ANGELES - SAN DIEGO", "FRA via MUC to JFK", "FRA"] {
            let other = TripItem.transportation(Transportation(name: name, in: nil))
            #expect(PlaceZone.of(other, atEnd: false, among: []) == nil, "\(name)")
        }
        let spoken = TripItem.transportation(Transportation(name: "From FRA to JFK", in: nil))
        #expect(PlaceZone.of(spoken, atEnd: false, among: [])?.zone == "Europe/Berlin")
        #expect(PlaceZone.of(.activity(Activity(name: "FRA", in: nil)), atEnd: false, among: []) == nil)
    }
}
