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

    /// What a commit beyond a position has a timestamp for that is not later than those of all before it; nil if none has
    /// (L5).
    package func timestampFault(after position: Position) throws -> String? {
        try log.read { log in
            var newest = Timestamp.zero
            var fault: String?
            try log.forEachCommit(after: .start) { commit in
                let timestamp = commit.header.timestamp
                if commit.position > position && timestamp <= newest {
                    fault = "commit \(commit.position) has timestamp \(timestamp.rawValue), after \(newest.rawValue)"
                }
                newest = max(newest, timestamp)
                return fault == nil
            }
            return fault
        }
    }

    /// This store as the other side of an exchange.
    package var logPeer: LogPeer { LogPeer(log) }
}
