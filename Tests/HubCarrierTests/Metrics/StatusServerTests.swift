#if Hub
    import Foundation
    import LogExchange
    import Testing

    @testable import HubCarrier

    @Suite("The server of metrics", .timeLimit(.minutes(1)))
    struct StatusServerTests {
        private func server(_ health: HubHealth = HubHealth()) async throws -> StatusServer {
            try await StatusServer.start(host: "127.0.0.1", port: 0, health: health) { "a_total 1\n" }
        }

        @Test("It serves the metrics in version 0.0.4, and whether the hub lives and is ready")
        func pages() async throws {
            let health = HubHealth()
            let server = try await server(health)
            let metrics = try await HTTPText.get("/metrics?x=1", port: server.port)
            #expect(metrics.hasPrefix("HTTP/1.1 200 OK\r\n") && metrics.hasSuffix("\r\n\r\na_total 1\n"))
            #expect(metrics.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"))
            #expect(try await HTTPText.get("/healthz", port: server.port).hasSuffix("\r\n\r\nok\n"))
            #expect(try await HTTPText.get("/readyz", port: server.port).hasPrefix("HTTP/1.1 200 "))
            health.set("The disk is full.", of: "storage")
            let ready = try await HTTPText.get("/readyz", port: server.port)
            #expect(ready.hasPrefix("HTTP/1.1 503 ") && ready.hasSuffix("The disk is full.\n"))
            #expect(try await HTTPText.get("/healthz", port: server.port).hasPrefix("HTTP/1.1 200 "))
            await server.close()
        }

        @Test("It answers HEAD without a body, keeps a connection, and refuses what it does not know")
        func others() async throws {
            let server = try await server()
            let head = try await HTTPText.get("/metrics", method: "HEAD", port: server.port)
            #expect(head.contains("content-length: 10\r\n") && head.hasSuffix("\r\n\r\n"))
            #expect(try await HTTPText.get("/", port: server.port).hasPrefix("HTTP/1.1 404 "))
            let post = try await HTTPText.get("/metrics", method: "POST", port: server.port)
            #expect(post.hasPrefix("HTTP/1.1 405 ") && post.contains("allow: GET, HEAD\r\n"))
            let two = try await HTTPText.exchange(
                "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\nGET /none HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
                port: server.port)
            #expect(two.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) } == ["200", "404"])
            await server.close()
        }

        @Test("Junk and endless headers end a connection, and others are served")
        func junk() async throws {
            let server = try await server()
            let junk = try await HTTPText.exchange("\u{16}\u{3}\u{1} junk\r\n\r\n", port: server.port)
            #expect(junk.isEmpty || junk.hasPrefix("HTTP/1.1 400 "))
            let long = "GET / HTTP/1.1\r\nx: \(String(repeating: "y", count: 200_000))\r\n\r\n"
            let answer = try await HTTPText.exchange(long, port: server.port)
            #expect(!answer.hasPrefix("HTTP/1.1 200 "))
            #expect(try await HTTPText.get("/healthz", port: server.port).hasPrefix("HTTP/1.1 200 "))
            await server.close()
        }

        @Test("It says that an address is taken")
        func taken() async throws {
            let server = try await server()
            let error = await #expect(throws: ExchangeError.self) {
                try await StatusServer.start(host: "127.0.0.1", port: server.port, health: HubHealth()) { "" }
            }
            #expect(error?.code == .cannotListen)
            await server.close()
        }
    }
#endif
