public import EventLog
import LogExchange

/// Commits of which bytes are missing that no erasure names.
public struct MissingBytes: Sendable, Hashable {
    /// All of them, as far as they are known without a search of the whole log.
    public let commits: [CommitID]
    /// The commits whose bytes no known peer has: each that holds the commit lacked them too when it was last met.
    public let lost: [CommitID]

    public var isEmpty: Bool { commits.isEmpty }
}

extension TripStore {
    /// The commits of which bytes are missing here: withheld on the way, or taken out under a key that may not erase. What they say is not
    /// shown, and each exchange with a replica that has the bytes puts them back.
    ///
    /// O(erasures). Throws what the medium refuses.
    public func missingBytes() throws -> MissingBytes {
        try TripStoreError.wrap {
            let commits = try readLog { try $0.holes().filter { !$0.isExplained }.map(\.commit) }
            return MissingBytes(commits: commits, lost: commits.isEmpty ? [] : try PeerBook(log).lost().map(\.commit))
        }
    }

    /// The commits of which erased bytes are missing here though no erasure of them stands: it was taken back, counts no longer, or did not
    /// come. Each exchange with a replica that has the bytes puts them back. O(erasures).
    package func unstatedErasures() throws -> [CommitID] {
        try TripStoreError.wrap { try readLog { try $0.holes().filter(\.isExplained).map(\.commit) } }
    }

    /// Takes note that what is lost will not come back, by signed erasures of the lost bytes: every replica then stops looking for them. It
    /// cannot be undone. Returns the commits.
    ///
    /// Nothing is accepted unless all of it can be. Throws `TripStoreError`: `.readOnly`, or `.notErasable` unless this replica is an admin, or
    /// wrote all of them.
    public func acceptLoss() async throws -> [CommitID] {
        try await TripStoreError.wrapAsync {
            let lost = try PeerBook(log).lost()
            try log.checkErasable(lost.map(\.commit))
            for hole in lost {
                let missing = try readLog { log in
                    try log.position(of: hole.commit, in: log.journal()).flatMap {
                        try log.storedCommit(at: $0)?.view.erased
                    }
                }
                if let missing { try await log.erase(missing, in: hole.commit) }
            }
            return lost.map(\.commit)
        }
    }
}
