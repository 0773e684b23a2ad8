#if Hub
    import Events
    import LogExchange
    import Synchronization
    import Testing

    @testable import HubCarrier

    @Suite("The streams of a hub that ends")
    struct OpenPortsTests {
        @Test("One that comes after the others were cut is closed, and its handler cancelled")
        func lateStream() async {
            let ports = OpenPorts()
            ports.closeAll()
            ports.cancelAll()
            let port = ClosedPort()
            // Ends by cancellation alone.
            let work = Task { for await _ in AsyncStream<Never>.makeStream().stream {} }
            _ = ports.add(port, work)
            await work.value
            let isClosed = port.isClosed.load(ordering: .relaxed)
            #expect(isClosed)
        }

        private final class ClosedPort: FramePort {
            let isClosed = Atomic(false)
            let certificates: [Digest] = []
            let sentBytes: UInt64 = 0

            func send(_ frame: [UInt8]) async throws {}
            func receive() async throws -> [UInt8]? { nil }
            func close() { isClosed.store(true, ordering: .relaxed) }
        }
    }
#endif
