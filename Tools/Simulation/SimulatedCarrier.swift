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
