#if Hub
    package import EventLog
    package import Events
    import HubCarrier
    package import LogExchange
    package import TripStoreCommands

    /// The network of hubs.
    package struct HubNetwork: Network {
        package init() {}

        /// To be called before the process has threads.
        package static func prepareProcess() { HubMemory.giveBack() }

        package func connector(to address: String, pin: Digest?) throws -> any FrameConnector {
            HubConnector(try HubAddress(address), trust: pin.map { .pinned($0) } ?? .systemRoots)
        }

        package func connector(for code: InvitationCode) -> (any FrameConnector)? { code.hubConnector }

        package func pin(of address: String) async throws -> Digest {
            try await HubConnector.pin(of: HubAddress(address))
        }

        package func location(of address: String, pin: Digest?) throws -> ServerLocation? {
            let hub = try HubAddress(address)
            return ServerLocation(host: hub.host, port: UInt16(clamping: hub.port), pin: pin)
        }

        package func serve(_ command: ServeCommand) async throws { try await command.serve() }
    }
#endif
