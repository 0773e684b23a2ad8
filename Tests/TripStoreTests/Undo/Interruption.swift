import Synchronization
import TripStore

/// Steps in before one write of a store: what another does at that moment, or what fails then.
final class Interruption: StoreInterceptor {
    private struct State {
        var writes = 0
        var write = 0
        var action: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())

    /// Runs `action` before the write of that number, counted from now on; writes of its own are not stepped into.
    func before(write: Int, _ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0 = State(write: write, action: action) }
    }

    /// How many writes were asked for since the last call of `before`.
    var writes: Int { state.withLock { $0.writes } }

    func willWrite() async throws {
        let action = state.withLock { state -> (@Sendable () async throws -> Void)? in
            state.writes += 1
            guard state.writes == state.write else { return nil }
            defer { state.action = nil }
            return state.action
        }
        try await action?()
    }

    func willRead() throws {}
}
