/// The write that an author saw at the time of writing: its timestamp and its replica.
///
/// It names one commit, unless that replica's line forked: then two may have the timestamp, and neither counts as seen.
public struct Seen: Hashable, Sendable {
    /// Its time in the merge order.
    public let timestamp: Timestamp
    public let replica: ReplicaID

    public init(timestamp: Timestamp, replica: ReplicaID) {
        self.timestamp = timestamp
        self.replica = replica
    }

    /// The write of a stamp.
    public init(_ stamp: Stamp) { self.init(timestamp: stamp.timestamp, replica: stamp.replica) }

    /// Whether it names a commit with this stamp.
    public func names(_ stamp: Stamp) -> Bool { timestamp == stamp.timestamp && replica == stamp.replica }
}

/// A `Seen` as an event stores it: its replica as an index into the payload's list.
public struct SeenReference: Hashable, Sendable {
    public let timestamp: Timestamp
    /// The replica's index in the list. It may be out of range: the bytes come from other replicas.
    public let replica: UInt32

    @inlinable
    public init(timestamp: Timestamp, replica: UInt32) {
        self.timestamp = timestamp
        self.replica = replica
    }
}

/// The replicas whose writes the events of a payload name as seen. Each occurs once, or several times where several
/// branches of one were held; mostly there is one, the author's own.
public struct SeenReplicas: Hashable, Sendable {
    public private(set) var replicas: [ReplicaID] = []
    /// For the first of them, the time of the newest commit that the author held; 0 where unknown.
    public private(set) var newestHeld: [Timestamp] = []
    /// The indexes of the replicas, once there are many.
    private var indexes: [ReplicaID: UInt32] = [:]
    private static let few = 8

    public init() {}

    public init(_ replicas: [ReplicaID], newestHeld: [Timestamp] = []) {
        self.replicas = replicas
        self.newestHeld = newestHeld
    }

    /// The newest time that the author held of each replica; only the first `VersionVector.mostTimes` if there are
    /// more. O(replicas).
    public var held: VersionVector {
        let times = zip(replicas, newestHeld).lazy.filter { $0.1 != .zero }.prefix(VersionVector.mostTimes)
        return VersionVector(times: times.map { ($0, $1) })
    }

    /// Adds what the author held, and the replicas that are not yet in the list; a replica of which it held several
    /// branches occurs once for each.
    mutating func note(_ held: VersionVector) {
        var previous: ReplicaID?
        for (replica, newest) in held.times {
            let again = replica == previous
            previous = replica
            if again {
                guard replicas.count < Payload.mostSeenReplicas else { continue }
                replicas.append(replica)
            }
            guard let index = again ? replicas.count - 1 : index(of: replica).map(Int.init) else { continue }
            while newestHeld.count <= index { newestHeld.append(.zero) }
            newestHeld[index] = newest
        }
    }

    /// The write that a reference names; nil if its replica is not in the list.
    public func resolve(_ reference: SeenReference?) -> Seen? {
        guard let reference, Int(reference.replica) < replicas.count else { return nil }
        return Seen(timestamp: reference.timestamp, replica: replicas[Int(reference.replica)])
    }

    /// The reference to a write; adds its replica to the list unless it is there.
    mutating func reference(to seen: Seen?) -> SeenReference? {
        guard let seen else { return nil }
        return index(of: seen.replica).map { SeenReference(timestamp: seen.timestamp, replica: $0) }
    }

    /// Nil if the list is full: a write of one more replica counts as unseen.
    private mutating func index(of replica: ReplicaID) -> UInt32? {
        if replicas.count <= Self.few {
            if let index = replicas.firstIndex(of: replica) { return UInt32(index) }
        } else {
            if indexes.isEmpty {
                indexes = Dictionary(
                    replicas.enumerated().map { ($1, UInt32($0)) }, uniquingKeysWith: { first, _ in first })
            }
            if let index = indexes[replica] { return index }
            guard replicas.count < Payload.mostSeenReplicas else { return nil }
            indexes[replica] = UInt32(replicas.count)
        }
        replicas.append(replica)
        return UInt32(replicas.count - 1)
    }
}
