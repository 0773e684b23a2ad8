/// How much of each line an author held: of each replica the time of its newest commit, of one whose commits fork that of the newest
/// on each branch.
public struct VersionVector: Hashable, Sendable {
    /// The most times that a writer names. Of more the latest are; what was written elsewhere counts as unseen.
    public static let mostReplicas = 1_024

    /// By replica; the latest, where its commits fork.
    public let newest: [ReplicaID: Timestamp]
    /// Those of other branches.
    private let others: [ReplicaID: Set<Timestamp>]

    /// The time 0 stands for none.
    public init(_ newest: [ReplicaID: Timestamp] = [:]) {
        self.newest = newest.filter { $0.value != .zero }
        others = [:]
    }

    /// Of some replicas several times, one for each branch.
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
        self.others = others
    }

    /// Of so many of the times the latest.
    public func latest(_ count: Int = VersionVector.mostReplicas) -> VersionVector {
        let times = times
        guard times.count > count else { return self }
        let latest = times.sorted { $0.newest != $1.newest ? $0.newest > $1.newest : $0.replica < $1.replica }
        return VersionVector(times: latest.prefix(count))
    }

    public var isEmpty: Bool { newest.isEmpty }

    /// The time of the newest commit of a replica; nil if none was held.
    public subscript(replica: ReplicaID) -> Timestamp? { newest[replica] }

    /// All times, in the order of the replicas and from the latest on, so that equal vectors are written alike.
    public var times: [(replica: ReplicaID, newest: Timestamp)] {
        newest.sorted { $0.key < $1.key }.flatMap { replica, time in
            [(replica, time)] + (others[replica] ?? []).sorted(by: >).map { (replica, $0) }
        }
    }
}
