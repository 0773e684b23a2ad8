public import LogExchange
import Synchronization
import TestSupport

/// Time that passes when a test lets it: for sessions and what keeps them.
public final class ManualTime: Sendable {
    private struct Sleeper {
        let id: UInt64
        let due: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.zero
        var nextID: UInt64 = 0
        var sleepers: [Sleeper] = []
        var random: SeededGenerator
    }

    private let state: Mutex<State>

    public init(seed: UInt64 = 1) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

    public var now: Duration { state.withLock { $0.now } }

    /// When the sleepers are due, in order.
    public var due: [Duration] { state.withLock { $0.sleepers.map(\.due).sorted() } }

    /// Lets time pass, and wakes who slept so long.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now += duration
            defer { state.sleepers.removeAll { $0.due <= state.now } }
            return state.sleepers.filter { $0.due <= state.now }.sorted { $0.due < $1.due }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    private func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if duration <= .zero { return .success(()) }
                    state.sleepers.append(
                        Sleeper(id: id, due: state.now + duration, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let index = state.sleepers.firstIndex { $0.id == id }
                return index.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    public var dependencies: SessionDependencies {
        SessionDependencies(
            now: { self.now }, sleep: { try await self.sleep($0) },
            randomBytes: { count in
                self.state.withLock { state in
                    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &state.random) }
                }
            })
    }
}

/// Waits until something is so; a test that waits has a time limit.
public func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
