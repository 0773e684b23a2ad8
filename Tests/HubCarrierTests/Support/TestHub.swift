#if Hub
    import EventLog
    import Events
    import Foundation
    import HubCarrier
    import LogExchange
    import Logging

    /// A listener on loopback with a certificate of its own.
    struct TestHub {
        let listener: HubListener
        let limits: HubLimits

        init(
            _ certificate: HubCertificate? = nil, limits: HubLimits = .patient, admitsAll: Bool = true,
            memory: SessionMemory? = nil, health: HubHealth? = nil, metrics: HubMetrics = HubMetrics(),
            handler: @escaping @Sendable (any FramePort) async -> Void = TestHub.echo
        ) async throws {
            let certificate = try certificate ?? HubCertificate.selfSigned()
            self.limits = limits
            listener = try await HubListener.start(
                host: "127.0.0.1", port: 0, certificate: certificate, limits: limits, memory: memory, health: health,
                metrics: metrics, log: Self.quietLog,
                handler: { port in
                    if admitsAll { port.stands(.served, of: ReplicaID(publicKey: UUID().uuidString.utf8.map { $0 })) }
                    await handler(port)
                })
        }

        var address: HubAddress { HubAddress(host: "127.0.0.1", port: listener.port) }

        func connector(_ trust: HubTrust? = nil, limits: HubLimits = .patient) -> HubConnector {
            HubConnector(address, trust: trust ?? .pinned(listener.pin), limits: limits)
        }

        func connect() async throws -> any FramePort { try await connector().connect() }

        /// Sends back what comes, until the client closes.
        static let echo: @Sendable (any FramePort) async -> Void = { port in
            do {
                while let frame = try await port.receive() { try await port.send(frame) }
            } catch {
                // The client's end sees it.
            }
        }

        static var quietLog: Logger {
            var log = Logger(label: "tests")
            log.logLevel = .critical
            return log
        }
    }

    extension HubCertificate {
        static func selfSigned() throws -> HubCertificate {
            let made = try SelfSignedCertificate(for: ["127.0.0.1", "localhost"])
            return try HubCertificate(certificates: made.certificate, key: made.key)
        }
    }

    extension HubLimits {
        /// For a machine that does much else at the same time.
        static var patient: HubLimits {
            var limits = HubLimits()
            limits.connecting = .seconds(120)
            limits.handshake = .seconds(60)
            return limits
        }

        static func with(_ change: (inout HubLimits) -> Void) -> HubLimits {
            var limits = patient
            change(&limits)
            return limits
        }
    }
#endif
