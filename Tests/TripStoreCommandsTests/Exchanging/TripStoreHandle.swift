import Foundation
import Testing
import TripStore

/// A store that an app writes to through the library, beside the tool.
struct TripStoreHandle {
    let store: TripStore

    /// `isBlind` disables the detection of copies, as on a medium or platform without the needed information.
    static func open(_ path: String, isBlind: Bool = false) async throws -> TripStoreHandle {
        var options = TripStore.Options()
        if isBlind {
            options.dependencies.fileOrigin = { _ in nil }
            options.dependencies.machineFolder = nil
        }
        return TripStoreHandle(store: try await TripStore.open(at: URL(fileURLWithPath: path), options: options))
    }

    /// Renames a trip that many times, a commit each.
    func edit(_ trip: String, times: Int) async throws {
        let id = Trip.ID(try #require(UUID(uuidString: trip)))
        let name = try #require(try store.trip(id)).name
        for number in 1...times { try await store.edit(id) { $0.name = "\(name) \(number)" } }
        await store.close()
    }

    func add(_ name: String) async throws {
        try await store.create(Trip(name: name))
        await store.close()
    }
}
