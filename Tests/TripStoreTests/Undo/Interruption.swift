import Synchronization
import TripStore

/// Runs an action before a write of a store: another writer's commit at that moment, or a failure.
final class Interruption: StoreInterceptor {
    private struct State {
        var writes = 0
        var write = 0
        var action: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())

    /// Runs `action` before the write of that number, counted from now on; not before writes of its own.
    func before(write: Int, _ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0 = State(write: write, action: action) }
    }

    /// The number of writes since the last call of `before`.
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
