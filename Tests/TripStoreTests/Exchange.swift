import EventLog
import TripStore

extension TripStore {
    /// Sends everything that this replica holds to another.
    func pass(to other: TripStore) async throws {
        for segment in try await segments() { try await other.store(segment) }
    }
}
