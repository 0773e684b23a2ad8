#if Hub
    import LogExchange
    import Synchronization

    /// The ports of a listener's streams, and the tasks of their handlers.
    final class OpenPorts: Sendable {
        private struct State {
            var next = 0
            var ports: [Int: (port: any FramePort, work: Task<Void, Never>)] = [:]
            var isClosed = false
            var isCancelled = false
        }

        private let state = Mutex(State())

        func add(_ port: any FramePort, _ work: Task<Void, Never>) -> Int {
            let (id, isClosed, isCancelled) = state.withLock { state in
                state.next += 1
                state.ports[state.next] = (port, work)
                return (state.next, state.isClosed, state.isCancelled)
            }
            if isClosed { port.close() }
            if isCancelled { work.cancel() }
            return id
        }

        func remove(_ id: Int) { state.withLock { _ = $0.ports.removeValue(forKey: id) } }

        /// Closes all, and those that are added from now on.
        func closeAll() {
            let ports = state.withLock { state in
                state.isClosed = true
                return Array(state.ports.values)
            }
            for port in ports { port.port.close() }
        }

        /// Cancels the handlers of all, and of those that are added from now on: a stream may come in the last moment.
        func cancelAll() {
            let ports = state.withLock { state in
                state.isCancelled = true
                return Array(state.ports.values)
            }
            for port in ports { port.work.cancel() }
        }
    }
#endif
