package import EventLog
package import Events
package import LogExchange

/// For `TripStoreTestSupport`, not for apps.
extension TripStore {
    /// Appends events without checking their meaning: as a peer may have written them.
    package func appendUnchecked(_ events: [Event], by authorship: Authorship = Authorship()) async throws {
        try await interceptor?.willWrite()
        _ = try await log.append(
            Payload(
                author: authorship.author ?? author, causation: authorship.causation,
                correlation: authorship.correlation, events: events, appendID: authorship.appendID,
                held: try log.read { try $0.held() }))
    }

    /// Everything that the store holds, as a peer would receive it.
    package func segments() async throws -> [LineSegment] { try await log.allSegments() }

    /// Stores a segment of a peer, after verifying it.
    package func store(_ segment: LineSegment) async throws { _ = try await log.store(segment) }
}

extension TripStore {
    /// The commits that this replica wrote and may erase: not the first, which has its key, and none with statements
    /// about members.
    package func ownCommits() throws -> [CommitID] {
        try log.read { log in
            let own = try log.replica()
            var found: [CommitID] = []
            try log.forEachCommit(after: .start) { commit in
                let header = commit.header
                if header.replica == own, header.sequence.rawValue > 1, header.isErasable {
                    found.append(CommitID(replica: own, sequence: header.sequence, hash: commit.hash))
                }
                return true
            }
            return found
        }
    }

    /// Erases leaves of a commit of this replica's own.
    package func erase(_ leaves: ErasedLeaves, in commit: CommitID) async throws {
        try await log.erase(leaves, in: commit)
    }

    /// Whether another commit of its replica, on another branch of its line, has the time of a commit.
    package func hasTwin(of commit: CommitInfo) throws -> Bool {
        try log.read { log in
            var isThere = false
            try log.forEachCommit(after: .start) { other in
                isThere =
                    other.header.replica == commit.replica && other.header.timestamp == commit.timestamp
                    && other.hash != commit.hash
                return !isThere
            }
            return isThere
        }
    }

    /// Whether two commits of a replica, on branches of its line, have one time.
    package func hasTwins(of replica: ReplicaID) throws -> Bool {
        try log.read { log in
            var times: Set<Timestamp> = []
            var areThere = false
            try log.forEachCommit(after: .start) { commit in
                guard commit.header.replica == replica else { return true }
                areThere = !times.insert(commit.header.timestamp).inserted
                return !areThere
            }
            return areThere
        }
    }

    /// A digest of what is erased; nil if nothing is. Equal on replicas with the same erasures.
    package func erasureDigest() throws -> Digest? { try log.read { try $0.erasureDigest() } }

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

    /// A description of a commit after a position whose timestamp is not later than those of all before it; nil if
    /// there is none (L5).
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

/// Is called before a store writes and reads: to test what an app does if that fails or takes long.
///
/// `TripStoreTestSupport` has one that fails and waits on demand.
package protocol StoreInterceptor: Sendable {
    /// Called before each commit. Its error is thrown to the writer, and nothing is written.
    func willWrite() async throws

    /// Called before each query, live ones included. Its error is thrown to the reader.
    func willRead() throws
}

extension TripStore.Options {
    /// Sets an interceptor.
    package func intercepted(by interceptor: any StoreInterceptor) -> Self {
        var options = self
        options.interceptor = interceptor
        return options
    }
}
