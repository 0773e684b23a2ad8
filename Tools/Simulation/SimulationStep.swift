/// One thing that happens in a simulation. It names replicas by their number, and does nothing where it makes no sense, so
/// that any part of a scenario is a scenario.
public enum SimulationStep: Sendable, Hashable, CustomStringConvertible {
    /// A replica writes so many commits, drawn from a seed.
    case write(replica: Int, commits: Int, seed: UInt64)
    /// It writes fields and kinds that no replica here knows, as one of a newer version would.
    case writeUnknown(replica: Int, seed: UInt64)
    /// One replica exchanges with another, which it reaches in some way.
    case exchange(Int, with: Int, over: SimulatedCarrier)
    /// It writes a bundle of all that another lacks, or of everything.
    case writeBundle(from: Int, for: Int?)
    /// It reads one of the bundles that were written; perhaps again.
    case readBundle(number: Int, into: Int)
    /// A replica's process ends, and begins again when it is next needed.
    case crash(Int)
    /// All clocks go on.
    case wait(milliseconds: Int64)
    /// One clock is set forward, or back.
    case setClock(replica: Int, by: Int64)
    /// From now on those whose bits are set do not reach the others.
    case partition(UInt32)
    /// A new device joins, with an empty store.
    case join
    /// A copy of a store is kept.
    case backUp(Int)
    /// A replica's store is put back to the copy, which it can tell or cannot.
    case restore(Int, isSeen: Bool)
    /// A store is copied, and both go on, which the copy can tell or cannot.
    case copy(Int, isSeen: Bool)

    public var description: String {
        switch self {
        case .write(let replica, let commits, let seed): "\(replica) writes \(commits) commits (seed \(seed))"
        case .writeUnknown(let replica, let seed): "\(replica) writes what is not known (seed \(seed))"
        case .exchange(let one, let other, let carrier): "\(one) exchanges with \(other) \(carrier)"
        case .writeBundle(let replica, let other):
            "\(replica) writes a bundle for \(other.map(String.init) ?? "anyone")"
        case .readBundle(let number, let replica): "\(replica) reads bundle \(number)"
        case .crash(let replica): "\(replica) crashes"
        case .wait(let milliseconds): "\(milliseconds) ms pass"
        case .setClock(let replica, let milliseconds): "the clock of \(replica) is set by \(milliseconds) ms"
        case .partition(let bits): "partition \(String(bits, radix: 2))"
        case .join: "a new device joins"
        case .backUp(let replica): "\(replica) is backed up"
        case .restore(let replica, let isSeen): "\(replica) is restored, \(isSeen ? "seen" : "unseen")"
        case .copy(let replica, let isSeen): "\(replica) is copied, \(isSeen ? "seen" : "unseen")"
        }
    }
}

/// How two replicas reach each other.
public enum SimulatedCarrier: Sendable, Hashable, CustomStringConvertible {
    /// In one process.
    case direct
    /// By messages, of which so many in a thousand are lost, cut, repeated or put off, drawn from a seed.
    case messages(faults: Int, seed: UInt64)
    /// In one process, but the connection is cut after so many calls.
    case cut(after: Int)

    public var description: String {
        switch self {
        case .direct: "directly"
        case .messages(let faults, let seed): "by messages, \(faults) of 1000 faulty (seed \(seed))"
        case .cut(let calls): "until the connection is cut after \(calls) calls"
        }
    }
}
