#if Hub
    internal import GRPCCore
    internal import GRPCNIOTransportCore
    import LogExchange
    internal import NIOCore

    /// The two tasks of a server's stream, beside its handler.
    enum ServerStream {
        typealias Inbound = RPCAsyncSequence<RPCRequestPart<GRPCNIOTransportBytes>, any Error>
        typealias Outbound = RPCWriter<RPCResponsePart<GRPCNIOTransportBytes>>.Closable

        /// Reads until the client has ended its side. After the port was closed it reads on, so that the stream can
        /// end.
        static func read(_ inbound: inout Inbound.AsyncIterator, into core: StreamCore, _ allowance: ReadAllowance)
            async
        {
            do {
                while let part = try await inbound.next() {
                    guard case .message(let bytes) = part else { continue }
                    guard await allowance.roomForNext() else { continue }
                    let frame = bytes.withUnsafeBytes { [UInt8]($0) }
                    try? await core.incoming.put(frame)
                    allowance.took(frame.count)
                }
                core.incoming.finish()
            } catch {
                core.fail(ExchangeError(.cut, "The connection to the client was cut.", cause: error))
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
                try await outbound.write(.status(Status(code: .ok, message: ""), [:]))
            } catch {
                core.outgoing.finish(
                    throwing: ExchangeError(.cut, "The connection to the client was cut.", cause: error))
            }
            await outbound.finish()
        }
    }
#endif
