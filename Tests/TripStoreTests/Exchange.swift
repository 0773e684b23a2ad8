import EventLog

@testable import TripStore

extension TripStore {
    /// Everything that the store holds, as a peer would get it.
    func segments() async throws -> [LineSegment] {
        var found: [LineSegment] = []
        for line in try log.read({ try $0.heads() }).keys { found += try await log.segments(of: line, after: .start) }
        return found
    }

    /// Gives another replica everything that this one holds.
    func pass(to other: TripStore) async throws {
        for segment in try await segments() { try await other.log.store(segment) }
    }
}
