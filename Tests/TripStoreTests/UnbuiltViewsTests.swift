import Foundation
import Logging
import ProjectionEngine
import StoreSupport
import Testing
import TripStore

@Suite("A store whose views cannot be built")
struct UnbuiltViewsTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()

    private func open() async throws -> TripStore {
        var options = TripStore.Options(waitsForViews: false, mapSize: 1 << 30, dependencies: clock.dependencies)
        options.logger.logLevel = .critical
        return try await TripStore.open(at: folder.url, options: options)
    }

    @Test("Its status says what keeps them from it and when it is tried again, and so do queries and writes")
    func status() async throws {
        do {
            let store = try await TripStore.test(clock: clock, at: folder.url)
            try await store.create(Trip(name: "Lisbon"))
            await store.close()
        }
        let views = folder.path("views")
        try FileManager.default.removeItem(atPath: views)
        // The path is a file, so nothing can be created in it.
        try Data().write(to: URL(fileURLWithPath: views))
        // A new process tries a failed build again at once; then it waits twice as long each time.
        for seconds in [1, 2] as [Int64] {
            let store = try await open()
            await #expect(throws: (any Error).self) { try await store.create(Trip(name: "Porto")) }
            let status = try store.status()
            let next = Date(timeIntervalSince1970: Double(clock.now + seconds * 1000) / 1000)
            #expect(status.trips == nil && status.views.isEmpty)
            #expect(status.position == Position(2))
            #expect(status.fault?.nextAttempt == next && status.faults["trips"] == status.fault)
            let reading = #expect(throws: TripStoreError.self) { _ = try store.trips(.undated) }
            let writing = await #expect(throws: TripStoreError.self) { try await store.create(Trip(name: "Porto")) }
            for error in [reading, writing] {
                #expect(error?.code == .notBuilt)
                #expect(error?.description.contains(next.formatted(.iso8601)) == true, "\(String(describing: error))")
            }
            // A reader does not build, and reports the writer's fault.
            let reader = try await TripStore.open(
                at: folder.url, options: TripStore.Options(access: .readOnly, waitsForViews: false))
            let beside = #expect(throws: TripStoreError.self) { _ = try reader.trips(.undated) }
            #expect(beside?.code == .notBuilt)
            #expect(
                ((beside?.cause as? ProjectionError)?.cause as? GroupFault)?.description == status.fault?.description)
            await store.close()
        }
        try FileManager.default.removeItem(atPath: views)
        let store = try await open()
        try await store.rebuildViews()
        #expect(try store.status().fault == nil && store.status().trips == 1)
        try await store.create(Trip(name: "Porto"))
        try await store.expectInvariants()
    }

    @Test("Edits, and forms in which nothing changed, wait for views that are being built", arguments: [true, false])
    func waiting(isEdit: Bool) async throws {
        let lisbon: Trip.ID
        do {
            let store = try await TripStore.test(clock: clock, at: folder.url)
            lisbon = try await store.create(Trip(name: "Lisbon"))
            // Long enough for the first call to come before they are built.
            for batch in 0..<20 {
                try await store.append((0..<250).map { .created(Trip(name: "Trip \(batch) \($0)")) })
            }
            await store.close()
        }
        try FileManager.default.removeItem(atPath: folder.path("views"))
        let store = try await open()
        if isEdit {
            try await store.edit(lisbon) { $0.name = "Porto" }
            #expect(try store.trip(lisbon)?.name == "Porto")
        } else {
            let trip = Trip(id: lisbon, name: "Lisbon")
            #expect(try await store.save(trip, from: trip).isUnchanged)
        }
        try await store.expectInvariants()
    }
}
