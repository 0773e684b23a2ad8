import Foundation
import StoreSupport
import Testing
import TripFormats
import TripStore

@Suite("An import of what was erased")
struct ErasedImportTests {
    private let trip = Trip.ID(ExportFixture.id(1))
    private let flight = Transportation.ID(ExportFixture.id(11))

    /// Imports an export; with `bringsErased` also what was erased.
    private func run(
        _ export: ExportFixture, into store: TripStore, bringsErased: Bool = false
    ) async throws -> ImportReport {
        var options = ImportOptions()
        options.bringsErased = bringsErased
        return try await export.withFile { [options] in
            try await Importer(store: store, options: options).run(path: $0)
        }
    }

    @Test("An erased trip is left out with its items, and an erased item by itself, until they are asked for")
    func entities() async throws {
        let store = try await TripStore.test()
        let other = ExportFixture.trip(2, flights: [ExportFixture.flight(21)])
        let export = try ExportFixture(
            trips: [ExportFixture.trip(1, flights: [ExportFixture.flight(11), ExportFixture.flight(12)]), other])
        _ = try await run(export, into: store)
        try await store.erase(store.previewErasing(flight))
        try await store.erase(store.previewErasing(Trip.ID(ExportFixture.id(2))))
        let report = try await run(export, into: store)
        #expect(report.events == 0 && report.erased == 2)
        #expect(report.skipped == [.trip: 1, .transportation: 2])
        #expect(report.warnings.count == 2 && report.warnings.allSatisfy { $0.hasSuffix("erased, and is left out.") })
        #expect(try store.entity(flight) == nil && store.items(of: trip).count == 1)

        let asked = try await run(export, into: store, bringsErased: true)
        #expect(asked.created == [.trip: 1, .transportation: 2] && asked.erased == 0)
        // What an import wrote since is an import's as any other.
        let again = try await run(export, into: store)
        #expect(again.events == 0 && again.erased == 0 && again.skipped.isEmpty)
        try await store.expectInvariants()
    }

    @Test("An erased field is left out of every file and named, and what else an import and a person wrote stays")
    func fields() async throws {
        let store = try await TripStore.test()
        let flights = [ExportFixture.flight(11)]
        let export = try ExportFixture(trips: [ExportFixture.trip(1, flights: flights, ["notes": "secret"])])
        _ = try await run(export, into: store)
        try await store.edit(trip, by: "ana") { $0.name = "Lisbon" }
        try await store.erase(store.previewErasing(trip, fields: ["notes"]))
        let report = try await run(export, into: store)
        #expect(report.events == 0 && report.erased == 1 && report.skipped.isEmpty)
        #expect(report.warnings.count == 1 && report.warnings[0].hasSuffix("'notes' was erased, and is left out."))
        #expect(try store.trip(trip)?.name == "Lisbon" && store.trip(trip)?.notes == "")

        let keys = ["notes": "secret 2", "name": "Porto"]
        let newer = try ExportFixture(trips: [ExportFixture.trip(1, flights: flights, keys)])
        let second = try await run(newer, into: store)
        #expect(second.edited == [.trip: 1] && second.overridden == [.trip: 1] && second.erased == 1)
        #expect(try store.trip(trip)?.name == "Porto" && store.trip(trip)?.notes == "")

        let asked = try await run(newer, into: store, bringsErased: true)
        #expect(asked.edited == [.trip: 1] && asked.events == 1 && asked.erased == 0)
        #expect(try store.trip(trip)?.notes == "secret 2")
        let again = try await run(newer, into: store)
        #expect(again.events == 0 && again.erased == 0)
        try await store.expectInvariants()
    }

    @Test("An erasure that was taken back keeps nothing out of an import")
    func takenBack() async throws {
        let phone = try await TripStore.founded(clock: ManualClock(seed: 1))
        let laptop = try await TripStore.test(journal: phone.journal, clock: ManualClock(seed: 2))
        try await phone.grant(.write, to: laptop.replica)
        try await laptop.exchange(with: .store(phone))
        let export = try ExportFixture(trips: [ExportFixture.trip(1, ["notes": "here"])])
        _ = try await run(export, into: laptop)
        try await laptop.exchange(with: .store(phone))
        let erasure = try #require(try await phone.erase(phone.previewErasing(trip)).first)
        #expect(try await run(export, into: phone).erased == 1)
        try await phone.takeBack(erasure)
        let report = try await run(export, into: phone)
        #expect(report.events == 0 && report.erased == 0 && report.unchanged == [.trip: 1])
        #expect(try phone.trip(trip)?.notes == "here")
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("The bytes of an erased attachment do not stay after the file that has them was imported again")
    func attachment() async throws {
        let store = try await TripStore.test()
        let attachment: [String: Any] = [
            "id": ExportFixture.id(31).uuidString, "originalFileName": "passport.pdf", "fileName": "31.pdf",
            "fileSize": 4, "mimeType": "application/pdf", "fileDescription": "", "parentType": "transportation",
            "parentId": ExportFixture.id(11).uuidString, "fileData": Data("scan".utf8).base64EncodedString(),
        ]
        let export = try ExportFixture(
            data: JSONSerialization.data(withJSONObject: [
                "exportInfo": ["version": "1.0", "format": "json"],
                "trips": [ExportFixture.trip(1, flights: [ExportFixture.flight(11)])], "organizations": [Any](),
                "addresses": [Any](), "attachments": [attachment],
            ]))
        _ = try await run(export, into: store)
        let found = try #require(try store.attachments(of: flight).first)
        let content = try #require(found.content)
        func isHere() throws -> Bool {
            try FileManager.default.subpathsOfDirectory(atPath: store.folder.path + "/attachments")
                .contains { $0.contains(content.description) }
        }
        #expect(try isHere())
        try await store.erase(store.previewErasing(found.id))
        #expect(try !isHere())
        let report = try await run(export, into: store)
        #expect(report.skipped == [.own: 1] && report.erased == 1 && report.events == 0)
        #expect(try store.attachments(of: flight).isEmpty && !isHere())
        try await store.expectInvariants()
    }

    @Test("An erased item of a calendar is left out of the calendar")
    func calendar() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let path = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../Tools/samples/calendars/airline-style.ics").standardized.path
        let importer = Importer(store: store, options: ImportOptions(destination: .trip(lisbon)))
        let first = try await importer.run(path: path)
        let items = try store.items(of: lisbon)
        let item = try #require(items.first)
        try await store.erase(store.previewErasing(item.reference))
        let report = try await importer.run(path: path)
        #expect(report.erased == 1 && report.skipped[item.kind] == (first.skipped[item.kind] ?? 0) + 1)
        #expect(try store.items(of: lisbon).count == items.count - 1)
        try await store.expectInvariants()
    }
}
