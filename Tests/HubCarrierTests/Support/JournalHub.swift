#if Hub
    import EventLog
    import Foundation
    import HubCarrier
    import LogExchange
    import StoreSupport
    import TestSupport
    import TripStore
    import TripStoreTestSupport

    /// A hub on loopback, with a folder of journals. It can end and come back at the same port.
    actor JournalHub {
        private let place = TemporaryFolder()
        private let certificate: HubCertificate
        private var listener: HubListener
        private var journals: JournalFolder
        private let limits: HubLimits
        nonisolated let port: Int
        nonisolated let pin: Digest

        init(limits: HubLimits = .patient) async throws {
            certificate = try HubCertificate.selfSigned()
            self.limits = limits
            let (place, certificate) = (place, certificate)
            (listener, journals) = try await LastingPort.start {
                try await Self.start(in: place, certificate, limits, port: $0)
            }
            (port, pin) = (listener.port, certificate.pin)
        }

        private static func start(
            in place: TemporaryFolder, _ certificate: HubCertificate, _ limits: HubLimits, port: Int
        ) async throws -> (HubListener, JournalFolder) {
            var options = JournalFolder.Options(beginners: .anyone, name: "hub", mapSize: 256 << 20)
            options.dependencies.now = { ManualClock().now }
            let journals = JournalFolder(place.url, options: options, logger: TestHub.quietLog)
            let server = SessionServer(
                journals, limits: SessionLimits(refusal: .zero), logger: TestHub.quietLog)
            let listener = try await HubListener.start(
                host: "127.0.0.1", port: port, certificate: certificate, limits: limits, log: TestHub.quietLog
            ) { await server.serve($0) }
            return (listener, journals)
        }

        nonisolated var address: HubAddress { HubAddress(host: "127.0.0.1", port: port) }

        nonisolated func connector(through port: Int? = nil, limits: HubLimits = .patient) -> HubConnector {
            HubConnector(
                HubAddress(host: "127.0.0.1", port: port ?? self.port), trust: .pinned(pin), limits: limits)
        }

        /// Cuts all connections, whatever they are at.
        func cut() async {
            await listener.shutDown(within: .zero)
            await journals.close()
        }

        /// Comes back at the same port.
        func restart() async throws {
            (listener, journals) = try await Self.start(in: place, certificate, limits, port: port)
        }

        func end() async {
            await listener.shutDown()
            await journals.close()
        }
    }
#endif
