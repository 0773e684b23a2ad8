#if Hub
    internal import NIOCore
    import Synchronization

    /// The connections of a listener.
    final class OpenConnections: Sendable {
        private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

        func add(_ channel: any Channel) {
            let id = ObjectIdentifier(channel)
            channels.withLock { $0[id] = channel }
            channel.closeFuture.whenComplete { [self] _ in channels.withLock { _ = $0.removeValue(forKey: id) } }
        }

        func closeAll() {
            for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
        }
    }
#endif
