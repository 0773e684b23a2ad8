#if Hub
    internal import LogExchange
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix
    public import ServiceLifecycle
    import Synchronization

    /// A small server of HTTP/1.1 without encryption, for an operator's own network: `/metrics`, `/healthz` and `/readyz`.
    ///
    /// It takes GET and HEAD, no bodies, a bounded number of connections, of which the oldest is closed for a new one, and closes those that are
    /// silent.
    public final class StatusServer: Service {
        /// The address and the port that it is bound to.
        public let host: String
        public let port: Int
        private let channel: any Channel

        private static let (connections, silence) = (64, TimeAmount.seconds(30))

        private init(_ host: String, _ port: Int, _ channel: any Channel) {
            (self.host, self.port, self.channel) = (host, port, channel)
        }

        /// Listens on an address of this machine. Port 0 takes a free one. Throws `ExchangeError.cannotListen`.
        ///
        /// `metrics` writes the metrics as text.
        public static func start(
            host: String, port: Int, health: HubHealth, metrics: @escaping @Sendable () async -> String
        ) async throws -> StatusServer {
            let pages = StatusPages(health: health, metrics: metrics)
            let slots = ConnectionSlots(connections)
            do {
                let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .childChannelInitializer { child in
                        child.eventLoop.makeCompletedFuture {
                            slots.take(child)
                            let pipeline = child.pipeline.syncOperations
                            try pipeline.addHandler(IdleStateHandler(readTimeout: silence))
                            try pipeline.configureHTTPServerPipeline()
                            try pipeline.addHandler(StatusHandler(pages))
                        }
                    }
                    .bind(host: host, port: port).get()
                return StatusServer(
                    channel.localAddress?.ipAddress ?? host, channel.localAddress?.port ?? port, channel)
            } catch {
                throw ExchangeError(
                    .cannotListen,
                    "The metrics cannot be served on \(host), port \(port): it is taken, or not of this machine.",
                    cause: error)
            }
        }

        /// Serves until the group of services shuts down.
        public func run() async throws {
            try? await gracefulShutdown()
            await close()
        }

        /// Stops listening. Connections end when their clients close them or are silent.
        public func close() async { try? await channel.close() }
    }

    /// The connections that there may be. A new one takes the place of the oldest, so that none that is held keeps another away.
    private final class ConnectionSlots: Sendable {
        private let most: Int
        private let channels = Mutex<[any Channel]>([])

        init(_ most: Int) { self.most = most }

        func take(_ channel: any Channel) {
            let oldest: (any Channel)? = channels.withLock { channels in
                channels.append(channel)
                return channels.count > most ? channels.removeFirst() : nil
            }
            oldest?.close(promise: nil)
            channel.closeFuture.whenComplete { [self] _ in channels.withLock { $0.removeAll { $0 === channel } } }
        }
    }
#endif
