public import Events

/// The result of offering segments to a log.
public struct Stored: Sendable, Hashable {
    /// Commits that were not held before.
    public internal(set) var commits = 0
    /// Their events.
    public internal(set) var events = 0
    /// Their bytes.
    public internal(set) var bytes = 0
    /// Held commits of which parts were erased, or restored; and 1 more if other commits count than before.
    public internal(set) var rewritten = 0
    /// The bytes of revoked replicas' segments that were not stored, because they lead to no commit that is still
    /// wanted, and 1 KiB for each of these segments.
    public internal(set) var passedOver: [ReplicaID: Int] = [:]
    /// The newest position of the log.
    public internal(set) var position = Position.start
    /// The newest timestamp among the commits.
    public internal(set) var newest: Timestamp?
    /// Forks of the replicas whose commits began a branch, or continued one.
    public internal(set) var forks: [Fork] = []
    /// The log continues as another replica: commits of its own arrived that it had not written, so it was copied or
    /// restored.
    public internal(set) var identityChange: IdentityChange?
    /// The lines that were extended.
    var lines: Set<LineID> = []
}
