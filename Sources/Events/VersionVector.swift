/// How much of each line an author held: for each replica the time of its newest commit; for one whose commits fork,
/// those of the newest commits on the branches with the latest ones.
public struct VersionVector: Hashable, Sendable {
    /// The most times that a writer names and a reader reads. Further writes count as unseen.
    public static let mostTimes = 1_024
    /// The most times of one replica, the latest: one for its line, and one for each branch that a log keeps.
    public static let mostBranches = 65

    /// By replica; the latest, where its commits fork.
    public let newest: [ReplicaID: Timestamp]
    /// Those of other branches, latest first.
    private let others: [ReplicaID: [Timestamp]]

    /// The time 0 stands for none.
    public init(_ newest: [ReplicaID: Timestamp] = [:]) {
        self.newest = newest.filter { $0.value != .zero }
        others = [:]
    }

    /// A replica may occur several times, once for each branch; of more than `mostBranches` the latest count.
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

    /// At most that many times: first the latest of each replica, then the second of each, and so on, so that a forking
    /// replica displaces no other; of equal ones the latest.
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

    /// All times of a replica, latest first.
    public func times(of replica: ReplicaID) -> [Timestamp] {
        newest[replica].map { [$0] + (others[replica] ?? []) } ?? []
    }

    /// All times, by replica and latest first, so that equal vectors are written alike.
    public var times: [(replica: ReplicaID, newest: Timestamp)] {
        newest.keys.sorted().flatMap { replica in times(of: replica).map { (replica, $0) } }
    }
}
