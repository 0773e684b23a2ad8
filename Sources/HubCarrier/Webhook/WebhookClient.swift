#if Hub
    internal import Crypto
    import Foundation
    import LogExchange
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix
    internal import NIOSSL

    /// Posts over HTTP/1.1, each over a connection of its own, with TLS for https. Redirects are not followed.
    struct WebhookClient: Sendable {
        private let host: String
        private let port: Int
        private let target: String
        private let tls: NIOSSLContext?
        private let timeOut: TimeAmount

        /// Throws `WebhookOptions.Unusable` if the options' roots cannot be used.
        init(_ options: WebhookOptions) throws {
            let isEncrypted = options.url.scheme?.lowercased() == "https"
            let name = options.url.host ?? ""
            host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
            port = options.url.port ?? (isEncrypted ? 443 : 80)
            let path = options.url.path(percentEncoded: true)
            target = (path.isEmpty ? "/" : path) + (options.url.query(percentEncoded: true).map { "?\($0)" } ?? "")
            timeOut = TimeAmount(options.timeOut)
            guard isEncrypted else {
                tls = nil
                return
            }
            var configuration = TLSConfiguration.makeClientConfiguration()
            do {
                if let authorities = options.authorities {
                    configuration.additionalTrustRoots = [
                        .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authorities.utf8)))
                    ]
                }
                tls = try NIOSSLContext(configuration: configuration)
            } catch {
                throw WebhookOptions.Unusable(description: "The roots for the webhook cannot be used: \(error)")
            }
        }

        /// Returns the status. Throws why there is none; the whole of it takes at most the options' time.
        func send(_ post: WebhookPost, _ headers: [(String, String)]) async throws -> Int {
            let head = head(post, headers)
            // A channel's bootstrap is made for each: it is for one loop.
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let result = loop.makePromise(of: Int.self)
            let channel = try await ClientBootstrap(group: loop)
                .connectTimeout(timeOut)
                .channelInitializer { [tls, host] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let tls {
                            // An address is checked without a name to show.
                            let name = HostAddress(host) == nil ? host : nil
                            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
                        }
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandler(WebhookResponse(result))
                    }
                }
                .connect(host: host, port: port)
                .flatMapError { error in
                    var cause = error
                    if case ChannelError.connectTimeout = error { cause = Self.late }
                    result.fail(cause)
                    return loop.makeFailedFuture(cause)
                }.get()
            let alarm = loop.scheduleTask(in: timeOut) { result.fail(Self.late) }
            let body = channel.allocator.buffer(string: post.body)
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
            defer {
                alarm.cancel()
                channel.close(promise: nil)
            }
            return try await withTaskCancellationHandler {
                try await result.futureResult.get()
            } onCancel: {
                result.fail(CancellationError())
            }
        }

        private static let late = ExchangeError(.timedOut, "The webhook did not answer in time.")

        private func head(_ post: WebhookPost, _ headers: [(String, String)]) -> HTTPRequestHead {
            let isDefault = port == (tls == nil ? 80 : 443)
            let name = host.contains(":") ? "[\(host)]" : host
            var fields = HTTPHeaders([("host", isDefault ? name : "\(name):\(port)")] + headers)
            fields.add(name: "content-length", value: "\(post.body.utf8.count)")
            fields.add(name: "connection", value: "close")
            return HTTPRequestHead(version: .http1_1, method: .POST, uri: target, headers: fields)
        }
    }

    /// Waits for the status; the rest of a response is of no use.
    private final class WebhookResponse: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart

        private let result: EventLoopPromise<Int>

        init(_ result: EventLoopPromise<Int>) { self.result = result }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data), head.status.code >= 200 else { return }
            result.succeed(Int(head.status.code))
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            result.fail(ExchangeError(.cut, "The webhook closed the connection without an answer."))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            result.fail(error)
            context.close(promise: nil)
        }
    }

    /// One post, the same in each attempt but for its signature's time.
    struct WebhookPost: Sendable {
        let id: String
        let body: String

        /// `seconds` since 1970. With a secret the receiver can tell who posted, and that it was lately: see "Running a hub".
        func headers(secret: [UInt8]?, at seconds: Int64) -> [(String, String)] {
            var headers = [
                ("content-type", "application/json"), ("user-agent", "tripstore-hub"), ("tripstore-delivery", id),
            ]
            if let secret {
                let code = HMAC<SHA256>.authenticationCode(
                    for: Data("\(seconds).\(body)".utf8), using: SymmetricKey(data: secret))
                let digits = code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                headers.append(("tripstore-signature", "t=\(seconds),v1=\(digits)"))
            }
            return headers
        }
    }

    /// Sends a post; returns the status.
    typealias WebhookSending = @Sendable (WebhookPost, [(String, String)]) async throws -> Int
#endif
