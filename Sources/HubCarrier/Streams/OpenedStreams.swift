#if Hub
    import Events
    import LogExchange
    internal import NIOCore
    import Synchronization

    /// The streams of connections whose tasks have not begun yet, by number: the transport names no more of them to
    /// its tasks than their headers.
    final class OpenedStreams: Sendable {
        struct Opened: Sendable {
            let channel: any Channel
            let certificate: Digest?
            let allowance: ReadAllowance
            /// The place of the stream's connection; nil at a client.
            let place: ConnectionPlace?
        }

        private struct State {
            var next = 0
            var waiting: [Int: Opened] = [:]
            var latest: Opened?
        }

        private let state = Mutex(State())

        /// The newest stream: for clients, which open one alone.
        var latest: Opened? { state.withLock { $0.latest } }

        var nextNumber: Int {
            state.withLock { state in
                defer { state.next += 1 }
                return state.next
            }
        }

        /// Prepares a stream's channel, and closes it if that fails. On its event loop.
        ///
        /// It never fails itself: the transport has begun with the channel already.
        func add(_ channel: any Channel, _ allowance: ReadAllowance, number: Int?) -> EventLoopFuture<Void> {
            do {
                try prepare(channel, allowance, number: number)
            } catch {
                allowance.end()
                channel.close(promise: nil)
            }
            return channel.eventLoop.makeSucceededVoidFuture()
        }

        private func prepare(_ channel: any Channel, _ allowance: ReadAllowance, number: Int?) throws {
            guard let connection = channel.parent else {
                throw ExchangeError(.cut, "A stream has no connection.")
            }
            let context = try connection.pipeline.syncOperations.context(handlerType: ConnectionWatch.self)
            guard let watch = context.handler as? ConnectionWatch else {
                throw ExchangeError(.cut, "A stream's connection is not watched.")
            }
            let gate = StreamGate(allowance, number: number, watch, context)
            try channel.pipeline.syncOperations.addHandler(gate, position: .first)
            watch.opened(channel, context: context)
            let opened = Opened(
                channel: channel, certificate: watch.certificate, allowance: allowance, place: watch.place)
            guard let number else { return state.withLock { $0.latest = opened } }
            state.withLock { $0.waiting[number] = opened }
            // A stream may end before its task begins.
            channel.closeFuture.whenComplete { [self] _ in
                _ = take(number)
                allowance.end()
            }
        }

        func take(_ number: Int) -> Opened? { state.withLock { $0.waiting.removeValue(forKey: number) } }
    }
#endif
