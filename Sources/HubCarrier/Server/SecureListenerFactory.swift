#if Hub
    internal import CoreMetrics
    internal import GRPCNIOTransportCore
    import LogExchange
    internal import Logging
    internal import NIOCore
    internal import NIOPosix
    internal import NIOSSL
    import Synchronization

    /// Listens, and puts TLS with the newest certificate before each connection.
    struct SecureListenerFactory: HTTP2ServerTransport.ListenerFactory {
        let address: NIOCore.SocketAddress
        let limits: HubLimits
        let certificate: CurrentCertificate
        let connections: OpenConnections
        let places: ConnectionPlaces
        let log: Logger

        var eventLoopGroup: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

        func makeListeningChannel(
            listenerConfigurator: HTTP2ServerTransport.ListenerConfigurator,
            connectionConfigurator: HTTP2ServerTransport.ConnectionConfigurator
        ) async throws -> NIOAsyncChannel<HTTP2ServerTransport.ConnectionConfigurator.ConnectionChannel, Never> {
            try await ServerBootstrap(group: eventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.backlog, value: 1024)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .serverChannelInitializer { [log] channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers([AcceptBackoffHandler(), AcceptErrors(log)])
                    }.flatMap { listenerConfigurator.configure(channel: channel) }
                }
                .bind(to: address) { [limits, places, log] channel in
                    connections.add(channel)
                    return channel.eventLoop.makeCompletedFuture {
                        let certificate = certificate.value
                        try channel.pipeline.syncOperations.addHandlers([
                            NIOSSLServerHandler(context: certificate.context),
                            ConnectionWatch(limits, certificate: certificate.pin, places: places) { error in
                                log.debug("A connection of the hub failed", metadata: ["error": "\(error)"])
                            },
                        ])
                    }.flatMap {
                        connectionConfigurator.configure(channel: channel, tls: .configured(requireALPN: true))
                    }
                }
        }
    }

    /// The certificate of connections from now on.
    final class CurrentCertificate: Sendable {
        private let current: Mutex<HubCertificate>

        init(_ certificate: HubCertificate) { current = Mutex(certificate) }

        var value: HubCertificate {
            get { current.withLock { $0 } }
            set { current.withLock { $0 = newValue } }
        }
    }

    /// Keeps a failed `accept` from ending the listener.
    private final class AcceptErrors: ChannelInboundHandler {
        typealias InboundIn = any Channel

        private let log: Logger

        init(_ log: Logger) { self.log = log }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            log.warning("A connection could not be accepted", metadata: ["error": "\(error)"])
        }
    }
#endif
