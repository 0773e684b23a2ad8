#if Hub
    internal import GRPCCore
    internal import GRPCNIOTransportCore
    import LogExchange
    internal import NIOCore

    /// The two tasks of a client's stream.
    enum ClientStream {
        typealias Inbound = RPCAsyncSequence<RPCResponsePart<GRPCNIOTransportBytes>, any Error>
        typealias Outbound = RPCWriter<RPCRequestPart<GRPCNIOTransportBytes>>.Closable

        /// Reads until the call ends. After the port was closed it reads on, so that the call can end.
        static func read(_ inbound: Inbound, into core: StreamCore, _ allowance: ReadAllowance) async {
            do {
                for try await part in inbound {
                    switch part {
                    case .metadata: break
                    case .message(let bytes):
                        let frame = bytes.withUnsafeBytes { [UInt8]($0) }
                        try? await core.incoming.put(frame)
                        allowance.took(frame.count)
                    case .status(let status, _):
                        if status.code == .ok {
                            core.outgoing.finish()
                            core.incoming.finish()
                        } else {
                            core.fail(ExchangeError(status))
                        }
                        return
                    }
                }
                core.fail(ExchangeError(.cut, "The connection to the hub was cut."))
            } catch {
                core.fail(ExchangeError(.cut, "The connection to the hub was cut.", cause: error))
            }
        }

        /// Writes until the port is closed.
        static func write(_ core: StreamCore, to outbound: Outbound, over stream: OpenedStreams.Opened) async {
            do {
                try await outbound.write(.metadata([:]))
                try await core.handOver {
                    try await outbound.write(.message(GRPCNIOTransportBytes($0)))
                } settle: {
                    // The loop has everything that was written by then.
                    try await stream.channel.eventLoop.submit {}.get()
                    await stream.allowance.settle()
                }
                await outbound.finish()
            } catch {
                // The handoff's own error is known to the port.
                core.outgoing.finish(throwing: ExchangeError(.cut, "The connection to the hub was cut.", cause: error))
                await outbound.finish()
            }
        }
    }

    extension ExchangeError {
        /// Why a server ended a call.
        init(_ status: Status) {
            switch status.code {
            case .unimplemented, .permissionDenied, .unauthenticated:
                self.init(.notAHub, "The server is no hub, or one of another version. It says: \(status.message)")
            default:
                self.init(.cut, "The connection to the hub ended (\(status.code)). \(status.message)")
            }
        }
    }
#endif
