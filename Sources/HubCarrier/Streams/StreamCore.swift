#if Hub
    internal import CoreMetrics
    internal import GRPCCore
    internal import LogExchange
    internal import NIOCore

    /// What a port and the tasks of its stream share, apart from the port, so that a port that is dropped ends its
    /// stream.
    final class StreamCore: Sendable {
        /// A frame is sent once the network has taken it, and received until the reader asks for the next one.
        let outgoing = Handoff<[UInt8]>(awaitsHandling: true)
        let incoming = Handoff<[UInt8]>(awaitsHandling: true)
        let largest: Int
        private let farewell: Duration
        private let closing = AsyncStream<Never>.makeStream()

        /// Counts the bytes of frames that are sent.
        private let sent: Counter?

        init(_ limits: HubLimits, sent: Counter? = nil) {
            self.sent = sent
            largest = limits.largestFrame
            farewell = limits.farewell
        }

        /// Ends both directions and the calls that wait. Frames whose `send` has returned are still sent.
        func close() {
            outgoing.finish()
            incoming.finish(throwing: ExchangeError(.cut, "The connection was closed at this end."))
            closing.continuation.finish()
        }

        /// The stream has failed.
        func fail(_ error: any Error) {
            outgoing.finish(throwing: error)
            incoming.finish(throwing: error)
        }

        /// Hands the frames that are to be sent to `write`, until the port is closed.
        ///
        /// The transport's own writer takes any number of frames, whether the other end takes them or not. Hence `settle`, which waits until
        /// the network has taken what was written, is called after each large frame, and after some small ones.
        func handOver(to write: ([UInt8]) async throws -> Void, settle: () async throws -> Void) async throws {
            var ahead = 0
            while let frame = try await outgoing.take() {
                try await write(frame)
                sent?.increment(by: frame.count)
                ahead += frame.count
                guard ahead >= ReadAllowance.mostSending else { continue }
                ahead = 0
                try await settle()
            }
        }

        /// Runs the tasks of a stream. Once the port was closed, the other end has some time for taking the last
        /// frames; then the stream is reset.
        ///
        /// `read` reads until the stream ends, in the task of the caller, and `write` writes until no more is to be
        /// sent; both report failures by `fail`.
        func run(over stream: any Channel, read: () async -> Void, write: @escaping @Sendable () async -> Void) async {
            await withDiscardingTaskGroup { group in
                group.addTask { [farewell, closing] in
                    for await _ in closing.stream {}
                    // Cancelled once both directions have ended.
                    do { try await Task.sleep(for: farewell) } catch { return }
                    stream.close(promise: nil)
                }
                await withDiscardingTaskGroup { directions in
                    directions.addTask(operation: write)
                    await read()
                }
                group.cancelAll()
            }
        }
    }

    /// The one method of a hub: see `hub.proto`.
    enum HubMethod {
        static let descriptor = MethodDescriptor(fullyQualifiedService: "tripstore.hub.Hub", method: "Sync")
    }
#endif
