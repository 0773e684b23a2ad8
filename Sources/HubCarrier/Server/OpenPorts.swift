#if Hub
    import LogExchange
    import Synchronization

    /// The ports of a listener's streams, and the tasks of their handlers.
    final class OpenPorts: Sendable {
        private struct State {
            var next = 0
            var ports: [Int: (port: StreamPort, work: Task<Void, Never>)] = [:]
            var isClosed = false
        }

        private let state = Mutex(State())

        func add(_ port: StreamPort, _ work: Task<Void, Never>) -> Int {
            let (id, isClosed) = state.withLock { state in
                state.next += 1
                state.ports[state.next] = (port, work)
                return (state.next, state.isClosed)
            }
            if isClosed { port.close() }
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

        func cancelAll() {
            for port in state.withLock({ Array($0.ports.values) }) { port.work.cancel() }
        }
    }
#endif
