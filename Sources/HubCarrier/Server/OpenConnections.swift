#if Hub
    internal import CoreMetrics
    import LogExchange
    internal import NIOCore
    import Synchronization

    /// The connections of a listener.
    final class OpenConnections: Sendable {
        let metrics: HubMetrics
        private let memory: SessionMemory?
        private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

        init(_ metrics: HubMetrics, _ memory: SessionMemory?) {
            self.metrics = metrics
            self.memory = memory
        }

        func add(_ channel: any Channel) {
            let id = ObjectIdentifier(channel)
            channels.withLock { $0[id] = channel }
            metrics.accepted.increment()
            metrics.connections.increment()
            memory?.connected()
            channel.closeFuture.whenComplete { [self] _ in
                channels.withLock { _ = $0.removeValue(forKey: id) }
                metrics.connections.decrement()
                memory?.disconnected()
            }
        }

        func closeAll() {
            for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
        }
    }
#endif
