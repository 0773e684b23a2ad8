#if Hub
    import Synchronization

    /// Whether a hub serves: what its health service, `/readyz` and a metric report.
    ///
    /// It serves unless it is shutting down, or something is wrong with what it needs. Each fault has a source, which sets and clears it.
    public final class HubHealth: Sendable {
        private struct State {
            var isShuttingDown = false
            var faults: [String: String] = [:]
            var note: String?
            var next = 0
            var watchers: [Int: AsyncStream<Bool>.Continuation] = [:]
        }

        private let state = Mutex(State())

        public init() {}

        public var isServing: Bool { state.withLock { Self.isServing($0) } }

        /// Why the hub does not serve, in words; nil if it does.
        public var reason: String? {
            state.withLock { state in
                if state.isShuttingDown { return "The hub is shutting down." }
                return state.faults.sorted { $0.key < $1.key }.map(\.value).joined(separator: " ").nonEmpty
            }
        }

        /// Sets the fault of a source, in a sentence; nil clears it. Returns whether it is another one than before.
        @discardableResult
        public func set(_ fault: String?, of source: String) -> Bool {
            change { state in
                defer { state.faults[source] = fault }
                return state.faults[source] != fault
            }
        }

        /// A sentence for operators while the hub serves; nil if there is none.
        public var note: String? {
            get { state.withLock { $0.note } }
            set { state.withLock { $0.note = newValue } }
        }

        /// Stops serving for good.
        public func shutDown() { change { $0.isShuttingDown = true } }

        /// Whether the hub serves now, and each time that this changes; ends when it shuts down. If several changes come before they are
        /// looked at, the newest is kept. Nil if as many watch as may.
        func watch(atMost most: Int) -> HealthWatch? {
            let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
            let number: Int? = state.withLock { state in
                guard state.watchers.count < most else { return nil }
                state.next += 1
                continuation.yield(Self.isServing(state))
                if state.isShuttingDown { continuation.finish() } else { state.watchers[state.next] = continuation }
                return state.next
            }
            guard let number else { return nil }
            continuation.onTermination = { [weak self] _ in self?.remove(number) }
            return HealthWatch(changes: stream, continuation: continuation)
        }

        /// How many watch.
        var watchers: Int { state.withLock { $0.watchers.count } }

        private func remove(_ number: Int) { state.withLock { _ = $0.watchers.removeValue(forKey: number) } }

        private func change<T>(_ body: (inout State) -> T) -> T {
            let (result, told) = state.withLock { state in
                let before = Self.isServing(state)
                let result = body(&state)
                let after = Self.isServing(state)
                let told = Array(state.watchers.values)
                // In the order of the changes.
                if before != after { for watcher in told { watcher.yield(after) } }
                return (result, state.isShuttingDown ? told : [])
            }
            for watcher in told { watcher.finish() }
            return result
        }

        private static func isServing(_ state: State) -> Bool { !state.isShuttingDown && state.faults.isEmpty }
    }

    /// A watch of a hub's health.
    struct HealthWatch: Sendable {
        let changes: AsyncStream<Bool>
        fileprivate let continuation: AsyncStream<Bool>.Continuation

        func end() { continuation.finish() }
    }

    extension String {
        fileprivate var nonEmpty: String? { isEmpty ? nil : self }
    }
#endif
