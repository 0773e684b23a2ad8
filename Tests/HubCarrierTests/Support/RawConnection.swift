#if Hub
    import NIOCore
    import NIOPosix
    import NIOSSL

    /// A connection of TCP without any manners, with TLS if asked for.
    struct RawConnection {
        let channel: any Channel

        /// From an address of this machine, or any.
        init(port: Int, from address: String? = nil, tls: TLSConfiguration? = nil) async throws {
            var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            if let address { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: address, port: 0)) }
            channel =
                try await bootstrap
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard let tls else { return }
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: NIOSSLContext(configuration: tls), serverHostname: nil))
                        try channel.pipeline.syncOperations.addHandler(IgnoredErrors())
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
        }

        func send(_ text: String) { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }

        /// Returns once the other end has closed the connection.
        func closed() async throws { try await channel.closeFuture.get() }
    }

    private final class IgnoredErrors: ChannelInboundHandler {
        typealias InboundIn = Any

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// A server of TCP that is no hub.
    struct RawServer {
        let channel: any Channel

        var port: Int { channel.localAddress?.port ?? 0 }

        /// Answers with a text what comes, or says nothing at all.
        init(answer: String?) async throws {
            channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Answering(answer))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        }

        func close() async throws { try await channel.close() }
    }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: String?

        init(_ answer: String?) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard let answer else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }
    }
#endif
