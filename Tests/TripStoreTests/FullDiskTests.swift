import EventLog
import Foundation
import LMDB
import Platform
import StoreSupport
import TestSupport
import Testing
import TripStore

@Suite("A store on a full disk", .enabled(if: MemoryFileSystem.isAvailable))
struct FullDiskTests {
    @Test("An append says what is wrong and nothing of it shows; with room again writing goes on")
    func append() async throws {
        let system = try MemoryFileSystem(kibibytes: 24 << 10)
        let ballast = system.path + "/ballast"
        #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 21 << 20)))
        let store = try await TripStore.test(at: URL(filePath: system.path + "/store"))
        let notes = String(repeating: "x", count: 40_000)
        var written: [Trip.ID] = []
        var failure: TripStoreError?
        // One by one: the views are brought up to date beside each commit's sync.
        while failure == nil, written.count < 200 {
            let trip = Trip(name: "Trip \(written.count)", notes: notes)
            do {
                try await store.create(trip)
                written.append(trip.id)
            } catch let error as TripStoreError {
                failure = error
            }
        }
        #expect(failure?.code == .diskFull, "\(String(describing: failure))")
        #expect(written.count > 5)
        // The views may lack the space to catch up; they never show what the log does not have.
        let rows = try store.trips(.undated, limit: 1_000).rows
        #expect(Set(rows.map(\.id)).isSubset(of: written))
        // Including the replica's introduction.
        #expect(try store.status().position == Position(UInt64(written.count + 1)))

        try FileManager.default.removeItem(atPath: ballast)
        let last = Trip(name: "Last", notes: notes)
        try await store.create(last)
        try await store.catchUp()
        #expect(try store.trip(last.id)?.notes == notes)
        #expect(try Set(store.trips(.undated, limit: 1_000).rows.map(\.id)) == Set(written + [last.id]))
        try await store.expectInvariants()
        await store.close()
        withExtendedLifetime(system) {}
    }
}
