/// How much of each line an author held: of each replica the time of its newest commit, of one whose commits fork that of the newest
/// on the branches with the latest ones.
public struct VersionVector: Hashable, Sendable {
    /// The most times that a writer names and a reader heeds. What was written elsewhere counts as unseen.
    public static let mostTimes = 1_024
    /// The most times of one replica, the latest: one for its line, and for each of the branches that a log keeps.
    public static let mostBranches = 65

    /// By replica; the latest, where its commits fork.
    public let newest: [ReplicaID: Timestamp]
    /// Those of other branches, from the latest on.
    private let others: [ReplicaID: [Timestamp]]

    /// The time 0 stands for none.
    public init(_ newest: [ReplicaID: Timestamp] = [:]) {
        self.newest = newest.filter { $0.value != .zero }
        others = [:]
    }

    /// Of some replicas several times, one for each branch; of more than `mostBranches` the latest.
    public init(times: some Sequence<(replica: ReplicaID, newest: Timestamp)>) {
        var newest: [ReplicaID: Timestamp] = [:]
        var others: [ReplicaID: Set<Timestamp>] = [:]
        for (replica, time) in times where time != .zero && time != newest[replica] {
            guard let held = newest[replica] else {
                newest[replica] = time
                continue
            }
            newest[replica] = max(held, time)
            others[replica, default: []].insert(min(held, time))
        }
        self.newest = newest
        self.others = others.mapValues { Array($0.sorted(by: >).prefix(Self.mostBranches - 1)) }
    }

    /// So many of the times: first the latest of each replica, then the second of each, and so on, so that who forks displaces nobody;
    /// of equal ones the latest.
    public func latest(_ count: Int = VersionVector.mostTimes) -> VersionVector {
        let ranked = newest.keys.flatMap { replica in
            times(of: replica).enumerated().map { (rank: $0.offset, replica: replica, newest: $0.element) }
        }
        guard ranked.count > count else { return self }
        let latest = ranked.sorted {
            if $0.rank != $1.rank { return $0.rank < $1.rank }
            return $0.newest != $1.newest ? $0.newest > $1.newest : $0.replica < $1.replica
        }
        return VersionVector(times: latest.prefix(count).map { ($0.replica, $0.newest) })
    }

    public var isEmpty: Bool { newest.isEmpty }

    /// The time of the newest commit of a replica; nil if none was held.
    public subscript(replica: ReplicaID) -> Timestamp? { newest[replica] }

    /// All times of a replica, from the latest on.
    public func times(of replica: ReplicaID) -> [Timestamp] {
        newest[replica].map { [$0] + (others[replica] ?? []) } ?? []
    }

    /// All times, in the order of the replicas and from the latest on, so that equal vectors are written alike.
    public var times: [(replica: ReplicaID, newest: Timestamp)] {
        newest.keys.sorted().flatMap { replica in times(of: replica).map { (replica, $0) } }
    }
}
