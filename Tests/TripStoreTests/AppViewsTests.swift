import EventLog
import Events
import Foundation
import Logging
import ProjectionEngine
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripProjections
import TripStore
import TripStoreProjections
import TripStoreTestSupport

@Suite("Views of an app's own projections")
struct AppViewsTests {
    private static func byDestination(version: UInt32 = 1, fails: Bool = false) -> any Projection {
        Destinations(version: version, fails: fails)
    }

    /// Trips by destination; fails on "Atlantis" if switched on.
    private struct Destinations: Projection {
        let name = "by-destination"
        var version: UInt32
        var fails: Bool

        func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
            throws(WireError)
        {
            guard let id = Trip.ID(entity), try record.isPresent() else { return }
            let trip = try Trip(id: id, record: record)
            if fails && trip.destination == "Atlantis" { throw WireError("there is no Atlantis") }
            sink.put(Array(trip.destination.utf8.prefix(100)) + [0] + id.uuid.bytes, [UInt8(version)])
        }
    }

    private func open(_ folder: TemporaryFolder, _ projections: [any Projection]) async throws -> TripStore {
        let options = TripStore.Options(
            mapSize: 1 << 30, projections: projections,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            dependencies: ManualClock().dependencies)
        return try await TripStore.open(at: folder.url, options: options)
    }

    private func destinations(_ views: borrowing ViewSnapshot) throws -> [String] {
        try views.rows(of: "by-destination").map { String(decoding: $0.key.dropLast(17), as: UTF8.self) }
    }

    /// Checks everything except the app's own views.
    private func expectOnlyAppFault(_ store: TripStore) async throws {
        let violations = try await store.violatedInvariants()
        #expect(violations.count == 1)
        #expect(violations.allSatisfy { $0.hasPrefix("views of the app") })
    }

    @Test("Where their file is damaged they are built anew like the others, and the status says why")
    func damaged() async throws {
        let folder = TemporaryFolder()
        do {
            let store = try await open(folder, [Self.byDestination()])
            for number in 0..<40 { try await store.create(Trip(name: "a", destination: "City \(number)")) }
            try await store.appViews.catchUp()
            await store.close()
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("views/app")) {
            let generation = folder.path("views/app/\(name)")
            let descriptor = Foundation.open(generation + "/in-use", O_RDONLY)
            // Threads release their objects a moment after the store was closed.
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 { await Task.yield() }
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: generation + "/data.mdb"))
            let size = try file.seekToEnd()
            try file.seek(toOffset: 8192)
            try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 8192))
            try file.close()
            close(descriptor)
        }
        let store = try await open(folder, [Self.byDestination()])
        try await store.appViews.catchUp()
        #expect(try store.appViews.read { try destinations($0) }.count == 40)
        let status = try store.status()
        #expect(status.rebuilt.keys.sorted() == ["app"])
        #expect(status.rebuilt["app"]?.contains("page ") == true, "\(status.rebuilt)")
        try await store.expectInvariants()
        await store.close()
    }

    @Test("They are built in the background from what is there, and follow what comes")
    func follow() async throws {
        let folder = TemporaryFolder()
        do {
            let store = try await open(folder, [])
            try await store.create(Trip(name: "a", destination: "Lisboa"))
            #expect(throws: TripStoreError.self) { try store.appViews.read { $0.position } }
            await store.close()
        }
        let store = try await open(folder, [Self.byDestination()])
        try await store.appViews.catchUp()
        #expect(try store.appViews.read(destinations) == ["Lisboa"])
        let porto = try await store.create(Trip(name: "b", destination: "Porto"))
        try await store.appViews.catchUp()
        #expect(try store.appViews.read(destinations) == ["Lisboa", "Porto"])
        #expect(try store.appViews.read { try $0.entity(porto)?.name } == "b")
        #expect(try store.appViews.position == store.status().position)
        for view in try await store.appViews.compare(at: TemporaryFolder.unowned()) { #expect(view.difference == nil) }
        try await store.expectInvariants()
    }

    @Test("Rows are lent one by one until enough were seen")
    func lentRows() async throws {
        let folder = TemporaryFolder()
        let store = try await open(folder, [Self.byDestination()])
        for destination in ["Porto", "Faro", "Lisboa", "Leiria"] {
            try await store.create(Trip(name: "trip", destination: destination))
        }
        try await store.appViews.catchUp()
        try store.appViews.read { views in
            let all = try views.rows(of: "by-destination")
            var found: [[UInt8]] = []
            let last = try #require(all.last?.key)
            try views.forEachRow(of: "by-destination", KeyBounds(prefix: [], isReversed: true)) { key, value in
                found.append([UInt8](key))
                #expect([UInt8](value) == [1])
                return found.count < 3
            }
            #expect(found == Array(all.map(\.key).reversed().prefix(3)))
            #expect(try views.get(last, in: "by-destination") == [1])
            #expect(try views.get([1], in: "by-destination") == nil)
            let trip = try #require(Trip.ID(endOf: last))
            #expect(try views.withRecord(of: trip.reference) { try $0.isPresent() } == true)
            #expect(try views.withRecord(of: Trip.ID.new().reference) { try $0.isPresent() } == nil)
        }
    }

    @Test("A live query of them runs again when what it read changes, and at no other time")
    func live() async throws {
        let folder = TemporaryFolder()
        let store = try await open(folder, [Self.byDestination()])
        try await store.appViews.catchUp()
        let runs = Mutex(0)
        var query = try store.appViews.live { views in
            runs.withLock { $0 += 1 }
            var count = 0
            try views.forEachRow(of: "by-destination", KeyBounds(prefix: Array("Lis".utf8))) { _, _ in
                count += 1
                return true
            }
            return count
        }.makeAsyncIterator()
        #expect(try await query.next() == 0)
        for destination in ["Porto", "Faro", "Lisboa"] {
            try await store.create(Trip(name: "trip", destination: destination))
            try await store.appViews.catchUp()
        }
        #expect(try await query.next() == 1)
        #expect(runs.withLock { $0 } == 2)
        try await store.expectInvariants()
    }

    @Test("A fault stops the app's group alone, shows with the commit at fault, and ends with a newer version")
    func fault() async throws {
        let folder = TemporaryFolder()
        var store = try await open(folder, [Self.byDestination(fails: true)])
        try await store.appViews.catchUp()
        try await store.create(Trip(name: "a", destination: "Lisboa"))
        let atlantis = try await store.append([.created(Trip(name: "b", destination: "Atlantis"))])
        try await store.create(Trip(name: "c", destination: "Porto"))
        await #expect { try await store.appViews.catchUp() } throws: { "\($0)".contains("no Atlantis") }
        let fault = try #require(store.appViews.fault)
        #expect(fault.view == "by-destination")
        #expect(fault.position == atlantis.position)
        #expect(try store.appViews.read(destinations) == ["Lisboa"])
        #expect(try store.appViews.position == atlantis.position - 1)
        // Everything else continues.
        #expect(try store.trips(.undated).rows.count == 3)
        #expect(try store.status().fault == nil)
        #expect(try store.status().faults["app"] == fault)
        // Processes that do not have the projection see it as well.
        let reader = try await TripStore.open(at: folder.url, options: .readOnly)
        #expect(try reader.status().faults["app"]?.position == atlantis.position)
        try await expectOnlyAppFault(store)
        await store.close()

        store = try await open(folder, [Self.byDestination(version: 2)])
        try await store.appViews.catchUp()
        #expect(try store.appViews.read(destinations) == ["Atlantis", "Lisboa", "Porto"])
        #expect(try store.status().faults == [:])
        try await store.expectInvariants()
    }

    @Test("Once the projection is corrected, or is not given any more, the fault is gone everywhere")
    func forgotten() async throws {
        let folder = TemporaryFolder()
        for mended in [[Self.byDestination()], []] {
            var store = try await open(folder, [Self.byDestination(fails: true)])
            try await store.create(Trip(name: "b", destination: "Atlantis"))
            await #expect(throws: (any Error).self) { try await store.appViews.catchUp() }
            #expect(try store.status().faults["app"] != nil)
            await store.close()
            // The same version, as if the cause had been outside of it.
            store = try await open(folder, mended)
            if !mended.isEmpty { try await store.appViews.catchUp() }
            let faults = try store.status().faults
            #expect(faults.isEmpty, "\(faults), \(mended.count) projections")
            try await store.expectInvariants()
            await store.close()
        }
    }

    @Test("What a process without the projections writes shows, too")
    func otherWriter() async throws {
        let folder = TemporaryFolder()
        let store = try await open(folder, [Self.byDestination()])
        try await store.appViews.catchUp()
        let other = try await open(folder, [])
        try await other.create(Trip(name: "a", destination: "Lisboa"))
        // A read notices that there is work.
        while try store.appViews.read(destinations) != ["Lisboa"] { await Task.yield() }
        try await store.expectInvariants()
    }

    @Test("A fault in what was there before is found by the first build, with its commit")
    func faultInBuild() async throws {
        let folder = TemporaryFolder()
        do {
            let store = try await open(folder, [])
            let trip = try await store.create(Trip(name: "a", destination: "Lisboa"))
            try await store.edit(trip) { $0.destination = "Atlantis" }
            try await store.edit(trip) { $0.name = "b" }
            await store.close()
        }
        let store = try await open(folder, [Self.byDestination(fails: true)])
        await #expect(throws: (any Error).self) { try await store.appViews.catchUp() }
        #expect(store.appViews.fault?.position == Position(3))
        #expect(throws: TripStoreError.self) { try store.appViews.read(destinations) }
        try await expectOnlyAppFault(store)
    }

    @Test("A newer version of a projection builds its views anew")
    func newVersion() async throws {
        let folder = TemporaryFolder()
        for version: UInt32 in 1...3 {
            let store = try await open(folder, [Self.byDestination(version: version)])
            if version == 1 { try await store.create(Trip(name: "a", destination: "Lisboa")) }
            try await store.appViews.catchUp()
            let value = try store.appViews.read { try $0.rows(of: "by-destination").first?.value }
            #expect(value == [UInt8(version)])
            try await store.expectInvariants()
            await store.close()
        }
    }

    @Test(
        "Rows that cannot be kept are a fault that says why",
        arguments: ["empty key", "long key", "long part", "wrong kind"])
    func badRows(what: String) async throws {
        let folder = TemporaryFolder()
        let isAccumulating = what == "wrong kind" || what == "long part"
        let projection = EntityProjection<Trip>("bad", version: 1, isAccumulating ? .accumulating : .unique) {
            _, sink in
            switch what {
            case "long part": sink.add([1], part: [UInt8](repeating: 1, count: 256))
            case "empty key": sink.put([])
            case "long key": sink.put([UInt8](repeating: 1, count: 512))
            default: sink.put([1])
            }
        }
        let store = try await open(folder, [projection])
        try await store.create(Trip(name: "a"))
        await #expect(throws: (any Error).self) { try await store.appViews.catchUp() }
        #expect(store.appViews.fault?.view == "bad")
        #expect(store.appViews.fault?.position == Position(2))
        try await expectOnlyAppFault(store)
    }

    @Test("Projections without distinct names are refused", arguments: [["a", "a"], [""], ["entities"]])
    func names(names: [String]) async throws {
        let folder = TemporaryFolder()
        let projections = names.map { EntityProjection<Trip>($0, version: 1) { _, _ in } }
        await #expect { _ = try await open(folder, projections) } throws: {
            ($0 as? TripStoreError)?.code == .invalidProjections
        }
    }
}
