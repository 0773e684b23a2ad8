#if Hub
    internal import NIOCore
    internal import NIOHPACK
    internal import NIOHTTP2

    /// Pauses the reads of a stream while too many of its bytes wait, and gives the stream a number in its headers,
    /// by which a server finds what belongs to it.
    ///
    /// It stands before gRPC's handlers, where HTTP/2's frames arrive.
    final class StreamGate: ChannelDuplexHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias InboundOut = HTTP2Frame.FramePayload
        typealias OutboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        /// The name of the header. A value that a client sends is replaced.
        static let header = "tripstore-stream"

        private let allowance: ReadAllowance
        private let number: Int?
        /// The watch of the stream's connection, and that one's place in the pipeline.
        private let watch: ConnectionWatch
        private let connection: ChannelHandlerContext
        private var isPaused = false
        /// Whether the connection is paused for it: not where only frames wait to be taken, whose answers need the connection.
        private var isHolding = false

        init(_ allowance: ReadAllowance, number: Int?, _ watch: ConnectionWatch, _ connection: ChannelHandlerContext) {
            self.allowance = allowance
            self.number = number
            self.watch = watch
            self.connection = connection
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .data(let data):
                guard case .byteBuffer(let bytes) = data.data else { break }
                let isAtEnd = allowance.received(bytes.readableBytesView)
                context.fireChannelRead(wrapInboundOut(.data(data)))
                // gRPC's reader keeps the buffer of the last message, as large as it was, until more bytes come: these are none.
                if isAtEnd, !data.endStream {
                    context.fireChannelRead(wrapInboundOut(.data(.init(data: .byteBuffer(ByteBuffer())))))
                }
                return
            case .headers(var headers):
                guard let number else { break }
                headers.headers.remove(name: Self.header)
                headers.headers.add(name: Self.header, value: "\(number)")
                context.fireChannelRead(wrapInboundOut(.headers(headers)))
                return
            default: break
            }
            context.fireChannelRead(data)
        }

        /// Counts what the network takes: HTTP/2 and TLS hold what the other end does not take.
        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .data(let payload) = unwrapOutboundIn(data), case .byteBuffer(var bytes) = payload.data else {
                return context.write(data, promise: promise)
            }
            allowance.sending(bytes.readableBytes)
            // In pieces: of a whole message HTTP/2 would tell when its last byte is taken, and a slow link would seem to take nothing.
            while bytes.readableBytes > Self.piece, let piece = bytes.readSlice(length: Self.piece) {
                write(HTTP2Frame.FramePayload.Data(data: .byteBuffer(piece)), nil, context)
            }
            var last = payload
            last.data = .byteBuffer(bytes)
            write(last, promise, context)
        }

        private static let piece = 16 << 10

        private func write(
            _ payload: HTTP2Frame.FramePayload.Data, _ promise: EventLoopPromise<Void>?,
            _ context: ChannelHandlerContext
        ) {
            let bytes = payload.data.readableBytes
            let written = promise ?? context.eventLoop.makePromise(of: Void.self)
            written.futureResult.whenComplete { [allowance] _ in allowance.sent(bytes) }
            context.write(wrapOutboundOut(.data(payload)), promise: written)
        }

        func read(context: ChannelHandlerContext) {
            guard !isPaused else { return }
            let loop = context.eventLoop
            let bound = NIOLoopBound((self, context), eventLoop: loop)
            // Streams have their connection's event loop. The context of a channel that has closed meanwhile ignores the read.
            isPaused = !allowance.mayRead {
                loop.execute { bound.value.0.resume(bound.value.1) }
            }
            guard isPaused else { return context.read() }
            isHolding = allowance.isAwaitingRoom
            if isHolding { watch.pause() }
        }

        private func resume(_ context: ChannelHandlerContext) {
            isPaused = false
            if isHolding { watch.resume(connection) }
            isHolding = false
            context.read()
        }
    }
#endif
