#if Hub
    import Foundation
    import LogExchange
    import NIOCore
    import NIOPosix
    import NIOSSL
    import Synchronization
    import Testing

    @testable import HubCarrier

    @Suite("The webhook's client", .timeLimit(.minutes(1)))
    struct WebhookClientTests {
        private let post = WebhookPost(id: "7", body: "{}")

        private func client(_ address: String, _ change: (inout WebhookOptions) -> Void = { _ in }) throws
            -> WebhookClient
        {
            var options = try WebhookOptions(address)
            change(&options)
            return try WebhookClient(options)
        }

        @Test("It posts a body with its headers, and returns the status")
        func posts() async throws {
            let server = try await OneAnswer("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n")
            let status = try await client("http://127.0.0.1:\(server.port)/a%20b?c=d").send(post, [("x-y", "z")])
            #expect(status == 202)
            #expect(
                server.heard
                    == "POST /a%20b?c=d HTTP/1.1\r\nhost: 127.0.0.1:\(server.port)\r\nx-y: z\r\ncontent-length: 2\r\n"
                    + "connection: close\r\n\r\n{}")
            try await server.close()
        }

        @Test("It does not follow redirects, and passes over what comes before the status")
        func redirect() async throws {
            let server = try await OneAnswer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\nlocation: /b\r\n\r\n")
            #expect(try await client("http://127.0.0.1:\(server.port)/").send(post, []) == 302)
            try await server.close()
        }

        @Test("It gives up a receiver that says nothing, one that closes, and one that speaks no HTTP")
        func failures() async throws {
            let silent = try await RawServer(answer: nil)
            let client = try client("http://127.0.0.1:\(silent.port)/") { $0.timeOut = .milliseconds(100) }
            let error = await #expect(throws: ExchangeError.self) { try await client.send(post, []) }
            #expect(error?.code == .timedOut)
            try await silent.close()
            let junk = try await OneAnswer("nonsense\r\n\r\n")
            await #expect(throws: (any Error).self) {
                try await self.client("http://127.0.0.1:\(junk.port)/").send(post, [])
            }
            try await junk.close()
            let port = junk.port
            await #expect(throws: (any Error).self) {
                try await self.client("http://127.0.0.1:\(port)/").send(post, [])
            }
        }

        @Test("Over TLS it trusts roots that are given, and nobody else")
        func tls() async throws {
            let made = try SelfSignedCertificate(for: ["127.0.0.1", "localhost"])
            let server = try await OneAnswer("HTTP/1.1 204 No Content\r\n\r\n", certificate: made)
            for host in ["127.0.0.1", "localhost"] {
                let trusting = try client("https://\(host):\(server.port)/") { $0.authorities = made.certificate }
                #expect(try await trusting.send(post, []) == 204)
            }
            await #expect(throws: (any Error).self) {
                try await self.client("https://127.0.0.1:\(server.port)/").send(post, [])
            }
            #expect(throws: WebhookOptions.Unusable.self) {
                try client("https://127.0.0.1/") { $0.authorities = "nothing" }
            }
            try await server.close()
        }
    }

    /// A server of HTTP that answers the first request of each connection with a text, once it has a body.
    private final class OneAnswer: Sendable {
        private let channel: any Channel
        private let text: HeardText

        var port: Int { channel.localAddress?.port ?? 0 }
        /// What the last connection sent.
        var heard: String { text.value }

        init(_ answer: String, certificate: SelfSignedCertificate? = nil) async throws {
            let text = HeardText()
            self.text = text
            var context: NIOSSLContext?
            if let certificate {
                context = try NIOSSLContext(
                    configuration: .makeServerConfiguration(
                        certificateChain: NIOSSLCertificate.fromPEMBytes(Array(certificate.certificate.utf8)).map {
                            .certificate($0)
                        },
                        privateKey: .privateKey(NIOSSLPrivateKey(bytes: Array(certificate.key.utf8), format: .pem))))
            }
            channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelInitializer { [context] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                        try pipeline.addHandler(Answering(answer, text))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        }

        func close() async throws { try await channel.close() }

        final class HeardText: Sendable {
            private let text = Mutex("")
            var value: String { text.withLock { $0 } }
            func set(_ new: String) { text.withLock { $0 = new } }
        }

        private final class Answering: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            typealias OutboundOut = ByteBuffer

            private let answer: String
            private let heard: HeardText
            private var text = ""

            init(_ answer: String, _ heard: HeardText) { (self.answer, self.heard) = (answer, heard) }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                text += String(buffer: unwrapInboundIn(data))
                guard text.hasSuffix("\r\n\r\n{}") else { return }
                heard.set(text)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }
    }
#endif
