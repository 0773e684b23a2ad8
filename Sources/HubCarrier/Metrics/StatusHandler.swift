#if Hub
    internal import NIOCore
    internal import NIOHTTP1

    /// Answers the requests of one connection, one after the other.
    final class StatusHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        /// A request's body is passed over up to this size.
        private static let largestBody = 64 * 1024

        private let pages: StatusPages
        private var head: HTTPRequestHead?
        private var bodyBytes = 0

        init(_ pages: StatusPages) { self.pages = pages }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, bodyBytes) = (head, 0)
            case .body(let bytes):
                bodyBytes += bytes.readableBytes
                if bodyBytes > Self.largestBody { context.close(promise: nil) }
            case .end:
                guard let head else { return }
                respond(to: head, context)
            }
        }

        private func respond(to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            let isAllowed = [.GET, .HEAD].contains(head.method)
            context.eventLoop.makeFutureWithTask { [pages] in
                isAllowed
                    ? await pages.page(at: head.uri)
                    : StatusPages.Page(code: 405, type: "text/plain; charset=utf-8", text: "Only GET and HEAD.\n")
            }.whenSuccess { page in
                let (handler, context) = bound.value
                handler.write(page, for: head, context)
            }
        }

        private func write(_ page: StatusPages.Page, for head: HTTPRequestHead, _ context: ChannelHandlerContext) {
            guard context.channel.isActive else { return }
            let bytes = context.channel.allocator.buffer(string: page.text)
            var headers: HTTPHeaders = [
                "content-type": page.type, "content-length": "\(bytes.readableBytes)", "cache-control": "no-store",
            ]
            if page.code == 405 { headers.add(name: "allow", value: "GET, HEAD") }
            if !head.isKeepAlive { headers.add(name: "connection", value: "close") }
            let response = HTTPResponseHead(
                version: head.version, status: HTTPResponseStatus(statusCode: page.code), headers: headers)
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            if head.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil) }
            let written = context.eventLoop.makePromise(of: Void.self)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
            guard !head.isKeepAlive else { return }
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
