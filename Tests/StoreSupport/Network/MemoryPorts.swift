public import Events
public import LogExchange
import Synchronization

/// One direction of a connection in memory: holds a few frames, so that a slow receiver slows the sender.
final class MemoryPipe: Sendable {
    private struct State {
        var frames: [[UInt8]] = []
        var isClosed = false
        var receiver: CheckedContinuation<[UInt8]?, Never>?
        var sender: (frame: [UInt8], continuation: CheckedContinuation<Void, any Error>)?
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = capacity }

    func send(_ frame: [UInt8]) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let (receiver, outcome): (CheckedContinuation<[UInt8]?, Never>?, Result<Void, any Error>?) =
                state.withLock { state in
                    if state.isClosed { return (nil, .failure(ConnectionCut())) }
                    if let receiver = state.receiver.take() { return (receiver, .success(())) }
                    guard state.frames.count >= capacity else {
                        state.frames.append(frame)
                        return (nil, .success(()))
                    }
                    state.sender = (frame, continuation)
                    return (nil, nil)
                }
            receiver?.resume(returning: frame)
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// The frames that were sent before the pipe was closed, and nil.
    func receive() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            let (sender, outcome): (CheckedContinuation<Void, any Error>?, [UInt8]??) =
                state.withLock { state in
                    if !state.frames.isEmpty {
                        let frame = state.frames.removeFirst()
                        let sender = state.sender.take()
                        if let sender { state.frames.append(sender.frame) }
                        return (sender?.continuation, .some(frame))
                    }
                    if state.isClosed { return (nil, .some(nil)) }
                    state.receiver = continuation
                    return (nil, nil)
                }
            sender?.resume()
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    func close() {
        let (receiver, sender) = state.withLock { state in
            state.isClosed = true
            return (state.receiver.take(), state.sender.take())
        }
        receiver?.resume(returning: nil)
        sender?.continuation.resume(throwing: ConnectionCut())
    }
}

/// The connection is closed, or there is none.
public struct ConnectionCut: Error, CustomStringConvertible {
    public init() {}

    public var description: String { "The connection is cut." }
}

/// One end of a connection in memory.
public final class MemoryPort: FramePort {
    public let certificates: [Digest]
    private let received: @Sendable () -> UInt64
    private let isWithinFrame: @Sendable () -> Bool
    /// Called once for each frame, when the next one is asked for.
    private let handled: @Sendable () -> Void
    private let holdsFrame = Mutex(false)
    private let sent = Mutex<UInt64>(0)
    private let share = Mutex<MemoryShare?>(nil)
    private let incoming: MemoryPipe
    private let outgoing: MemoryPipe
    /// Looks at a frame on its way out; nil loses it.
    private let pass: @Sendable ([UInt8]) async throws -> [UInt8]?

    init(
        _ certificates: [Digest], incoming: MemoryPipe, outgoing: MemoryPipe,
        received: @escaping @Sendable () -> UInt64, isWithinFrame: @escaping @Sendable () -> Bool,
        handled: @escaping @Sendable () -> Void,
        pass: @escaping @Sendable ([UInt8]) async throws -> [UInt8]?
    ) {
        self.certificates = certificates
        self.incoming = incoming
        self.outgoing = outgoing
        self.received = received
        self.isWithinFrame = isWithinFrame
        self.handled = handled
        self.pass = pass
    }

    public func send(_ frame: [UInt8]) async throws {
        guard let frame = try await pass(frame) else { return }
        try await outgoing.send(frame)
        sent.withLock { $0 += UInt64(frame.count) }
    }

    public func receive() async throws -> [UInt8]? {
        if holdsFrame.withLock({ $0 }) { handled() }
        let frame = await incoming.receive()
        holdsFrame.withLock { $0 = frame != nil }
        return frame
    }

    public var receivedBytes: UInt64 { received() }

    public var isAwaitingRest: Bool { isWithinFrame() }

    public var sentBytes: UInt64 { sent.withLock { $0 } }

    public var memory: MemoryShare? { share.withLock { $0 } }

    /// Counts what a session answers in a server's memory.
    func share(_ memory: SessionMemory) {
        let made = memory.share { [weak self] in
            self.map { $0.receivedBytes &+ $0.sentBytes } ?? 0
        } end: { [weak self] in
            self?.close()
        }
        share.withLock { $0 = made }
    }

    public func stands(_ standing: ClientStanding, of replica: ReplicaID) { if standing == .served { memory?.serve() } }

    public func close() {
        incoming.close()
        outgoing.close()
    }
}
