#if Hub
    internal import CoreMetrics
    public import Events
    internal import GRPCCore
    internal import GRPCNIOTransportCore
    public import LogExchange
    public import Logging
    internal import NIOCore
    internal import NIOPosix
    import Synchronization

    /// Listens for clients over TLS 1.3, and runs a handler for each of their streams.
    public final class HubListener: Sendable {
        private typealias Transport = HTTP2ServerTransport.Custom<SecureListenerFactory>

        /// The address and the port that it is bound to.
        public let host: String
        public let port: Int

        private let transport: Transport
        private let certificate: CurrentCertificate
        private let running: Task<Void, Never>
        private let ports: OpenPorts
        private let connections: OpenConnections
        private let health: HubHealth?

        /// Listens on an address of this machine and returns once it is bound. Port 0 takes a free one. The
        /// handler's port is closed when the handler returns.
        ///
        /// `memory` bounds the bytes that wait, over all streams: a `SessionServer` counts its requests there as well. `health` is
        /// what the health service reports: without it there is none.
        ///
        /// Throws `ExchangeError`: `.cannotListen`, `.noSuchHost`.
        public static func start(
            host: String, port: Int, certificate: HubCertificate, limits: HubLimits = HubLimits(),
            memory: SessionMemory? = nil, health: HubHealth? = nil, metrics: HubMetrics = HubMetrics(),
            log: Logger = Logger(label: "tripstore.hub"),
            handler: @escaping @Sendable (any FramePort) async -> Void
        ) async throws -> HubListener {
            let address: NIOCore.SocketAddress
            do {
                address = try await Self.resolve(host, port)
            } catch {
                throw ExchangeError(
                    .noSuchHost, "'\(host)' is no address or name of this machine to listen on.", cause: error)
            }
            let current = CurrentCertificate(certificate)
            let streams = OpenedStreams()
            let (ports, connections) = (OpenPorts(), OpenConnections(metrics, memory))
            let places = ConnectionPlaces(limits, metrics)
            let services = Services(limits: limits, health: health, metrics: metrics, handler: handler)
            let transport = Transport(
                listenerFactory: SecureListenerFactory(
                    address: address, limits: limits, certificate: current, connections: connections,
                    places: places, log: log),
                config: configuration(limits, streams, memory, metrics))
            let ended = Handoff<Void>()
            let running = Task {
                do {
                    try await transport.listen { stream, _ in
                        await Self.serve(stream, streams, ports, services)
                    }
                    ended.finish()
                } catch {
                    ended.finish(throwing: error)
                }
            }
            let listening = await transport.listeningAddress
            guard let bound = listening?.endpoint else {
                running.cancel()
                var cause: (any Error)?
                do { _ = try await ended.take() } catch { cause = error }
                throw ExchangeError(
                    .cannotListen,
                    "The hub cannot listen on \(host), port \(port): it is taken, or not of this machine.",
                    cause: cause)
            }
            return HubListener(bound.host, bound.port, transport, current, running, ports, connections, health)
        }

        private init(
            _ host: String, _ port: Int, _ transport: Transport, _ certificate: CurrentCertificate,
            _ running: Task<Void, Never>, _ ports: OpenPorts, _ connections: OpenConnections, _ health: HubHealth?
        ) {
            self.host = host
            self.port = port
            self.transport = transport
            self.certificate = certificate
            self.running = running
            self.ports = ports
            self.connections = connections
            self.health = health
        }

        /// The hash of the key that new connections are shown.
        public var pin: Digest { certificate.value.pin }

        /// Shows another certificate to connections from now on. Those that are open keep theirs.
        public func reload(_ certificate: HubCertificate) { self.certificate.value = certificate }

        /// Stops listening, and closes the ports in order. Returns once all connections are closed and all handlers
        /// have returned; after the time connections are cut and the tasks of handlers cancelled. May be repeated.
        ///
        /// `drain` ends the handlers in place of closing their ports, as `SessionServer.drain` does.
        public func shutDown(within time: Duration = .seconds(10), drain: (@Sendable () -> Void)? = nil) async {
            // Ends the calls that watch it.
            health?.shutDown()
            transport.beginGracefulShutdown()
            if let drain { drain() } else { ports.closeAll() }
            // The transport's own task is not cancelled: it would then fail fatally on a stream that is just opened.
            let alarm = Task { [ports, connections] in
                try await Task.sleep(for: time)
                ports.closeAll()
                connections.closeAll()
                ports.cancelAll()
            }
            await running.value
            alarm.cancel()
        }

        private static func configuration(
            _ limits: HubLimits, _ streams: OpenedStreams, _ memory: SessionMemory?, _ metrics: HubMetrics
        ) -> Transport.Config {
            var configuration = Transport.Config.defaults
            configuration.http2.targetWindowSize = limits.listenerWindow
            configuration.http2.maxConcurrentStreams = limits.streamsPerConnection
            configuration.rpc.maxRequestPayloadSize = limits.largestFrame
            configuration.connection.flushCoalescing = nil
            configuration.connection.maxGraceTime = max(limits.farewell, limits.draining)
            configuration.connection.keepalive = .init(
                time: limits.ping, timeout: limits.silence - limits.ping + limits.part,
                clientBehavior: .init(minPingIntervalWithoutCalls: .seconds(5), allowWithoutCalls: true))
            configuration.channelDebuggingCallbacks.onAcceptHTTP2Stream = { channel in
                metrics.streams.increment()
                memory?.connected()
                channel.closeFuture.whenComplete { _ in
                    metrics.streams.decrement()
                    memory?.disconnected()
                }
                let allowance = ReadAllowance(limits, isAdmitted: false, received: metrics.received)
                if let memory { allowance.share(memory) { channel.close(promise: nil) } }
                return streams.add(channel, allowance, number: streams.nextNumber)
            }
            return configuration
        }

        private static func serve(
            _ stream: RPCStream<ServerStream.Inbound, ServerStream.Outbound>, _ streams: OpenedStreams,
            _ ports: OpenPorts, _ services: Services
        ) async {
            var inbound = stream.inbound.makeAsyncIterator()
            guard case .metadata(let metadata)? = try? await inbound.next(),
                let number = metadata[stringValues: StreamGate.header].first(where: { _ in true }).flatMap({ Int($0) }),
                let own = streams.take(number)
            else { return }
            // Only now are all of the stream's bytes counted.
            defer { own.allowance.end() }
            if let health = services.health, HealthService.handles(stream.descriptor) {
                own.place?.asksForHealth()
                return await HealthService(health: health)
                    .serve(stream.descriptor, &inbound, stream.outbound, over: own.channel)
            }
            guard stream.descriptor == HubMethod.descriptor else {
                let status = Status(code: .unimplemented, message: "This server is a hub of TripStore.")
                try? await stream.outbound.write(.status(status, [:]))
                return await stream.outbound.finish()
            }
            let core = StreamCore(services.limits, sent: services.metrics.sent)
            // Until a session of the connection is admitted it may greet once at a time.
            guard own.place?.beginStream() ?? true else {
                let status = Status(code: .resourceExhausted, message: "One session of a connection greets at a time.")
                try? await stream.outbound.write(.status(status, [:]))
                return await stream.outbound.finish()
            }
            defer { own.place?.endStream() }
            let port = StreamPort(core, over: own) { own.place?.stands($0, of: $1) }
            let work = Task { await services.handler(port) }
            let id = ports.add(port, work)
            defer { ports.remove(id) }
            await core.run(over: own.channel) {
                await ServerStream.read(&inbound, into: core, own.allowance)
            } write: {
                await withDiscardingTaskGroup { group in
                    group.addTask {
                        await work.value
                        port.close()
                    }
                    await ServerStream.write(core, to: stream.outbound, over: own)
                }
            }
        }

        /// What streams are served by.
        private struct Services: Sendable {
            let limits: HubLimits
            let health: HubHealth?
            let metrics: HubMetrics
            let handler: @Sendable (any FramePort) async -> Void
        }

        private static func resolve(_ host: String, _ port: Int) async throws -> NIOCore.SocketAddress {
            if let address = try? NIOCore.SocketAddress(ipAddress: host, port: port) { return address }
            // It blocks while it looks a name up.
            return try await NIOThreadPool.singleton.runIfActive {
                try NIOCore.SocketAddress.makeAddressResolvingHost(host, port: port)
            }
        }
    }
#endif
