#if Hub
    import NIOCore
    import NIOPosix

    /// Sends a request as text, and returns what came until the connection was closed.
    enum HTTPText {
        static func exchange(_ request: String, port: Int) async throws -> String {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let result = loop.makePromise(of: String.self)
            let channel = try await ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Gathering(result))
                    }
                }
                .connect(host: "127.0.0.1", port: port)
                .flatMapError { error in
                    result.fail(error)
                    return loop.makeFailedFuture(error)
                }.get()
            try? await channel.writeAndFlush(ByteBuffer(string: request))
            return try await result.futureResult.get()
        }

        static func get(_ path: String, method: String = "GET", port: Int) async throws -> String {
            try await exchange("\(method) \(path) HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", port: port)
        }

        private final class Gathering: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            private let result: EventLoopPromise<String>
            private var text = ""

            init(_ result: EventLoopPromise<String>) { self.result = result }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                text += String(buffer: unwrapInboundIn(data))
            }

            func channelInactive(context: ChannelHandlerContext) { result.succeed(text) }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }
    }
#endif
