import Foundation
import StoreSupport
import Testing
import TripFormats
import TripStore

@Suite("Records of a file that is imported")
struct ImportedRecordTests {
    private let trip = Trip.ID(UUID(Export.trip))
    private let flight = Transportation.ID(UUID(Export.flight))
    private let airline = Organization.ID(UUID(Export.airline))

    @Test("A bad record is skipped with a warning that names its place and reason, and its neighbours are kept")
    func badRecords() async throws {
        let store = try await TripStore.test()
        let id = { (number: Int) in "00000000-0000-0000-0000-00000000010\(number)" }
        let bad = [
            Export.item(id(1), ["startTZId": "\"Mars/Olympus\""]),
            Export.item(id(2), ["end": "\"2027-05-01T01:00:00Z\""]),
            Export.item(id(3), ["name": "\" \""]), Export.item(id(4), ["cost": "1e40"]),
            Export.item(id(5), ["start": "\"soon\""]), Export.item(Export.flight),
        ]
        let good = Export.trip(flights: [Export.item()] + bad)
        let later = "00000000-0000-0000-0000-00000000000B"
        let worse = Export.trip(later, flights: [Export.item(id(6))], ["name": "\"\""])
        let report = try await store.importing(Export(trips: [good, worse, good]))
        #expect(report.created == [.trip: 1, .transportation: 1])
        #expect(report.skipped == [.trip: 2, .transportation: 14])
        #expect(report.warnings.count == 9)
        for (place, reason) in [
            ("trips[0].embeddedTransportation[1]", "Mars/Olympus"),
            ("trips[0].embeddedTransportation[2]", "before the start"),
            ("trips[0].embeddedTransportation[3]", "is empty"), ("trips[0].embeddedTransportation[4]", "too large"),
            ("trips[0].embeddedTransportation[5]", "soon"), ("trips[0].embeddedTransportation[6]", "used before"),
            ("trips[1]", "is empty"), ("trips[2]", "used before"),
        ] {
            #expect(
                report.warnings.contains { $0.hasPrefix(place) && $0.contains(reason) }, "\(place): \(report.warnings)")
        }
        try await store.expectInvariants()
    }

    @Test("Attachments that cannot be used are left out, each with a warning that has its place, and are counted")
    func attachments() async throws {
        let store = try await TripStore.test()
        let attachment = #"{"id": "x", "fileData": "aGVsbG8="}"#
        let report = try await store.importing(
            Export(trips: [Export.trip()], attachments: [attachment, attachment, attachment]))
        #expect(report.warnings.count == 3)
        for (index, warning) in report.warnings.enumerated() {
            #expect(warning.hasPrefix("attachments[\(index)]") && warning.contains("UUID"), "\(warning)")
        }
        #expect(report.created == [.trip: 1] && report.skipped == [.own: 3])
        try await store.expectInvariants()
    }

    @Test("A trip's days are those of its first item's zone, else of the option, else of UTC")
    func days() async throws {
        for (items, option, start) in [
            ([Export.item(Export.flight, ["startTZId": "\"Asia/Tokyo\""])], "America/New_York", Day(2027, 5, 2)),
            ([], "Asia/Tokyo", Day(2027, 5, 2)), ([], nil, Day(2027, 5, 1)),
            ([Export.item(Export.flight, ["startTZId": "", "endTZId": ""])], "Asia/Tokyo", Day(2027, 5, 2)),
        ] as [([String], String?, Day)] {
            let store = try await TripStore.test()
            let zone = option.flatMap { TimeZone(identifier: $0) }
            let report = try await store.importing(Export(trips: [Export.trip(flights: items)]), timeZone: zone)
            #expect(report.warnings == [])
            #expect(try store.trip(trip)?.startDay == start)
            #expect(try store.trip(trip)?.endDay == Day(2027, 5, 2))
            #expect(try store.entity(flight)?.start?.zone == (items.isEmpty ? nil : "Asia/Tokyo"))
            try await store.expectInvariants()
        }
    }

    @Test("The organization None is none, and one that is nowhere is left out with a warning")
    func organizations() async throws {
        let store = try await TripStore.test()
        let none = "00000000-0000-0000-0000-0000000000A0"
        let nowhere = "00000000-0000-0000-0000-0000000000A2"
        let items = [Export.airline, none, nowhere].enumerated().map { number, organization in
            Export.item("00000000-0000-0000-0000-00000000010\(number)", ["organizationId": "\"\(organization)\""])
        }
        let report = try await store.importing(
            Export(
                trips: [Export.trip(flights: items)],
                organizations: [Export.organization(none, "None"), Export.organization(Export.airline, "TAP")]))
        #expect(report.created == [.trip: 1, .transportation: 3, .organization: 1])
        #expect(report.warnings.count == 1)
        #expect(report.warnings.first?.contains(nowhere) == true)
        #expect(Set(try store.items(of: trip).map(\.organization)) == [airline, nil])

        // For a later file without organizations, those of the store count.
        let later = try await store.importing(Export(trips: [Export.trip(flights: items)]))
        #expect(later.events == 0)
        try await store.expectInvariants()
    }

    @Test("A cost with more decimals than its currency has is taken rounded, with a warning; binary fractions are none")
    func tooManyDecimals() async throws {
        let store = try await TripStore.test()
        for (cost, units, count) in [("12.345", 1234, 1), ("29.849999999999998", 2985, 0)] {
            let item = Export.item(Export.flight, ["cost": cost])
            let report = try await store.importing(Export(trips: [Export.trip(flights: [item])]))
            #expect(report.warnings.count == count && report.warnings.allSatisfy { $0.contains(cost) })
            #expect(try store.entity(flight)?.cost == Money(minorUnits: Int64(units), "USD"))
        }
        try await store.expectInvariants()
    }

    @Test("A cost of nothing is no cost, and unknown words are taken as none or other with a warning")
    func words() async throws {
        let store = try await TripStore.test()
        let item = Export.item(Export.flight, ["cost": "0.0", "paid": "\"half\"", "type": "\"rocket\""])
        let report = try await store.importing(Export(trips: [Export.trip(flights: [item])]))
        let stored = try #require(try store.entity(flight))
        #expect(stored.cost == nil)
        #expect(stored.paid == .none)
        #expect(stored.mode == .other)
        #expect(report.warnings.count == 2)
        try await store.expectInvariants()
    }
}
