#if Hub
    import Foundation
    import NIOCore
    import NIOPosix
    import StoreSupport
    import Synchronization
    import TestSupport
    import Testing

    @Suite("A hub in operation", .timeLimit(.minutes(3)))
    struct OperationTests {
        private let place = TemporaryFolder()

        private func founder(_ name: String) async throws -> Tool {
            let tool = try await Tool.withStore()
            _ = try await tool.value("add", "trip", "--name", name, "--notes", "Meet at the \(name) fountain")
            return tool
        }

        /// What `/metrics` shows, by a line's beginning.
        private static func page(_ path: String, _ server: RunningServer) async throws -> (code: Int, text: String) {
            let address = try #require(server.metrics).replacingOccurrences(of: "/metrics", with: path)
            let url = try #require(URL(string: address))
            let answer = try await HTTPGet.text(host: "127.0.0.1", port: try #require(url.port), path: path)
            return answer
        }

        private static func value(_ name: String, _ text: String) -> Double? {
            text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
                .flatMap { Double($0.dropFirst(name.count + 1)) }
        }

        @Test("Metrics count what a member does, and name neither journals nor replicas")
        func metrics() async throws {
            let ana = try await founder("Lisbon")
            let hub = try await RunningServer(
                "--hub", place.path("hub"), "--begin", "anyone", "--metrics", "127.0.0.1:0")
            #expect(try await Self.page("/readyz", hub).code == 200)
            #expect(await ana.run("sync", hub.server, "--pin", hub.pin).code == 0)
            let stranger = try await founder("Porto")
            #expect(await stranger.run("sync", "\(hub.server)", "--pin", hub.pin).code == 0)
            let (code, text) = try await Self.page("/metrics", hub)
            #expect(code == 200)
            #expect(Self.value("tripstore_hub_commits_stored_total", text).map { $0 >= 2 } == true)
            #expect(Self.value("tripstore_hub_store_duration_seconds_count", text).map { $0 >= 2 } == true)
            #expect(Self.value("tripstore_hub_connections_accepted_total", text) == 2)
            #expect(Self.value("tripstore_hub_sessions_ended_total{outcome=\"refused\"}", text) == 0)
            #expect(Self.value("tripstore_hub_serving", text) == 1)
            #expect(Self.value("tripstore_hub_waiting_bytes", text) == 0)
            #expect(Self.value("tripstore_hub_disk_free_bytes", text).map { $0 > 0 } == true)
            #expect(Self.value("tripstore_hub_journals_open", text).map { $0 >= 1 } == true)
            // What the log itself counts.
            #expect(text.contains("tripstore_log_transaction_duration_seconds_count"))
            for tool in [ana, stranger] {
                let status = try await tool.run("status", "--json").object()
                for name in ["journal", "replica"] {
                    #expect(!text.contains(try #require(status[name] as? String)))
                }
            }
            #expect(await hub.tool.end() == 0)
            for tool in [ana, stranger] { await tool.expectInvariants() }
        }

        @Test("A signal ends a hub in order: it is not ready first. A second one ends it at once", arguments: [1, 2])
        func signals(count: Int) async throws {
            let hub = try await RunningServer(
                "--hub", place.path("hub"), "--begin", "anyone", "--metrics", "127.0.0.1:0", "--notice",
                count == 1 ? "0" : "600")
            if count == 1 { return #expect(await hub.tool.end() == 0) }
            hub.tool.raise(SIGTERM)
            try await eventually {
                // Asked again until the signal is noted.
                try await Self.page("/readyz", hub).code == 503
            }
            #expect(try await Self.page("/healthz", hub).code == 200)
            #expect(await hub.tool.end(SIGINT) == SIGINT)
        }

        @Test("A member that stays in sync is sent away in order, within the time, and is back with the next hub")
        func staying() async throws {
            let ana = try await founder("Lisbon")
            let hub = try await LastingPort.start {
                try await RunningServer("--hub", place.path("hub"), "--begin", "anyone", "--log", "info", port: $0)
            }
            let staying = try RunningTool([
                "sync", hub.server, "--pin", hub.pin, "--stay", "--json", "--store", ana.path,
            ])
            try await staying.line { $0.contains("\"connected\"") }
            #expect(await hub.tool.end() == 0)
            #expect(hub.tool.complaint.contains("outcome=drained"))
            try await staying.line { $0.contains("\"offline\"") }
            let next = try await RunningServer("--hub", place.path("hub"), port: hub.port)
            try await staying.line { $0.contains("\"connected\"") }
            #expect(await staying.end() == 0)
            #expect(await next.tool.end() == 0)
            await ana.expectInvariants()
        }

        @Test("A full disk makes a hub say that it does not serve")
        func full() async throws {
            let hub = try await RunningServer(
                "--hub", place.path("hub"), "--metrics", "127.0.0.1:0", "--least-free", "\(Int.max)")
            let (code, text) = try await Self.page("/readyz", hub)
            #expect(code == 503 && text.contains("free bytes"))
            #expect(try await Self.page("/metrics", hub).text.contains("\ntripstore_hub_serving 0\n"))
            #expect(await hub.tool.end() == 0)
        }

        @Test("Whatever members do, the most talkative logs hold no text of theirs, no key and no invitation")
        func logsWithoutContents() async throws {
            let (ana, ben) = (try await founder("Lisbon"), Tool())
            let hub = try await RunningServer(
                "--hub", place.path("hub"), "--begin", "anyone", "--name", "hub", "--log", "trace", "--log-format",
                "json")
            #expect(await ana.run("sync", hub.server, "--pin", hub.pin).code == 0)
            let code = try await ana.value("invite", "--hub", hub.server)
            #expect(await ana.run("sync", hub.server).code == 0)
            #expect(await ben.run("join", code, "--name", "Ben's telephone").code == 0)
            #expect(await ana.run("sync", hub.server).code == 0)
            _ = try await ben.value("add", "trip", "--name", "Porto", "--notes", "By the ferry at noon")
            #expect(await ben.run("sync", hub.server).code == 0)
            let stranger = try await founder("Faro")
            let journal = try #require(try await ana.run("status", "--json").object()["journal"] as? String)
            #expect(await stranger.run("sync", "\(hub.server)/\(journal)", "--pin", hub.pin).code == 2)
            #expect(await hub.tool.end() == 0)
            let log = hub.tool.complaint
            let lines = log.split(separator: "\n")
            #expect(lines.count > 4)
            for line in lines {
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
                #expect(object["time"] is String && object["level"] is String && object["message"] is String)
            }
            #expect(log.contains("a session began"))
            var secrets = [
                "Lisbon", "Porto", "Faro", "fountain", "ferry", "telephone", code, String(code.dropFirst(6).prefix(16)),
                "PRIVATE KEY",
            ]
            for tool in [ana, ben, stranger] {
                let key = try Data(contentsOf: URL(fileURLWithPath: tool.path + "/replica.key"))
                secrets += [key.base64EncodedString(), key.map { String($0, radix: 16) }.joined()]
            }
            let pem = try String(contentsOfFile: place.path("hub/hub-key.pem"), encoding: .utf8)
            secrets += pem.split(separator: "\n").dropFirst().dropLast().map(String.init)
            for secret in secrets where !secret.isEmpty {
                #expect(!log.localizedCaseInsensitiveContains(secret), "\(secret)")
            }
            for tool in [ana, ben, stranger] { await tool.expectInvariants() }
        }

        @Test("A webhook is told which journal has something new, signed, and nothing of what it is")
        func webhook() async throws {
            let receiver = try await PostReceiver()
            try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
            try Data("0123456789abcdef\n".utf8).write(to: place.url.appendingPathComponent("secret"))
            let ana = try await founder("Lisbon")
            let hub = try await RunningServer(
                "--hub", place.path("hub"), "--begin", "anyone", "--webhook", "http://127.0.0.1:\(receiver.port)/hook",
                "--webhook-secret", place.path("secret"))
            #expect(await ana.run("sync", hub.server, "--pin", hub.pin).code == 0)
            let post = try await receiver.post()
            let status = try await ana.run("status", "--json").object()
            let (journal, replica) = (
                try #require(status["journal"] as? String), try #require(status["replica"] as? String)
            )
            #expect(post.hasPrefix("POST /hook HTTP/1.1\r\n") && post.contains("tripstore-signature: t="))
            #expect(
                post.hasSuffix(
                    "\r\n\r\n{\"version\":1,\"journals\":[{\"journal\":\"\(journal)\",\"by\":[\"\(replica)\"]}]}"))
            #expect(!post.contains("Lisbon"))
            #expect(await hub.tool.end() == 0)
            try await receiver.close()
            await ana.expectInvariants()
        }

        /// Command lines after `serve --hub … --listen 127.0.0.1:0 --self-signed`, and their exit codes.
        private static let wrong: [String: Int32] = [
            "--metrics here": 64, "--log-format xml": 64, "--grace -1": 64, "--notice 4000": 64, "--memory 5": 64,
            "--window 5": 64, "--largest-message 5": 64, "--streams 0": 64, "--sessions 0": 64, "--connections 0": 64,
            "--least-free -1": 64, "--webhook http://push.example/": 64, "--webhook nothing": 64,
            "--webhook-secret /none": 64, "--webhook https://push.example/ --webhook-secret /none": 2,
            "--webhook https://push.example/ --webhook-authorities /none": 2,
        ]

        @Test("Options that cannot be are refused in words", arguments: wrong.keys.sorted())
        func refused(line: String) async throws {
            let outcome = await Tool.run(
                ["serve", "--hub", place.path("hub"), "--listen", "127.0.0.1:0", "--self-signed"]
                    + line.split(separator: " ").map(String.init))
            #expect(outcome.code == Self.wrong[line], "\(outcome.error)")
            #expect(!outcome.error.isEmpty)
        }
    }

    /// A GET over HTTP/1.1.
    private enum HTTPGet {
        static func text(host: String, port: Int, path: String) async throws -> (code: Int, text: String) {
            let gathered = GatheredText()
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Gathering(gathered))
                    }
                }
                .connect(host: host, port: port).get()
            try await channel.writeAndFlush(
                ByteBuffer(string: "GET \(path) HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"))
            try await channel.closeFuture.get()
            let text = gathered.value
            return (Int(text.dropFirst(9).prefix(3)) ?? 0, text)
        }
    }

    private final class GatheredText: Sendable {
        private let text = Mutex("")
        var value: String { text.withLock { $0 } }
        func add(_ part: String) { text.withLock { $0 += part } }
    }

    private final class Gathering: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let text: GatheredText

        init(_ text: GatheredText) { self.text = text }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text.add(String(buffer: unwrapInboundIn(data)))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// Takes posts, and answers each with 204 once its JSON has ended.
    private struct PostReceiver {
        private let channel: any Channel
        private let posts: AsyncStream<String>

        var port: Int { channel.localAddress?.port ?? 0 }

        init() async throws {
            let (posts, post) = AsyncStream.makeStream(of: String.self)
            self.posts = posts
            channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Answering(post))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        }

        func post() async throws -> String {
            for await post in posts { return post }
            throw CancellationError()
        }

        func close() async throws { try await channel.close() }

        private final class Answering: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            typealias OutboundOut = ByteBuffer

            private let post: AsyncStream<String>.Continuation
            private var text = ""

            init(_ post: AsyncStream<String>.Continuation) { self.post = post }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                text += String(buffer: unwrapInboundIn(data))
                guard text.hasSuffix("]}]}") else { return }
                post.yield(text)
                let answer = ByteBuffer(string: "HTTP/1.1 204 No Content\r\n\r\n")
                context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }
    }
#endif
