#if Hub
    import Events
    import LogExchange

    /// A stream of a connection as a port: frames are handed to and from the tasks that write and read the stream.
    ///
    /// At most one frame waits in each direction beside what the transport buffers.
    final class StreamPort: FramePort {
        let certificates: [Digest]
        private let core: StreamCore
        private let allowance: ReadAllowance
        private let onStanding: @Sendable (ClientStanding, ReplicaID) -> Void

        init(
            _ core: StreamCore, over stream: OpenedStreams.Opened,
            onStanding: @escaping @Sendable (ClientStanding, ReplicaID) -> Void = { _, _ in }
        ) {
            self.core = core
            self.onStanding = onStanding
            allowance = stream.allowance
            certificates = stream.certificate.map { [$0] } ?? []
        }

        deinit { core.close() }

        func send(_ frame: [UInt8]) async throws {
            guard frame.count <= core.largest else {
                close()
                throw ExchangeError(
                    .malformed, "A frame of \(frame.count) bytes cannot be sent: \(core.largest) are the most.")
            }
            do {
                try await core.outgoing.put(frame)
            } catch {
                close()
                throw error
            }
        }

        func receive() async throws -> [UInt8]? {
            do {
                return try await core.incoming.take()
            } catch {
                close()
                throw error
            }
        }

        var receivedBytes: UInt64 { allowance.total }

        var sentBytes: UInt64 { allowance.totalSent }

        var isAwaitingRest: Bool { allowance.isAwaitingRest }

        var memory: MemoryShare? { allowance.share }

        func stands(_ standing: ClientStanding, of replica: ReplicaID) {
            allowance.stands(standing)
            onStanding(standing, replica)
        }

        func close() { core.close() }
    }
#endif
