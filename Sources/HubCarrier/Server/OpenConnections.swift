#if Hub
    internal import CoreMetrics
    internal import NIOCore
    import Synchronization

    /// The connections of a listener.
    final class OpenConnections: Sendable {
        let metrics: HubMetrics
        private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

        init(_ metrics: HubMetrics) { self.metrics = metrics }

        func add(_ channel: any Channel) {
            let id = ObjectIdentifier(channel)
            channels.withLock { $0[id] = channel }
            metrics.accepted.increment()
            metrics.connections.increment()
            channel.closeFuture.whenComplete { [self] _ in
                channels.withLock { _ = $0.removeValue(forKey: id) }
                metrics.connections.decrement()
            }
        }

        func closeAll() {
            for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
        }
    }
#endif
