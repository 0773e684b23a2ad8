/// How two replicas are connected.
public enum SimulatedCarrier: Sendable, Hashable, CustomStringConvertible {
    /// In one process.
    case direct
    /// By messages; of each thousand, `faults` are lost, cut, repeated or delayed, drawn from a seed.
    case messages(faults: Int, seed: UInt64)
    /// In one process; the connection is cut after a number of calls.
    case cut(after: Int)

    public var description: String {
        switch self {
        case .direct: "directly"
        case .messages(let faults, let seed): "by messages, \(faults) of 1000 faulty (seed \(seed))"
        case .cut(let calls): "until the connection is cut after \(calls) calls"
        }
    }
}
