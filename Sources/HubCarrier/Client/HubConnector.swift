#if Hub
    public import Events
    internal import GRPCCore
    internal import GRPCNIOTransportCore
    internal import GRPCNIOTransportHTTP2Posix
    public import LogExchange
    internal import NIOCore

    /// Reaches a hub over TLS 1.3. Each `connect` makes a connection of its own, which its port closes.
    public struct HubConnector: FrameConnector {
        public let hub: HubAddress
        private let trust: HubTrust
        private let limits: HubLimits

        public var address: String { hub.server.description }
        public var journal: JournalID? { hub.journal }

        public init(_ hub: HubAddress, trust: HubTrust = .systemRoots, limits: HubLimits = HubLimits()) {
            self.hub = hub
            self.trust = trust
            self.limits = limits
        }

        /// Throws `ExchangeError`: `.noSuchHost`, `.notReachable`, `.timedOut`, `.notAHub`, `.certificateExpired`,
        /// `.notTrusted`, `.cut`; or `CancellationError`.
        public func connect() async throws -> any FramePort {
            let attempt = ConnectionAttempt()
            do {
                return try await connect(attempt)
            } catch let error as ExchangeError {
                throw error
            } catch let error as CancellationError {
                throw error
            } catch {
                throw await ConnectionFailure(hub: hub, trust: trust, limits: limits, attempt: attempt).described(error)
            }
        }

        /// The pin of any server at the address: for a person to compare with what the hub's operator names. No frame
        /// is exchanged. Throws as `connect` does.
        public static func pin(of hub: HubAddress, limits: HubLimits = HubLimits()) async throws -> Digest {
            let port = try await HubConnector(hub, trust: HubTrust(kind: .none), limits: limits).connect()
            defer { port.close() }
            guard let pin = port.certificates.first else {
                throw ExchangeError(.notAHub, "The server at \(hub.server) has shown no certificate.")
            }
            return pin
        }

        private func connect(_ attempt: ConnectionAttempt) async throws -> any FramePort {
            let security = try ClientSecurity(trust, host: hub.host)
            let streams = OpenedStreams()
            let transport = try HTTP2ClientTransport.Posix(
                target: hub.target, transportSecurity: .customSecure,
                config: configuration(security, attempt, streams))
            let opened = Handoff<StreamPort>()
            let connection = Task { [limits] in
                await withDiscardingTaskGroup { group in
                    group.addTask { try? await transport.connect() }
                    do {
                        try await Self.open(transport, streams, limits, opened)
                    } catch {
                        opened.finish(throwing: error)
                    }
                    group.cancelAll()
                }
            }
            let alarm = Task { [limits, hub] in
                try await Task.sleep(for: limits.connecting)
                opened.finish(
                    throwing: ExchangeError(
                        .timedOut, "The hub at \(hub.server) did not answer within \(limits.connecting)."))
            }
            defer { alarm.cancel() }
            do {
                guard let port = try await opened.take() else { throw CancellationError() }
                return port
            } catch {
                connection.cancel()
                throw error
            }
        }

        private func configuration(
            _ security: ClientSecurity, _ attempt: ConnectionAttempt, _ streams: OpenedStreams
        ) -> HTTP2ClientTransport.Posix.Config {
            .defaults { [limits] configuration in
                configuration.http2.targetWindowSize = limits.window
                // A frame goes out at once: those who wait for it are people.
                configuration.connection.flushCoalescing = nil
                configuration.connection.maxIdleTime = nil
                configuration.connection.keepalive = .init(
                    time: limits.ping, timeout: limits.silence - limits.ping + limits.part, allowWithoutCalls: false)
                configuration.channelDebuggingCallbacks.onCreateTCPConnection = { channel in
                    attempt.resolved()
                    return security.secure(channel, attempt, limits)
                }
                configuration.channelDebuggingCallbacks.onCreateHTTP2Stream = { channel in
                    streams.add(channel, ReadAllowance(limits, isAdmitted: true), number: nil)
                }
            }
        }

        /// Opens the connection's one stream and runs it until it ends.
        private static func open(
            _ transport: HTTP2ClientTransport.Posix, _ streams: OpenedStreams, _ limits: HubLimits,
            _ opened: Handoff<StreamPort>
        ) async throws {
            var options = CallOptions.defaults
            // Bounds what is received, too.
            options.maxRequestMessageBytes = limits.largestFrame
            options.waitForReady = false
            try await transport.withStream(descriptor: HubMethod.descriptor, options: options) { stream, _ in
                guard let own = streams.latest else { throw ExchangeError(.cut, "The connection was lost.") }
                let core = StreamCore(limits)
                try await opened.put(StreamPort(core, over: own))
                await core.run(over: own.channel) {
                    await ClientStream.read(stream.inbound, into: core, own.allowance)
                } write: {
                    await ClientStream.write(core, to: stream.outbound, over: own)
                }
            }
        }
    }

    extension HubAddress {
        /// What the transport resolves.
        var target: any ResolvableTarget {
            switch HostAddress(host)?.isVersion6 {
            case true: .ipv6(address: host, port: port)
            case false: .ipv4(address: host, port: port)
            case nil: .dns(host: host, port: port)
            }
        }
    }
#endif
