import Events
import LogExchange
import Synchronization

/// A port that passes the frames of a session's greeting, and leaves the server's further ones unread, or to a reader of the port below.
final class UnreadPort: FramePort {
    /// The server's hello, and its welcome.
    private static let framesOfGreeting = 2

    let below: any FramePort
    private let received = Atomic(0)
    private let closing = AsyncStream<Never>.makeStream()

    init(_ below: any FramePort) { self.below = below }

    var certificates: [Digest] { below.certificates }
    var sentBytes: UInt64 { below.sentBytes }

    func send(_ frame: [UInt8]) async throws { try await below.send(frame) }

    func receive() async throws -> [UInt8]? {
        if received.add(1, ordering: .relaxed).oldValue < Self.framesOfGreeting { return try await below.receive() }
        for await _ in closing.stream {}
        return nil
    }

    func close() {
        closing.continuation.finish()
        below.close()
    }
}

/// Passes on a connection that is open already.
struct OpenedConnector: FrameConnector {
    let address: String
    let port: UnreadPort

    func connect() async throws -> any FramePort { port }
}
