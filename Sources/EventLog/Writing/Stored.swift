public import Events

/// What became of stretches that were offered to a log.
public struct Stored: Sendable, Hashable {
    /// Commits that were not held before.
    public internal(set) var commits = 0
    /// Their events.
    public internal(set) var events = 0
    /// Their bytes.
    public internal(set) var bytes = 0
    /// Commits that were held, and of which parts were erased, or are there again; and 1 more if other commits count than before.
    public internal(set) var rewritten = 0
    /// Of replicas that were revoked: bytes of the segments that were not taken in, for they lead to no commit that is still wanted, and
    /// 1 KiB for each of them.
    public internal(set) var passedOver: [ReplicaID: Int] = [:]
    /// The newest position of the log.
    public internal(set) var position = Position.start
    /// The newest timestamp among the commits.
    public internal(set) var newest: Timestamp?
    /// Forks of the replicas whose commits began a branch, or went on with one.
    public internal(set) var forks: [Fork] = []
    /// That the log goes on as another replica: commits of its own came that it had not written, so it was copied or
    /// restored.
    public internal(set) var identityChange: Log.IdentityChange?
    /// The lines that were extended.
    var lines: Set<LineID> = []
}
