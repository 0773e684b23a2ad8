/// One step of a simulation. It names replicas by number, and does nothing where it makes no sense, so that any part of
/// a scenario is a scenario.
public enum SimulationStep: Sendable, Hashable, CustomStringConvertible {
    /// A replica writes that many commits, drawn from a seed.
    case write(replica: Int, commits: Int, seed: UInt64)
    /// It writes fields and kinds that are unknown here, as a newer version would.
    case writeUnknown(replica: Int, seed: UInt64)
    /// It writes that many commits of some hundred events at once.
    case load(replica: Int, commits: Int, seed: UInt64)
    /// It undoes something.
    case undo(replica: Int, seed: UInt64)
    /// It redoes what it undid last.
    case redo(replica: Int, seed: UInt64)
    /// It resolves conflicts.
    case resolve(replica: Int, seed: UInt64)
    /// One replica exchanges with another, which it reaches in some way.
    /// Erases parts of a commit of its own.
    case erase(replica: Int, seed: UInt64)
    case exchange(Int, with: Int, over: SimulatedCarrier)
    /// It writes a bundle of all that another lacks, or of everything.
    case writeBundle(from: Int, for: Int?)
    /// It reads one of the written bundles; perhaps again.
    case readBundle(number: Int, into: Int)
    /// A replica's process ends, and begins again when it is next needed.
    case crash(Int)
    /// A replica closes its store, and opens it when it is next needed.
    case close(Int)
    /// All clocks advance.
    case wait(milliseconds: Int64)
    /// One clock is set forward, or back.
    case setClock(replica: Int, by: Int64)
    /// One clock is set that far from a right one.
    case setClockApart(replica: Int, by: Int64)
    /// A day passes, and all clocks are set right.
    case passDay
    /// From now on those whose bits are set do not reach the others.
    case partition(UInt32)
    /// A new device joins, with an empty store.
    case join
    /// A copy of a store is kept.
    case backUp(Int)
    /// A replica's store is restored to the copy, noticed or not.
    case restore(Int, isSeen: Bool)
    /// A store is copied, and both go on, noticed by the copy or not.
    case copy(Int, isSeen: Bool)
    /// One replica exchanges with another over a hostile carrier, and then over an honest one.
    case tamper(Int, with: Int, Tampering, seed: UInt64)
    /// It reads a bundle of another's that was changed in transit, and then exchanges with the other.
    case readTampered(from: Int, into: Int, Tampering, seed: UInt64)
    /// One replica exchanges with another over a carrier that takes payloads away in both directions, in a founded journal.
    case withhold(Int, with: Int, seed: UInt64)
    /// A replica exchanges with a hub that lies about what it holds.
    case deceive(Int, HubLie, seed: UInt64)
    /// A hostile writer acts on a replica, in an open journal.
    case attack(writer: Int, HostileAct, on: Int, seed: UInt64)

    public var description: String {
        switch self {
        case .write(let replica, let commits, let seed): "\(replica) writes \(commits) commits (seed \(seed))"
        case .writeUnknown(let replica, let seed): "\(replica) writes what is not known (seed \(seed))"
        case .exchange(let one, let other, let carrier): "\(one) exchanges with \(other) \(carrier)"
        case .writeBundle(let replica, let other):
            "\(replica) writes a bundle for \(other.map(String.init) ?? "anyone")"
        case .readBundle(let number, let replica): "\(replica) reads bundle \(number)"
        case .load(let replica, let commits, let seed): "\(replica) loads \(commits) commits (seed \(seed))"
        case .undo(let replica, let seed): "\(replica) undoes something (seed \(seed))"
        case .redo(let replica, let seed): "\(replica) does something again (seed \(seed))"
        case .resolve(let replica, let seed): "\(replica) resolves conflicts (seed \(seed))"
        case .erase(let replica, let seed): "\(replica) erases something (seed \(seed))"
        case .close(let replica): "\(replica) closes its store"
        case .setClockApart(let replica, let milliseconds): "the clock of \(replica) is \(milliseconds) ms off"
        case .tamper(let one, let other, let tampering, let seed):
            "\(one) exchanges with \(other) over a carrier that tampers (\(tampering.rawValue), seed \(seed))"
        case .readTampered(let from, let into, let tampering, let seed):
            "\(into) reads a bundle of \(from) that was tampered with (\(tampering.rawValue), seed \(seed))"
        case .withhold(let one, let other, let seed):
            "\(one) exchanges with \(other) over a carrier that withholds payloads (seed \(seed))"
        case .deceive(let replica, let lie, let seed):
            "\(replica) exchanges with a hub that lies (\(lie.rawValue), seed \(seed))"
        case .attack(let writer, let act, let victim, let seed):
            "hostile writer \(writer) \(act), to \(victim) (seed \(seed))"
        case .crash(let replica): "\(replica) crashes"
        case .wait(let milliseconds): "\(milliseconds) ms pass"
        case .setClock(let replica, let milliseconds): "the clock of \(replica) is set by \(milliseconds) ms"
        case .passDay: "a day passes"
        case .partition(let bits): "partition \(String(bits, radix: 2))"
        case .join: "a new device joins"
        case .backUp(let replica): "\(replica) is backed up"
        case .restore(let replica, let isSeen): "\(replica) is restored, \(isSeen ? "seen" : "unseen")"
        case .copy(let replica, let isSeen): "\(replica) is copied, \(isSeen ? "seen" : "unseen")"
        }
    }
}
