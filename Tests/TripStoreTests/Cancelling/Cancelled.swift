import Synchronization

/// The outcome of work whose task is cancelled from within, on any thread.
func cancelled<T: Sendable>(
    _ body: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async throws -> T
) async -> Result<T, any Error> {
    let canceller = Canceller()
    let (start, starter) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
        for await _ in start { break }
        return try await body { canceller.cancel() }
    }
    canceller.set { task.cancel() }
    starter.yield()
    return await task.result
}

private final class Canceller: Sendable {
    private let action = Mutex<@Sendable () -> Void>({})

    func set(_ cancel: @escaping @Sendable () -> Void) { action.withLock { $0 = cancel } }

    func cancel() { action.withLock { $0 }() }
}

extension Result {
    /// Whether it is a cancellation.
    var isCancelled: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }
}
