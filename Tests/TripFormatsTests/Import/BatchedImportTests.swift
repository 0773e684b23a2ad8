import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("Imports in batches")
struct BatchedImportTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        /// How many items and tracks it brings.
        let items: Int
        /// How many records are left out.
        let faults: Int
        var mapping: String?
        var testDescription: String { name }
    }

    private static let note = String(repeating: "Words that fill the file and say nothing of it. ", count: 5)

    /// Its amounts show only at the end that commas are before fractions; the row of Tea is there twice, and one has no name.
    private static let table: Sample = {
        var rows = ["id;Date;Name;Amount;Notes"]
        for row in 1...9 { rows.append("\(row);2027-05-0\(row);Dinner \(row);\(row).500;\"\(note)\"") }
        rows += ["t;2027-05-10;Tea;3;x", "u;2027-05-11;;4;x", "t;2027-05-12;Tea again;5;x", "z;2027-05-13;Last;6,25;x"]
        return Sample(
            name: "table.csv", text: rows.joined(separator: "\n"), items: 11, faults: 2,
            mapping:
                #"{"source":"t","id":["id"],"columns":{"name":"Name","start":"Date","cost":"Amount","notes":"Notes"}}"#)
    }()

    private static let geojson: Sample = {
        let places = [1, 2, 3, 4, 5, 6, 7, 1, 8].enumerated().map { index, name in
            #"{"type":"Feature","properties":{"name":"Place \#(name)","time":"2027-05-0\#(index + 1)T08:00:00Z"},"#
                + #""geometry":{"type":"Point","coordinates":[7.\#(index),45]}}"#
        }
        let line =
            #"{"type":"Feature","properties":{"name":"Walk"},"geometry":{"type":"LineString","coordinates":[[7,45],[7,46]]}}"#
        let features = (places + [line, places[2], #"{"type":"Feature","geometry":null,"properties":{}}"#])
        // The name of the map stands behind its features.
        return Sample(
            name: "map.geojson",
            text: #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ",\n"))],"name":"Alps"}"#,
            items: 11, faults: 1)
    }()

    private static let gpx: Sample = {
        let places = (1...7).map { #"<wpt lat="45.\#($0)" lon="7"><name>Place \#($0)</name></wpt>"# }
        let track =
            "<trk><name>Walk</name><trkseg>"
            + #"<trkpt lat="45" lon="7"><time>2027-05-01T08:00:00Z</time></trkpt><trkpt lat="46" lon="7"/></trkseg></trk>"#
        return Sample(
            name: "map.gpx", text: MapSample.gpx((places + [track]).joined(separator: "\n")), items: 8, faults: 0)
    }()

    private static let kml: Sample = {
        let places = (1...8).map {
            "<Placemark><name>Place \($0)</name><Point><coordinates>7,45.\($0)</coordinates></Point></Placemark>"
        }
        return Sample(
            name: "map.kml", text: MapSample.kml(places.joined(separator: "\n")), items: 8, faults: 0)
    }()

    private static func event(_ uid: String, _ lines: String) -> String {
        "BEGIN:VEVENT\nUID:\(uid)\n\(lines)\nDESCRIPTION:\(note)\nEND:VEVENT"
    }

    /// The zone is defined last; a changed time and a newer version stand apart from their events, as do the ends of a stay; the nights of
    /// one stay say how those of another count.
    private static let calendar: Sample = {
        var events = [
            event(
                "series@test",
                "SUMMARY:Class\nDTSTART;TZID=Home:20270503T090000\nRRULE:FREQ=DAILY;COUNT=5"
                    + "\nEXDATE;TZID=Home:20270505T090000"),
            event("old@test", "SUMMARY:Old\nSEQUENCE:1\nDTSTART:20270501T100000Z"),
            event("in@test", "SUMMARY:Check-in: Hotel Sol\nDTSTART:20270510T140000Z\nDTEND:20270510T150000Z"),
            event("nights@test", "SUMMARY:Hotel Luna\nDTSTART;VALUE=DATE:20270520\nDTEND;VALUE=DATE:20270524"),
        ]
        for number in 1...8 {
            events.append(event("\(number)@test", "SUMMARY:Museum \(number)\nDTSTART:2027060\(number)T100000Z"))
        }
        events += [
            event("series@test", "SUMMARY:Moved\nRECURRENCE-ID;TZID=Home:20270504T090000\nDTSTART:20270504T150000Z"),
            event("bad@test", "SUMMARY:Without a start"),
            event("out@test", "SUMMARY:Check-out: Hotel Sol\nDTSTART:20270513T090000Z\nDTEND:20270513T100000Z"),
            event("old@test", "SUMMARY:New\nSEQUENCE:2\nDTSTART:20270501T110000Z"),
            event("stay@test", "SUMMARY:Hotel Mar 3 nights\nDTSTART;VALUE=DATE:20270601\nDTEND;VALUE=DATE:20270605"),
            "BEGIN:VTIMEZONE\nTZID:Home\nX-LIC-LOCATION:Europe/Lisbon\nEND:VTIMEZONE",
        ]
        return Sample(
            name: "calendar.ics",
            text: String(decoding: CalendarSample.calendar(events.joined(separator: "\n")), as: UTF8.self), items: 16,
            faults: 2)
    }()

    static let samples = [table, geojson, gpx, kml, calendar]

    private static func importer(
        _ store: TripStore, _ sample: Sample, atOnce limit: Int?, isDryRun: Bool = false, isStrict: Bool = false
    ) throws -> Importer {
        var options = ImportOptions(isDryRun: isDryRun, isStrict: isStrict)
        options.mapping = try sample.mapping.map { try TableMapping(json: Array($0.utf8)) }
        var importer = Importer(store: store, options: options)
        if let limit { importer.recordsAtOnce = limit }
        return importer
    }

    @discardableResult
    private static func withPath<T>(_ sample: Sample, _ body: (String) async throws -> T) async throws -> T {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.path(sample.name)
        try Data(sample.text.utf8).write(to: URL(fileURLWithPath: path))
        return try await body(path)
    }

    /// The trips and their items, without the times of their creation.
    private static func state(_ store: TripStore) throws -> [String] {
        let trips = try (store.trips(.dated).rows + store.trips(.undated).rows).map(\.trip)
        return try trips.flatMap { trip in
            let items = try store.items(of: trip.id).rows.map { item in
                let times = [item.start, item.effectiveEnd].map { $0.map(\.localISO8601) ?? "" }
                let days = [item.startDay, item.effectiveEndDay].map { $0.map { "\($0)" } ?? "" }
                return
                    "\(item.reference.id) \(item.kind.words) \(item.name) \(times) \(days) \(item.stage.rawValue) \(item.cost.map { "\($0)" } ?? "")"
            }
            let files = try store.attachments(of: trip.id).map { "\($0.id) \($0.name) \($0.caption)" }
            let days = [trip.startDay, trip.effectiveEndDay].map { $0.map { "\($0)" } ?? "" }
            return ["\(trip.id) \(trip.name) \(days)"] + items.sorted() + files.sorted()
        }
    }

    private static func counts(_ report: ImportReport) -> [[EntityKind: Int]] {
        [report.created, report.edited, report.unchanged, report.skipped, report.restored, report.overridden]
    }

    @Test(
        "A file in batches of three records brings what it brings in one, and nothing the second time",
        arguments: samples)
    func same(sample: Sample) async throws {
        let (whole, parts) = (try await TripStore.test(), try await TripStore.test())
        try await Self.withPath(sample) { path in
            let expected = try await Self.importer(whole, sample, atOnce: nil).run(path: path)
            let planned = try await Self.importer(parts, sample, atOnce: 3, isDryRun: true).run(path: path)
            let report = try await Self.importer(parts, sample, atOnce: 3).run(path: path)
            #expect(Self.counts(planned) == Self.counts(expected) && planned.events == expected.events)
            #expect(Self.counts(report) == Self.counts(expected) && report.events == expected.events)
            #expect(report.warnings.sorted() == expected.warnings.sorted())
            let state = try Self.state(whole)
            #expect(try Self.state(parts) == state)
            #expect(state.count == sample.items + 1, "\(state)")
            let again = try await Self.importer(parts, sample, atOnce: 3).run(path: path)
            #expect(again.events == 0)
        }
        try await whole.expectInvariants()
        try await parts.expectInvariants()
    }

    @Test("A strict import in batches refuses a file for the same reason, and writes nothing", arguments: samples)
    func strict(sample: Sample) async throws {
        let store = try await TripStore.test()
        try await Self.withPath(sample) { path in
            var errors: [TextFormatError] = []
            for limit in [nil, 3] {
                do {
                    _ = try await Self.importer(
                        store, sample, atOnce: limit, isDryRun: sample.faults == 0, isStrict: true
                    ).run(
                        path: path)
                } catch let error as TextFormatError { errors.append(error) }
            }
            #expect(errors.count == (sample.faults > 0 ? 2 : 0))
            #expect(Set(errors).count <= 1 && errors.allSatisfy { $0.code == .malformed }, "\(errors)")
        }
        #expect(try Self.state(store).isEmpty)
        try await store.expectInvariants()
    }

    @Test(
        "A file of several batches that is cut off is refused before any of them is written",
        arguments: [
            calendar, geojson, gpx, kml,
        ])
    func cutOff(sample: Sample) async throws {
        let store = try await TripStore.test()
        let cut = Sample(name: sample.name, text: String(sample.text.dropLast(20)), items: 0, faults: 0)
        try await Self.withPath(cut) { path in
            await #expect(throws: TextFormatError.self) {
                try await Self.importer(store, cut, atOnce: 3).run(path: path)
            }
        }
        #expect(try Self.state(store).isEmpty)
        try await store.expectInvariants()
    }
}
