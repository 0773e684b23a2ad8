import Foundation
import StoreSupport
import Testing
import TripFormats
import TripStore

@Suite("Exchange of a day of flights")
struct FlightExchangeTests {
    enum Way: CaseIterable, Sendable { case folder, bundle }

    @Test(
        "Imported on one replica while another edits the same trips offline, both are equal after one exchange",
        arguments: Way.allCases)
    func exchange(way: Way) async throws {
        let folders = [TemporaryFolder(), TemporaryFolder()]
        let one = try await TripStore.test(clock: ManualClock(seed: 1), at: folders[0].url)
        let other = try await TripStore.test(clock: ManualClock(seed: 2), at: folders[1].url)
        _ = try await one.importing(Flights.planned)
        try await pass(one, other, folders, way)
        _ = try await one.importing(Flights.actual)
        let trips = try other.trips(.dated, limit: 200).rows
        for (number, row) in trips.enumerated() {
            try await other.edit(row.id) { $0.notes = "Seen \(number)" }
            if number % 3 == 0 { try await other.edit(row.id) { $0.name += " (late)" } }
            if number % 7 == 0 { try await other.delete(row.id) }
        }
        try await pass(one, other, folders, way)
        if way == .bundle { try await pass(other, one, folders, way) }
        try await one.expectEqual(to: other)
        #expect(try one.trip(trips[1].id)?.notes == "Seen 1")
        for store in [one, other] { try await store.expectInvariants() }
    }

    /// One way by a bundle, both ways by the other's folder.
    private func pass(_ from: TripStore, _ to: TripStore, _ folders: [TemporaryFolder], _ way: Way) async throws {
        switch way {
        case .folder:
            try await from.exchange(with: .folder(to.folder))
            try await to.catchUp()
        case .bundle:
            let place = TemporaryFolder()
            try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
            let file = place.url.appendingPathComponent("sync.bundle")
            try await from.write(bundle: file, for: .holder(of: to.frontier()))
            try await to.exchange(with: .bundle(file))
        }
    }
}
