package import EventLog
package import Events

/// What `TripStoreTestSupport` needs and no app should have.
extension TripStore {
    /// Appends events as they are, without a look at what they mean: what a peer may have written.
    package func appendUnchecked(_ events: [Event], by authorship: Authorship = Authorship()) async throws {
        try await interceptor?.willWrite()
        _ = try await log.append(
            Payload(
                author: authorship.author ?? author, causation: authorship.causation,
                correlation: authorship.correlation, events: events, appendID: authorship.appendID,
                held: try log.read { try $0.held() }))
    }

    /// Everything that the store holds, as a peer would get it.
    package func segments() async throws -> [LineSegment] { try await log.allSegments() }

    /// Stores what a peer offered, once it is verified.
    package func store(_ segment: LineSegment) async throws { _ = try await log.store(segment) }
}

extension TripStore {
    /// The commits that this replica wrote and may erase: not the first, which says who it is, and none that says who may write.
    package func ownCommits() throws -> [CommitID] {
        try log.read { log in
            let own = try log.replica()
            var found: [CommitID] = []
            try log.forEachCommit(after: .start) { commit in
                let header = commit.header
                if header.replica == own, header.sequence.rawValue > 1, !header.isMembership {
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

    /// What is erased; nil if nothing is. Equal on replicas that know of the same erasures.
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
