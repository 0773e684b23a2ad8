import Events
import Foundation
import ProjectionEngine
import StoreSupport
import Testing
import TripStore
import TripStoreProjections
import TripStoreTestSupport

@Suite("Options that would have no effect")
struct UnusableOptionTests {
    private struct Failure: Error {}

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

    private func expectUnusable(
        _ option: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: TripStoreError.self, sourceLocation: sourceLocation) { try await body() }
        #expect(error?.code == .unusableOption, sourceLocation: sourceLocation)
        #expect(error?.message.contains(option) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    }

    @Test("Who only reads names no author, no device and no quotas", arguments: [true, false])
    func reading(buildsViews: Bool) async throws {
        let folder = TemporaryFolder()
        do { await (try await TripStore.test(at: folder.url)).close() }
        let access: TripStore.Options.Access = buildsViews ? .readOnlyBuildingViews : .readOnly
        var quotas = TripStore.Options(access: access)
        quotas.quotas.lines = 7
        for (option, options) in [
            ("author", TripStore.Options(access: access, author: "ana")),
            ("deviceName", TripStore.Options(access: access, deviceName: "laptop")), ("quotas", quotas),
        ] {
            await expectUnusable(option) { _ = try await TripStore.open(at: folder.url, options: options) }
        }
        do {
            let reader = try await TripStore.open(at: folder.url, options: TripStore.Options(access: access))
            await expectUnusable("healing") { try await reader.exchange(with: .folder(folder.url), healing: true) }
            await reader.close()
        }
        let store = try await TripStore.test(at: folder.url)
        try await store.expectInvariants()
    }

    @Test(
        "A temporary store is not opened for reading, and a clone neither that nor with a journal; nothing is made then"
    )
    func newStores() async throws {
        await expectUnusable("temporary") { _ = try await TripStore.temporary(options: .readOnly) }
        let store = try await TripStore.test()
        let folder = TemporaryFolder().url.appendingPathComponent("clone")
        await expectUnusable("access") { _ = try await TripStore.clone(.store(store), to: folder, options: .readOnly) }
        let options = TripStore.Options(journal: store.journal)
        await expectUnusable("journal") { _ = try await TripStore.clone(.store(store), to: folder, options: options) }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        try await store.expectInvariants()
    }

    @Test("An interceptor is called before every write, also of loads and of statements about members")
    func writesAreIntercepted() async throws {
        let faults = FaultInjector()
        let store = try await TripStore.temporary(
            options: TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies).intercepted(
                by: faults))
        try await store.create(Trip(name: "Lisbon"))
        let position = try store.status().position
        let writes: [() async throws -> Void] = [
            { try await store.load { try await $0.append([.created(Trip(name: "Porto"))]) } },
            { _ = try await store.invite() }, { try await store.grant(.write, to: store.replica) },
            { try await store.void(position) },
        ]
        for write in writes {
            faults.failWrites(with: Failure())
            await #expect(throws: Failure.self) { try await write() }
            #expect(try store.status().position == position)
        }
        try await store.load { load in
            for name in ["a", "b"] { try await load.append([.created(Trip(name: name))]) }
        }
        #expect(faults.writes == 7)
        try await store.expectInvariants()
    }

    @Test("An interceptor steps in before every query: also of the past, of histories and of an app's own views")
    func readsAreIntercepted() async throws {
        let faults = FaultInjector()
        let store = try await TripStore.temporary(
            options: TripStore.Options(
                mapSize: 1 << 30, projections: [Names()],
                dependencies: ManualClock().dependencies
            ).intercepted(by: faults))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.appViews.catchUp()
        let past = try await store.asOf(store.status().position)
        let reads: [() throws -> Void] = [
            { _ = try past.trip(lisbon) }, { _ = try past.trips() }, { _ = try store.history(of: lisbon) },
            { _ = try store.audit() }, { _ = try store.conflicts() }, { _ = try store.blame(lisbon) },
            { _ = try store.entity(lisbon, asOf: .position(.start)) }, { _ = try store.undoPlan(.last()) },
            { _ = try store.appViews.read { $0.position } },
        ]
        for (number, read) in reads.enumerated() {
            faults.failReads(with: Failure())
            #expect(throws: Failure.self, "\(number)") { try read() }
            try read()
        }
        try await store.expectInvariants()
    }
}
