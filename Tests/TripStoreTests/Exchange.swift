import EventLog
import TripStore

extension TripStore {
    /// Gives another replica everything that this one holds.
    func pass(to other: TripStore) async throws {
        for segment in try await segments() { try await other.store(segment) }
    }
}
