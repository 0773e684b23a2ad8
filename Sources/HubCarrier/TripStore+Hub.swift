#if Hub
    import Events
    public import LogExchange
    public import TripStore
    import TripStoreTransports

    extension FrameConnector where Self == HubConnector {
        /// A hub, or a device that serves its store, at `https://HOST:PORT` or `https://HOST:PORT/JOURNAL`. Throws
        /// `ExchangeError.wrongAddress`.
        public static func hub(_ address: String, trust: HubTrust = .systemRoots) throws -> HubConnector {
            HubConnector(try HubAddress(address), trust: trust)
        }
    }

    extension ExchangeTarget {
        /// A hub, or a device that serves its store, at `https://HOST:PORT` or `https://HOST:PORT/JOURNAL`. Throws
        /// `ExchangeError.wrongAddress`.
        public static func hub(_ address: String, trust: HubTrust = .systemRoots) throws -> ExchangeTarget {
            .connector(HubConnector(try HubAddress(address), trust: trust))
        }
    }

    extension InvitationCode {
        /// The hub that the code names, with the journal and what to trust; nil if it names none.
        public var hubConnector: HubConnector? {
            server.map { server in
                HubConnector(
                    HubAddress(host: server.host, port: Int(server.port), journal: journal),
                    trust: server.pin.map { .pinned($0) } ?? .systemRoots)
            }
        }
    }

    extension TripStore {
        /// Serves this store to the members of its journal, and to replicas with an invitation, until the listener is shut
        /// down: without a hub in between. Shut it down before the store is closed.
        ///
        /// Port 0 takes a free one: see `HubListener.port`. Throws `ExchangeError.cannotListen`, `.noSuchHost`.
        public func serve(
            on host: String, port: Int, certificate: HubCertificate, limits: HubLimits = HubLimits(),
            sessions: SessionLimits = SessionLimits()
        ) async throws -> HubListener {
            let server = sessionServer(limits: sessions)
            return try await HubListener.start(host: host, port: port, certificate: certificate, limits: limits) {
                await server.serve($0)
            }
        }
    }
#endif
