import Events
import Foundation
import Logging
import ProjectionEngine
import StoreSupport
import Testing
import TripStore

@Suite("Opening again")
struct ReopeningTests {
    /// Trips by their names.
    private struct Names: Projection {
        let name = "names"
        let version: UInt32 = 1

        func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
            throws(WireError)
        {
            guard let id = Trip.ID(entity), try record.isPresent() else { return }
            sink.put(Array(try Trip(id: id, record: record).name.utf8.prefix(100)) + [0] + id.uuid.bytes, [])
        }
    }

    private static func options(isReadOnly: Bool, projections: [any Projection] = []) -> TripStore.Options {
        var options = TripStore.Options(
            access: isReadOnly ? .readOnly : .readWrite, mapSize: 1 << 30, projections: projections)
        options.logger.logLevel = .critical
        return options
    }

    private static func removeViews(in folder: TemporaryFolder) throws {
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("views"))
    }

    @Test("After a kill and without views a store opens for writing as soon as opening it for reading was refused")
    func refusedForReading() async throws {
        let folder = TemporaryFolder()
        _ = try KilledProcess.run([folder.url.path], lines: 20)
        for round in 0..<200 {
            try Self.removeViews(in: folder)
            await #expect(throws: TripStoreError.self, "round \(round)") {
                _ = try await TripStore.open(at: folder.url, options: Self.options(isReadOnly: true))
            }
            let store = try await TripStore.open(at: folder.url, options: Self.options(isReadOnly: false))
            try #require(!store.isReadOnly)
            await store.close()
        }
        let store = try await TripStore.open(at: folder.url, options: Self.options(isReadOnly: false))
        try await store.expectInvariants()
    }

    @Test("A store that was read and dropped opens for writing at once", arguments: [false, true])
    func dropped(hasAppViews: Bool) async throws {
        let folder = TemporaryFolder()
        let projections: [any Projection] = hasAppViews ? [Names()] : []
        _ = try await TripStore.test(at: folder.url).create(Trip(name: "Lisbon"))
        for round in 0..<200 {
            try await Self.read(folder, projections)
            let store = try await TripStore.open(
                at: folder.url, options: Self.options(isReadOnly: false, projections: projections))
            try await store.create(Trip(name: "\(round)"))
            await store.close()
        }
        let store = try await TripStore.open(at: folder.url, options: Self.options(isReadOnly: false))
        try await store.expectInvariants()
    }

    /// Opens for reading, waits until the views show the log, and closes.
    private static func read(_ folder: TemporaryFolder, _ projections: [any Projection]) async throws {
        let store = try await TripStore.open(
            at: folder.url, options: options(isReadOnly: true, projections: projections))
        try await store.catchUp()
        #expect(try !store.trips(.undated).rows.isEmpty)
        await store.close()
    }
}
