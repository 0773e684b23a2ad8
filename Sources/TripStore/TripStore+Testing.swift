package import EventLog
package import Events

/// What `TripStoreTestSupport` needs and no app should have.
extension TripStore {
    /// Appends events as they are, without a look at what they mean: what a peer may have written.
    package func appendUnchecked(_ events: [Event], author: String = "") async throws {
        try await interceptor?.willWrite()
        _ = try await log.append(Payload(author: author, events: events))
    }

    /// Everything that the store holds, as a peer would get it.
    package func segments() async throws -> [LineSegment] { try await log.allSegments() }

    /// Stores what a peer offered, once it is verified.
    package func store(_ segment: LineSegment) async throws { _ = try await log.store(segment) }
}

extension TripStore {
    /// The hashes of the commits beyond a position, in order.
    package func commitHashes(after position: Position) throws -> [Digest] {
        try log.read { log in
            var hashes: [Digest] = []
            try log.forEachCommit(after: position) { commit in
                hashes.append(commit.hash)
                return true
            }
            return hashes
        }
    }

    /// This store as the other side of an exchange.
    package var logPeer: LogPeer { LogPeer(log) }
}
