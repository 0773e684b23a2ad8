import Events
import Synchronization

/// Bounds how many connections a server has.
final class SessionGate: Sendable {
    private struct Entry {
        let number: UInt64
        let port: any FramePort
        /// The one that it has proved; before that the one that its ticket names.
        var replica: ReplicaID?
        /// Whether it is served, and does not only begin a journal.
        var isServed = false
        /// Ends the session at the next good moment.
        var drain: (@Sendable () -> Void)?
    }

    private struct State {
        var next: UInt64 = 0
        /// By number, which is their order.
        var waiting: [UInt64: Entry] = [:]
        var sessions: [UInt64: Entry] = [:]
        var isDraining = false

        /// The oldest session of the replica that has most of them, if these are more than some.
        func oldestOfMost(over count: Int) -> Entry? {
            let most = Dictionary(grouping: sessions.values, by: \.replica).values.max {
                // The one whose session is the oldest comes first of several with as many.
                ($0.count, $1.lazy.map(\.number).min() ?? 0) < ($1.count, $0.lazy.map(\.number).min() ?? 0)
            }
            return most.flatMap { $0.count > count ? $0.min { $0.number < $1.number } : nil }
        }
    }

    private let limits: SessionLimits
    private let state = Mutex(State())

    init(_ limits: SessionLimits) { self.limits = limits }

    /// A new connection, whose client is unknown. Ends the oldest of such if there are too many, those without a ticket first: a client
    /// that means it is admitted before that.
    func enter(_ port: any FramePort) -> UInt64 {
        let (number, oldest) = state.withLock { state in
            state.next += 1
            if state.isDraining { return (state.next, Optional(Entry(number: state.next, port: port))) }
            state.waiting[state.next] = Entry(number: state.next, port: port)
            var oldest: Entry?
            if state.waiting.count > limits.waitingConnections {
                oldest = state.waiting.values.min {
                    ($0.replica == nil ? 0 : 1, $0.number) < ($1.replica == nil ? 0 : 1, $1.number)
                }
                if let oldest { state.waiting[oldest.number] = nil }
            }
            return (state.next, oldest)
        }
        oldest?.port.close()
        return number
    }

    /// The client shows a ticket. False if as many connections greet with one of this replica as it may have sessions.
    func knows(_ number: UInt64, _ replica: ReplicaID) -> Bool {
        state.withLock { state in
            guard state.waiting.values.count(where: { $0.replica == replica }) < limits.sessionsOfReplica else {
                return false
            }
            state.waiting[number]?.replica = replica
            return state.waiting[number] != nil
        }
    }

    /// The client has proved its key and may begin a session; returns false if there are too many. One that is served takes the
    /// place of one that only begins a journal, so that strangers keep no member away, and else that of the oldest of the replica that has
    /// most, if that has more than its own would have. Ends the replica's oldest session if it has too many: of its connections some are
    /// gone and were not missed yet.
    func admit(_ number: UInt64, _ replica: ReplicaID, isServed: Bool) -> Bool {
        let (isAdmitted, oldest) = state.withLock { state -> (Bool, Entry?) in
            guard var entry = state.waiting.removeValue(forKey: number) else { return (false, nil) }
            let others = state.sessions.values.filter { $0.replica == replica }
            var oldest = others.count >= limits.sessionsOfReplica ? others.min { $0.number < $1.number } : nil
            if oldest == nil, state.sessions.count >= limits.sessions {
                let strangers = state.sessions.values.filter { !$0.isServed }
                oldest =
                    isServed
                    ? strangers.min { $0.number < $1.number } ?? state.oldestOfMost(over: others.count + 1) : nil
                guard oldest != nil else { return (false, nil) }
            }
            if let oldest { state.sessions[oldest.number] = nil }
            (entry.replica, entry.isServed) = (replica, isServed)
            state.sessions[number] = entry
            return (true, oldest)
        }
        oldest?.port.close()
        return isAdmitted
    }

    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Admits nobody from now on, closes the connections that are not admitted yet, and drains the sessions.
    func drain() {
        let (waiting, drains) = state.withLock { state in
            state.isDraining = true
            return (state.waiting.values.map(\.port), state.sessions.values.compactMap(\.drain))
        }
        for port in waiting { port.close() }
        for drain in drains { drain() }
    }

    /// What drains a session; called at once if that has begun.
    func onDrain(_ number: UInt64, _ drain: @escaping @Sendable () -> Void) {
        let isDraining = state.withLock { state in
            state.sessions[number]?.drain = drain
            return state.isDraining
        }
        if isDraining { drain() }
    }

    func leave(_ number: UInt64) {
        state.withLock { state in
            state.waiting[number] = nil
            state.sessions[number] = nil
        }
    }

    /// The number of sessions, and of connections that wait to become one.
    var counts: (sessions: Int, waiting: Int) { state.withLock { ($0.sessions.count, $0.waiting.count) } }
}
