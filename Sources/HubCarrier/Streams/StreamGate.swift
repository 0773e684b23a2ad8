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
        private var later: Scheduled<Void>?

        init(_ allowance: ReadAllowance, number: Int?) {
            self.allowance = allowance
            self.number = number
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .data(let data):
                allowance.received(data.data.readableBytes)
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

        /// Another stream that may go on may be slow.
        private func askAgainLater(_ context: ChannelHandlerContext) {
            guard later == nil, let delay = allowance.asksAgain else { return }
            later = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
                self.later = nil
                context.read()
            }
        }

        func handlerRemoved(context: ChannelHandlerContext) { later?.cancel() }

        func read(context: ChannelHandlerContext) {
            let loop = context.eventLoop
            let bound = NIOLoopBound(context, eventLoop: loop)
            // The context of a channel that has closed meanwhile ignores the read.
            if allowance.mayRead(resume: { loop.execute { bound.value.read() } }) { return context.read() }
            askAgainLater(context)
        }
    }
#endif
