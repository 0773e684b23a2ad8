import Foundation
import StoreSupport
import Synchronization
import Testing
import TripFormats
import TripStore

@Suite("Importing files of every format")
struct ImportedFormatsTests {
    private static func sample(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Tools/samples/\(name)").standardized.path
    }

    private static let table = sample("tables/bookings.csv")
    private static let mapping = sample("tables/bookings-mapping.json")

    @Test(
        "One call imports a calendar or a table with progress to its end, and a second time writes nothing",
        arguments: [(sample("calendars/airline-style.ics"), nil), (table, mapping)] as [(String, String?)])
    func progress(path: String, mapping: String?) async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Bookings"))
        let options = ImportOptions(
            destination: .trip(trip), mapping: try mapping.map { try TableMapping(path: $0) })
        let importer = Importer(store: store, options: options)
        let seen = Mutex<[ImportProgress]>([])
        let report = try await importer.run(path: path, by: "ana") { progress in
            seen.withLock { $0.append(progress) }
        }
        let items = try store.items(of: trip)
        #expect(report.commits > 0 && !items.isEmpty)
        #expect(report.created.values.reduce(0, +) == items.count)
        let progress = seen.withLock { $0 }
        #expect(progress.map(\.stage).first == .checking && progress.map(\.stage).last == .importing)
        #expect(progress.last.map { $0.bytesRead == $0.total && $0.total > 0 } == true)
        #expect(try await importer.run(path: path, by: "ana").events == 0)
        try await store.expectInvariants()
    }

    @Test("A dry run of a calendar counts what it would write, and writes nothing")
    func dryRun() async throws {
        let store = try await TripStore.test()
        let position = try store.status().position
        let importer = Importer(store: store, options: ImportOptions(isDryRun: true))
        let report = try await importer.run(path: Self.sample("calendars/hotel-style.ics"))
        #expect(report.events > 0 && report.commits == 0 && report.correlation == nil)
        #expect(try store.status().position == position)
        try await store.expectInvariants()
    }

    @Test("A table without a mapping, and a table that is taken for a calendar, are refused with the file's path")
    func refusals() async throws {
        let store = try await TripStore.test()
        for (format, code) in [
            (nil, TextFormatError.Code.invalidMapping), (ImportOptions.Format.ics, .wrongFormat),
        ] {
            let error = await #expect(throws: TextFormatError.self) {
                let options = ImportOptions(format: format)
                try await Importer(store: store, options: options).run(path: Self.table)
            }
            #expect(error?.code == code && error?.file == Self.table)
        }
        try await store.expectInvariants()
    }
}
