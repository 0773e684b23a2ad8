import EventLog
import Foundation
import StoreSupport
import Testing
import TravelingSnails
import TripFormats
import TripStore

@Suite("Import of a day of flights")
struct FlightsTests {
    @Test("The first import creates everything under the ids of the file, a trip in one commit with its items")
    func creates() async throws {
        let store = try await TripStore.test()
        let report = try await store.importing(Flights.planned)
        #expect(report.counts == ["created": [.trip: 649, .transportation: 842, .organization: 14]])
        #expect(report.events == 649 + 842 + 14)
        // From a hundred events on each has a quarter more than the one before.
        #expect(report.commits == 8)
        #expect(report.warnings == [])
        let flight = try #require(try store.entity(Transportation.ID(UUID("7242EFBA-33B5-57F3-8F94-77BAC2D8E3F9"))))
        #expect(flight.name == "UA1545 EWR to IAH")
        #expect(flight.mode == .plane)
        #expect(flight.paid == .inFull)
        #expect(flight.cost == Money(minorUnits: 21_000, "USD"))
        #expect(flight.start?.localISO8601.hasPrefix("2013-01-01T05:15:00") == true)
        #expect(flight.start?.zone == "America/New_York")
        #expect(flight.end?.zone == "America/Chicago")
        let trip = try #require(try flight.trip.flatMap { try store.trip($0) })
        #expect(trip.startDay == Day(2013, 1, 1))
        #expect(trip.originalCreation == Date(timeIntervalSince1970: 1_354_363_200))
        let created = try store.history(of: flight.id).map(\.commit.position)
        #expect(created == (try store.history(of: trip.id).map(\.commit.position)))
        try await store.expectInvariants()
    }

    @Test(
        "A later export edits what differs and creates what is new, again it appends nothing, and the older goes back")
    func editsOnce() async throws {
        let store = try await TripStore.test()
        _ = try await store.importing(Flights.planned)
        let report = try await store.importing(Flights.actual)
        #expect(report.created == [.activity: 163])
        #expect(report.deleted.isEmpty && report.restored.isEmpty && report.skipped.isEmpty)
        #expect(try #require(report.edited[.transportation]) > 700)
        let again = try await store.importing(Flights.actual)
        #expect(again.events == 0)
        #expect(again.commits == 0)
        #expect(again.counts.keys.sorted() == ["unchanged"])
        let late = try #require(
            try store.audit(AuditFilter(kind: .transportation, isReversed: true), limit: 1).first?.events.first {
                $0.verb == .edited
            })
        #expect(late.changes.allSatisfy { $0.old?.text != $0.new.text })
        let back = try await store.importing(Flights.planned)
        #expect(back.edited == report.edited)
        #expect(try await store.importing(Flights.planned).events == 0)
        try await store.expectInvariants()
    }

    @Test("Commits name the file by its digest, and the run by one id that begins with the time of the export")
    func marks() async throws {
        let store = try await TripStore.test()
        _ = try await store.importing(Flights.planned)
        let causations = Set(try store.audit(limit: 10).compactMap(\.causation))
        #expect(causations.count == 1)
        let digest = try digest(of: Flights.planned)
        #expect(causations.first?.bytes == Array("FILE".utf8) + Array(digest.bytes.prefix(12)))
        let correlations = Set(try store.audit(limit: 10).compactMap(\.correlation))
        #expect(correlations.count == 1)
        let bytes = try #require(correlations.first).bytes
        // 2013-12-31T00:00:00Z
        #expect(Array(bytes.prefix(6)) == Array(UInt64(1_388_448_000_000).bigEndianBytes.suffix(6)))
        #expect(bytes[6] >> 4 == 8)
        try await store.expectInvariants()
    }

    @Test("A mirror deletes the flights that did not take place, and the plan restores them, each time once")
    func mirrors() async throws {
        let store = try await TripStore.test()
        _ = try await store.importing(Flights.planned)
        _ = try await store.importing(Flights.actual)
        let mirrored = try await store.importing(Flights.actual, mirror: true)
        #expect(mirrored.deleted == [.transportation: 4])
        #expect(mirrored.events == 4)
        let deletion = try #require(try store.audit(AuditFilter(isReversed: true), limit: 1).first)
        let marked = Array("MIRR".utf8) + Array(try digest(of: Flights.actual).bytes.prefix(12))
        #expect(deletion.causation?.bytes == marked)
        #expect(try await store.importing(Flights.actual, mirror: true).events == 0)
        #expect(try await store.importing(Flights.actual).events == 0)

        let restored = try await store.importing(Flights.planned)
        #expect(restored.restored == [.transportation: 4])
        #expect(try await store.importing(Flights.planned).events == 0)
        #expect(try await store.importing(Flights.actual, mirror: true).deleted == [.transportation: 4])
        try await store.expectInvariants()
    }

    @Test("Sums of cost agree with the file's to the cent", arguments: [Flights.planned, Flights.actual])
    func sums(_ path: String) async throws {
        let store = try await TripStore.test()
        _ = try await store.importing(path)
        let file = ExportFile(path: path)
        var count = 0
        try file.forEachTrip { trip in
            count += 1
            let expected = try trip.totalCost?.minorUnits(digits: 2) ?? 0
            let costs = try store.totals(of: Trip.ID(trip.id)).costs
            let sums = expected == 0 ? [] : [CostSum(currency: "USD", minorUnits: Int128(expected))]
            #expect(costs == sums, "\(trip.place)")
        }
        #expect(count == 649)
        try await store.expectInvariants()
    }

    @Test("What a person deleted stays deleted and is counted as skipped, a trip's items with it")
    func staysDeleted() async throws {
        let store = try await TripStore.test()
        _ = try await store.importing(Flights.planned)
        let flight = Transportation.ID(UUID("7242EFBA-33B5-57F3-8F94-77BAC2D8E3F9"))
        let trip = Trip.ID(UUID("2BE0BC0C-5732-59BE-BA12-F02D80948916"))
        let airline = Organization.ID(UUID("9754C585-3749-5834-BBD7-DEAA5465D92F"))
        try await store.delete(flight)
        try await store.delete(trip)
        try await store.delete(airline)
        for path in [Flights.planned, Flights.actual] {
            let report = try await store.importing(path, mirror: true)
            #expect(report.skipped[.transportation] == 2)
            #expect(report.skipped[.trip] == 1)
            #expect(report.skipped[.organization] == 1)
            #expect(try store.entity(flight) == nil)
            #expect(try store.trip(trip) == nil)
        }
        try await store.expectInvariants()
    }

    @Test("A file that is cut off appends nothing, wherever the cut", arguments: [1, 2, 3, 9])
    func cutOff(_ tenths: Int) async throws {
        let store = try await TripStore.test()
        let text = try String(contentsOfFile: Flights.planned, encoding: .utf8)
        let export = Export(trips: [])
        let path = try export.path(writing: String(text.prefix(text.count * tenths / 10)))
        let before = try store.status().position
        let error = await #expect(throws: ExportError.self) { try await store.importing(path) }
        #expect(error?.code == .truncated)
        #expect(error?.place != nil)
        #expect(try store.status().position == before)
        try await store.expectInvariants()
    }

    private func digest(of path: String) throws -> Digest {
        var builder = DigestBuilder()
        builder.add([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        return builder.finish()
    }
}
