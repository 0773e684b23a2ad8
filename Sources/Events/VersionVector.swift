/// How much of each line an author held: of each replica the time of its newest commit.
public struct VersionVector: Hashable, Sendable {
    /// The most replicas that a writer names. Of more, those that wrote last are; what the others wrote counts as unseen.
    public static let mostReplicas = 1_024

    /// By replica.
    public let newest: [ReplicaID: Timestamp]

    /// The time 0 stands for none.
    public init(_ newest: [ReplicaID: Timestamp] = [:]) { self.newest = newest.filter { $0.value != .zero } }

    /// Of so many of the replicas, those that wrote last.
    public func latest(_ count: Int = VersionVector.mostReplicas) -> VersionVector {
        guard newest.count > count else { return self }
        let latest = newest.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
        return VersionVector(Dictionary(uniqueKeysWithValues: latest.prefix(count).map { ($0.key, $0.value) }))
    }

    public var isEmpty: Bool { newest.isEmpty }

    /// The time of the newest commit of a replica; nil if none was held.
    public subscript(replica: ReplicaID) -> Timestamp? { newest[replica] }

    /// In the order of the replicas, so that equal vectors are written alike.
    var ordered: [(replica: ReplicaID, newest: Timestamp)] {
        newest.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
