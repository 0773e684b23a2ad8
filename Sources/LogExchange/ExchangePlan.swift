public import EventLog
public import Events

/// The commits that two replicas lack of each other, as far as their frontiers tell: a pure function of these and of
/// which of the peer's heads are held here.
///
/// A peer's head that is not held here may be further on the same line, or on a branch of its own; that is known only
/// after receiving it. Then the plan is computed again, and what there is to send is exact.
public struct ExchangePlan: Sendable, Hashable {
    /// How the lines of one replica compare, here and there.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Both hold the same.
        case same
        /// The peer holds nothing of the replica.
        case onlyHere
        /// Nothing of the replica is held here.
        case onlyThere
        /// Everything that the peer holds is held here, and more.
        case ahead
        /// The peer's heads are not held here, and have greater numbers than everything that is: probably further on
        /// the same line.
        case behind
        /// The peer has a commit with a number that another commit has here: they wrote apart under one id.
        case forked
    }

    /// By replica, in order.
    public let outcomes: [(replica: ReplicaID, outcome: Outcome)]
    /// Heads of the peer that are not held here.
    public let wanted: [CommitID]
    /// Heads that the peer certainly lacks, to be sent at once.
    public let offered: [CommitID]
    /// Heads that the peer may lack: known once the wanted ones have arrived.
    public let uncertain: [CommitID]

    /// `held` are the peer's heads that are held here. `finished` are those that are not and need not be: their
    /// replicas were revoked, and everything that counts of them is held. Such a head may lie beyond a head of this
    /// side, which is then offered only if it has the greater number.
    public init(local: Frontier, remote: Frontier, held: Set<CommitID>, finished: Set<CommitID> = []) {
        let held = held.union(finished)
        let (ours, theirs) = (local.byReplica, remote.byReplica)
        var outcomes: [(replica: ReplicaID, outcome: Outcome)] = []
        var (wanted, offered, uncertain): ([CommitID], [CommitID], [CommitID]) = ([], [], [])
        for replica in Set(ours.keys).union(theirs.keys).sorted() {
            let (here, there) = (ours[replica] ?? [], theirs[replica] ?? [])
            let outcome = Self.outcome(here, there, held)
            outcomes.append((replica, outcome))
            wanted += there.filter { !held.contains($0) }
            let beyond = there.filter(finished.contains).map(\.sequence).max() ?? .start
            let missing = here.filter { !there.contains($0) && $0.sequence > beyond }
            switch outcome {
            case .same, .onlyThere: break
            case .onlyHere, .ahead: offered += missing
            case .behind, .forked: uncertain += missing
            }
        }
        self.outcomes = outcomes
        self.wanted = wanted
        self.offered = offered
        self.uncertain = uncertain
    }

    private static func outcome(_ here: [CommitID], _ there: [CommitID], _ held: Set<CommitID>) -> Outcome {
        if here == there { return .same }
        if there.isEmpty { return .onlyHere }
        if here.isEmpty { return .onlyThere }
        let unknown = there.filter { !held.contains($0) }
        if unknown.isEmpty { return .ahead }
        let newest = here.map(\.sequence).max() ?? .start
        return unknown.contains { $0.sequence <= newest } ? .forked : .behind
    }

    /// Whether there is nothing to do.
    public var isDone: Bool { wanted.isEmpty && offered.isEmpty && uncertain.isEmpty }

    public static func == (a: ExchangePlan, b: ExchangePlan) -> Bool {
        a.wanted == b.wanted && a.offered == b.offered && a.uncertain == b.uncertain
            && a.outcomes.elementsEqual(b.outcomes, by: ==)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(wanted)
        hasher.combine(offered)
        hasher.combine(uncertain)
    }
}
