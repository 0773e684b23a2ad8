#if Hub
    import Foundation
    import HubCarrier
    import LogExchange
    import NIOSSL
    import Testing

    @Suite("A client", .timeLimit(.minutes(1)))
    struct TrustTests {
        private func error(_ connector: HubConnector) async -> ExchangeError? {
            await #expect(throws: ExchangeError.self) { try await connector.connect() }
        }

        @Test("trusts a server by roots and by its name or address", arguments: ["localhost", nil])
        func authorities(name: String?) async throws {
            let authority = try TestAuthority()
            let hub = try await TestHub(try authority.issue(name: name))
            let address = HubAddress(host: name ?? "127.0.0.1", port: hub.listener.port)
            let port = try await HubConnector(address, trust: .authorities(authority.root), limits: .patient).connect()
            try await port.send([1])
            #expect(try await port.receive() == [1])
            #expect(port.certificates == [hub.listener.pin])
            port.close()
            await hub.listener.shutDown()
        }

        @Test("trusts a pinned server whatever its names and dates")
        func pinned() async throws {
            let certificate = try TestAuthority().issue(name: "elsewhere.example", until: .now - 1)
            let hub = try await TestHub(certificate)
            let port = try await hub.connector(.pinned(certificate.pin)).connect()
            try await port.send([1])
            #expect(try await port.receive() == [1])
            port.close()
            await hub.listener.shutDown()
        }

        @Test("does not speak with a server of another pin, and names both")
        func wrongPin() async throws {
            let hub = try await TestHub()
            let other = try HubCertificate.selfSigned().pin
            let error = await error(hub.connector(.pinned(other)))
            #expect(error?.code == .notTrusted)
            #expect(error?.message.contains("\(other)") == true)
            #expect(error?.message.contains("\(hub.listener.pin)") == true)
            await hub.listener.shutDown()
        }

        @Test("does not speak with a server of another name, and names those that it has")
        func wrongName() async throws {
            let authority = try TestAuthority()
            let hub = try await TestHub(try authority.issue(name: "elsewhere.example"))
            let error = await error(hub.connector(.authorities(authority.root)))
            #expect(error?.code == .notTrusted)
            #expect(error?.message.contains("it names elsewhere.example") == true)
            await hub.listener.shutDown()
        }

        @Test(
            "does not speak with a server that no trusted root vouches for, and says its pin", arguments: [true, false])
        func unknownAuthority(systemRoots: Bool) async throws {
            let hub = try await TestHub(try TestAuthority().issue())
            let trust = systemRoots ? HubTrust.systemRoots : .authorities(try TestAuthority("Another").root)
            let error = await error(hub.connector(trust))
            #expect(error?.code == .notTrusted)
            #expect(error?.message.contains("\(hub.listener.pin)") == true)
            await hub.listener.shutDown()
        }

        @Test("says when the server's certificate has expired, or is not valid yet", arguments: [true, false])
        func dates(expired: Bool) async throws {
            let authority = try TestAuthority()
            let certificate =
                try expired ? authority.issue(until: .now - 1) : authority.issue(from: .now + 600, until: .now + 900)
            let hub = try await TestHub(certificate)
            let error = await error(hub.connector(.authorities(authority.root)))
            #expect(error?.code == .certificateExpired)
            #expect(error?.message.contains(expired ? "expired on" : "is valid from") == true)
            await hub.listener.shutDown()
        }

        @Test("finds out a server's pin without speaking with it")
        func pinOfServer() async throws {
            let spoken = Counter()
            let hub = try await TestHub { port in if (try? await port.receive()) != nil { spoken.add() } }
            #expect(try await HubConnector.pin(of: hub.address, limits: .patient) == hub.listener.pin)
            await hub.listener.shutDown()
            #expect(spoken.value == 0)
        }

        @Test("says that a server speaks no TLS")
        func noTLS() async throws {
            let server = try await RawServer(answer: "HTTP/1.1 400 Bad Request\r\n\r\n")
            let error = await error(HubConnector(HubAddress(host: "127.0.0.1", port: server.port), limits: .patient))
            #expect(error?.code == .notAHub)
            #expect(error?.message.contains("no TLS") == true)
            try await server.close()
        }

        @Test("says that nothing listens at an address")
        func refused() async throws {
            let server = try await RawServer(answer: nil)
            let port = server.port
            try await server.close()
            let error = await error(HubConnector(HubAddress(host: "127.0.0.1", port: port), limits: .patient))
            #expect(error?.code == .notReachable)
        }

        @Test("says that a host is not known")
        func noSuchHost() async throws {
            let error = await error(HubConnector(HubAddress(host: "no-such-host.invalid", port: 443), limits: .patient))
            #expect(error?.code == .noSuchHost)
        }

        @Test("gives up on a server that does not answer")
        func silent() async throws {
            let server = try await RawServer(answer: nil)
            let limits = HubLimits.with { $0.connecting = .milliseconds(200) }
            let error = await error(HubConnector(HubAddress(host: "127.0.0.1", port: server.port), limits: limits))
            #expect(error?.code == .timedOut)
            try await server.close()
        }

        @Test("that is cancelled while it connects stops")
        func cancelled() async throws {
            let server = try await RawServer(answer: nil)
            let connecting = Task {
                try await HubConnector(HubAddress(host: "127.0.0.1", port: server.port), limits: .patient).connect()
            }
            connecting.cancel()
            await #expect(throws: CancellationError.self) { try await connecting.value }
            try await server.close()
        }
    }
#endif
