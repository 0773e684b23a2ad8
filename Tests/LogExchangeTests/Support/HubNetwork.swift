#if Hub
    import Events
    import HubCarrier
    import LogExchange
    import Logging

    /// Sessions over a hub on loopback: each connection has a listener of its own, which ends with it.
    struct HubNetwork: FrameConnector {
        private let server: SessionServer
        let journal: JournalID?

        var address: String { "loopback" }

        init(_ server: SessionServer, journal: JournalID) {
            self.server = server
            self.journal = journal
        }

        func connect() async throws -> any FramePort {
            let made = try SelfSignedCertificate(for: ["127.0.0.1"])
            let certificate = try HubCertificate(certificates: made.certificate, key: made.key)
            var log = Logger(label: "tests")
            log.logLevel = .critical
            var limits = HubLimits()
            limits.connecting = .seconds(120)
            limits.handshake = .seconds(60)
            let listener = try await HubListener.start(
                host: "127.0.0.1", port: 0, certificate: certificate, limits: limits, log: log
            ) { [server] in await server.serve($0) }
            let address = HubAddress(host: "127.0.0.1", port: listener.port)
            let connector = HubConnector(address, trust: .pinned(certificate.pin), limits: limits)
            return ListeningPort(try await connector.connect(), listener)
        }
    }

    private final class ListeningPort: FramePort {
        private let port: any FramePort
        private let listener: HubListener

        var certificates: [Digest] { port.certificates }

        init(_ port: any FramePort, _ listener: HubListener) {
            self.port = port
            self.listener = listener
        }

        deinit { close() }

        func send(_ frame: [UInt8]) async throws { try await port.send(frame) }

        var receivedBytes: UInt64 { port.receivedBytes }

        var sentBytes: UInt64 { port.sentBytes }

        func receive() async throws -> [UInt8]? { try await port.receive() }

        func close() {
            port.close()
            Task { [listener] in await listener.shutDown() }
        }
    }
#endif
