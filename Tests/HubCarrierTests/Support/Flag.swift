#if Hub
    import Synchronization

    /// Set once by a task that another waits for.
    final class Flag: Sendable {
        private let stream = AsyncStream<Never>.makeStream()

        func set() { stream.continuation.finish() }

        /// Waited for by one task.
        func wait() async { for await _ in stream.stream {} }
    }

    /// Counts, from any task.
    final class Counter: Sendable {
        private let count = Atomic<Int>(0)

        var value: Int { count.load(ordering: .sequentiallyConsistent) }

        func add(_ amount: Int = 1) { count.add(amount, ordering: .sequentiallyConsistent) }
    }
#endif
