#if Hub
    import HubCarrier
    import LogExchange
    import NIOSSL
    import StoreSupport
    import Testing
    import TripStore

    @Suite("A listener", .timeLimit(.minutes(10)))
    struct ListenerTests {
        @Test("serves 200 streams at once")
        func manyStreams() async throws {
            let hub = try await TestHub()
            try await withThrowingTaskGroup { group in
                for number in 0..<200 {
                    group.addTask {
                        let port = try await hub.connect()
                        for round in 0..<3 {
                            let frame = [UInt8(number), UInt8(round)]
                            try await port.send(frame)
                            #expect(try await port.receive() == frame)
                        }
                        port.close()
                    }
                }
                try await group.waitForAll()
            }
            await hub.listener.shutDown()
        }

        @Test("shows a new certificate from a reload on, and lets open connections go on")
        func reload() async throws {
            let hub = try await TestHub()
            let (old, new) = (hub.listener.pin, try HubCertificate.selfSigned())
            let before = try await hub.connect()
            hub.listener.reload(new)
            try await before.send([1])
            #expect(try await before.receive() == [1])
            let after = try await hub.connect()
            try await after.send([2])
            #expect(try await after.receive() == [2])
            #expect(before.certificates == [old] && after.certificates == [new.pin])
            let error = await #expect(throws: ExchangeError.self) { try await hub.connector(.pinned(old)).connect() }
            #expect(error?.code == .notTrusted)
            before.close()
            after.close()
            await hub.listener.shutDown()
        }

        @Test("closes its ports when it shuts down, and listens no more")
        func shutDown() async throws {
            let outcome = Outcome()
            let hub = try await TestHub { port in
                try? await port.send([1])
                await outcome.record { while try await port.receive() != nil {} }
            }
            let port = try await hub.connect()
            #expect(try await port.receive() == [1])
            async let received = port.receive()
            await hub.listener.shutDown()
            #expect(try await received == nil)
            #expect(await outcome.error != nil)
            let error = await #expect(throws: ExchangeError.self) { try await hub.connect() }
            #expect(error?.code == .notReachable)
            await hub.listener.shutDown()
        }

        @Test("shuts down in time though a handler does not return")
        func stuckHandler() async throws {
            let hub = try await TestHub { _ in
                // Ends by cancellation alone.
                for await _ in AsyncStream<Never>.makeStream().stream {}
            }
            let port = try await hub.connect()
            await hub.listener.shutDown(within: .milliseconds(100))
            // In order, or cut before it had begun.
            let received = await Task { try await port.receive() }.result
            if case .success(let frame) = received { #expect(frame == nil) }
        }

        @Test("closes connections that say nothing, also a hundred of them, and serves others meanwhile")
        func silentConnections() async throws {
            let hub = try await TestHub(limits: .with { $0.handshake = .seconds(1) })
            var silent: [RawConnection] = []
            for _ in 0..<100 { silent.append(try await RawConnection(port: hub.listener.port)) }
            let port = try await hub.connect()
            try await port.send([1])
            #expect(try await port.receive() == [1])
            for connection in silent { try await connection.closed() }
            try await port.send([2])
            #expect(try await port.receive() == [2])
            port.close()
            await hub.listener.shutDown()
        }

        @Test("closes a connection that opens no stream")
        func idleConnection() async throws {
            let hub = try await TestHub(limits: .with { $0.idle = .milliseconds(200) })
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.certificateVerification = .none
            tls.applicationProtocols = ["h2"]
            try await RawConnection(port: hub.listener.port, tls: tls).closed()
            await hub.listener.shutDown()
        }

        @Test("closes a connection whose other end does not even answer pings")
        func halfOpenConnection() async throws {
            let hub = try await TestHub(
                limits: .with {
                    $0.ping = .milliseconds(100)
                    $0.silence = .milliseconds(400)
                })
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.certificateVerification = .none
            tls.applicationProtocols = ["h2"]
            let connection = try await RawConnection(port: hub.listener.port, tls: tls)
            connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0")
            try await connection.closed()
            await hub.listener.shutDown()
        }

        @Test("closes connections beyond their number at once, where all are those of members")
        func connectionCount() async throws {
            let hub = try await TestHub(limits: .with { $0.connections = 2 })
            var ports: [any FramePort] = []
            for _ in 0..<2 {
                let port = try await hub.connect()
                try await port.send([0])
                #expect(try await port.receive() == [0])
                ports.append(port)
            }
            try await RawConnection(port: hub.listener.port).closed()
            await #expect(throws: ExchangeError.self) { try await hub.connect() }
            for port in ports {
                try await port.send([1])
                #expect(try await port.receive() == [1])
                port.close()
            }
            await hub.listener.shutDown()
        }

        #if os(Linux)  // Other systems have one address of loopback.
            @Test(
                "serves members while strangers of 64 addresses hold all the places that there are for them, half of them with TLS"
            )
            func manyAddresses() async throws {
                // Its strangers have 16 places.
                let hub = try await JournalHub(limits: .with { $0.connections = 64 })
                let members = try await Devices.make(8)
                // The founder begins the journal.
                for member in members { try await member.exchange(with: .connector(hub.connector())) }
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.certificateVerification = .none
                tls.applicationProtocols = ["h2"]
                var strangers: [RawConnection] = []
                for _ in 0..<2 {
                    for (number, member) in members.enumerated() {
                        for _ in 0..<32 {
                            let next = strangers.count
                            strangers.append(
                                try await RawConnection(
                                    port: hub.port, from: "127.0.1.\(next % 64 + 1)", tls: next % 2 == 0 ? tls : nil))
                        }
                        try await member.create(Trip(name: "\(number)", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
                        // Strangers that the hub had not taken yet may drop it once, and no more are coming.
                        try await eventually {
                            (try? await member.exchange(with: .connector(hub.connector()))) != nil
                        }
                    }
                }
                for member in members {
                    try await eventually { (try? await member.exchange(with: .connector(hub.connector()))) != nil }
                }
                try await Devices.expectEqual(members)
                await hub.end()
                for stranger in strangers { try await stranger.closed() }
                for member in members { await member.close() }
            }
        #endif

        @Test(
            "refuses a client that speaks no TLS",
            arguments: ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"])
        func plainText(text: String) async throws {
            let hub = try await TestHub()
            let connection = try await RawConnection(port: hub.listener.port)
            connection.send(text)
            try await connection.closed()
            await hub.listener.shutDown()
        }

        @Test("refuses a client that speaks an older TLS")
        func olderTLS() async throws {
            let hub = try await TestHub()
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.certificateVerification = .none
            tls.maximumTLSVersion = .tlsv12
            tls.applicationProtocols = ["h2"]
            try await RawConnection(port: hub.listener.port, tls: tls).closed()
            await hub.listener.shutDown()
        }

        @Test("says that an address is taken")
        func taken() async throws {
            let hub = try await TestHub()
            let error = await #expect(throws: ExchangeError.self) {
                try await HubListener.start(
                    host: "127.0.0.1", port: hub.listener.port, certificate: try HubCertificate.selfSigned(),
                    handler: TestHub.echo)
            }
            #expect(error?.code == .cannotListen)
            await hub.listener.shutDown()
        }

        @Test("refuses a certificate whose key is another's")
        func wrongKey() throws {
            let (one, two) = (
                try SelfSignedCertificate(for: ["localhost"]), try SelfSignedCertificate(for: ["localhost"])
            )
            let error = #expect(throws: ExchangeError.self) {
                try HubCertificate(certificates: one.certificate, key: two.key)
            }
            #expect(error?.code == .unusableCertificate)
        }
    }
#endif
