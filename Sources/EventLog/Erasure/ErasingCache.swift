import Events
import Synchronization

/// Keeps what is erased, as last resolved, for every read of a log, and the statements that were read for it.
final class ErasingCache: Sendable {
    /// Readers of older snapshots need older states.
    private static let capacity = 4
    /// Statements are kept for no more commits than this.
    private static let mostCommits = 4096

    private struct State {
        /// Newest first, each with the tokens of the statements and of the members when it was resolved.
        var resolved: [(tokens: [UInt8], erasing: ResolvedErasing)] = []
        /// By position. No statement is ever erased, so what a whole commit states never changes.
        var facts: [UInt64: [ErasingFact]] = [:]
        /// A time in milliseconds since 1970 in which nothing was due, and the state of the log then.
        var idle: (state: [UInt8], times: Range<Int64>)?
        /// The state of the log in which nothing had arrived late.
        var swept: [UInt8]?
    }

    private let state = Mutex(State())

    func resolved(for tokens: [UInt8]) -> ResolvedErasing? {
        state.withLock { $0.resolved.first { $0.tokens == tokens }?.erasing }
    }

    func keep(_ erasing: ResolvedErasing, for tokens: [UInt8]) {
        state.withLock { state in
            state.resolved.removeAll { $0.tokens == tokens }
            state.resolved.insert((tokens, erasing), at: 0)
            if state.resolved.count > Self.capacity { state.resolved.removeLast() }
        }
    }

    /// Whether nothing is due at a time, as was found before in the same state of the log: each greeting of a peer asks.
    func isIdle(in state: [UInt8], at now: Int64) -> Bool {
        self.state.withLock { $0.idle.map { $0.state == state && $0.times.contains(now) } ?? false }
    }

    func keepIdle(in state: [UInt8], _ times: Range<Int64>) { self.state.withLock { $0.idle = (state, times) } }

    /// Whether nothing had arrived late in a state of the log, as was found before: each greeting asks this, too.
    func isSwept(in state: [UInt8]) -> Bool { self.state.withLock { $0.swept == state } }

    func keepSwept(in state: [UInt8]) { self.state.withLock { $0.swept = state } }

    /// The statements of the commit at a position, if it is the one with a hash and they were read before.
    func facts(at position: UInt64, _ hash: Digest) -> [ErasingFact]? {
        state.withLock { state in
            guard let facts = state.facts[position], facts.first?.commit.hash == hash else { return nil }
            return facts
        }
    }

    func keep(_ facts: [ErasingFact], at position: UInt64) {
        guard !facts.isEmpty else { return }
        state.withLock { state in
            // The rest of more commits is read each time; making room for it would read all of them each time.
            guard state.facts.count < Self.mostCommits || state.facts[position] != nil else { return }
            state.facts[position] = facts
        }
    }
}
