public import Events
public import LogExchange
import Synchronization

/// A server in memory, with connections that a test can cut, delay, silence and tamper with.
public final class MemoryNetwork: FrameConnector {
    /// Where a frame goes.
    public enum Direction: Sendable { case toServer, toClient }

    /// What becomes of a frame.
    public enum Fate: Sendable {
        case arrives, lost
        /// The connection ends, and the frame with it.
        case cut
        case changed([UInt8])
    }

    /// Decides, or waits; `number` counts the frames of the connection in both directions, from 0.
    public typealias Hook = @Sendable (_ frame: [UInt8], _ direction: Direction, _ number: Int) async -> Fate

    private struct State {
        var hook: Hook = { _, _, _ in .arrives }
        var isDown = false
        var isSilent = false
        var connections: [Int: MemoryPort] = [:]
        var connectionCount = 0
        var attempts = 0
        var partBytes: UInt64 = 0
        var isWithinFrame = false
        var underway = 0
        var memory: SessionMemory?
        var frames: [(direction: Direction, bytes: [UInt8])] = []
        var serve: @Sendable (any FramePort) async -> Void
    }

    public let address: String
    public let journal: JournalID?
    /// The certificate that a client is shown, and the one that the server has.
    private let shown: Digest?
    private let held: Digest?
    private let capacity: Int
    private let state: Mutex<State>

    /// `shown` differs from `certificate` if somebody is in between.
    public init(
        _ address: String = "memory", journal: JournalID? = nil, certificate: Digest? = MemoryNetwork.certificate(1),
        showing shown: Digest? = nil, capacity: Int = 4, serve: @escaping @Sendable (any FramePort) async -> Void
    ) {
        self.address = address
        self.journal = journal
        self.held = certificate
        self.shown = shown ?? certificate
        self.capacity = capacity
        state = Mutex(State(serve: serve))
    }

    public convenience init(
        _ server: SessionServer, journal: JournalID? = nil,
        certificate: Digest? = MemoryNetwork.certificate(1), showing shown: Digest? = nil, capacity: Int = 4
    ) {
        self.init(journal: journal, certificate: certificate, showing: shown, capacity: capacity) {
            await server.serve($0)
        }
    }

    deinit { cutAll() }

    public static func certificate(_ number: UInt8) -> Digest {
        [UInt8](repeating: number, count: Digest.size).withUnsafeBytes { Digest($0) } ?? .zero
    }

    public func connect() async throws -> any FramePort {
        let number: Int? = state.withLock { state in
            state.attempts += 1
            guard !state.isDown else { return nil }
            state.connectionCount += 1
            return state.connectionCount
        }
        guard let number else { throw ConnectionCut() }
        let (there, back) = (MemoryPipe(capacity: capacity), MemoryPipe(capacity: capacity))
        let frames = FrameCounter()
        let received: @Sendable () -> UInt64 = { [weak self] in self?.state.withLock { $0.partBytes } ?? 0 }
        let isWithinFrame: @Sendable () -> Bool = { [weak self] in self?.state.withLock { $0.isWithinFrame } ?? false }
        let handled: @Sendable () -> Void = { [weak self] in self?.state.withLock { $0.underway -= 1 } }
        let client = MemoryPort(
            [shown].compactMap { $0 }, incoming: back, outgoing: there, received: received,
            isWithinFrame: isWithinFrame,
            handled: handled
        ) { [weak self] frame in
            // One that sends for ever would go on in the rest of the process otherwise.
            guard let self else { throw ConnectionCut() }
            return try await pass(frame, .toServer, frames.next(), of: number)
        }
        let server = MemoryPort(
            [held].compactMap { $0 }, incoming: there, outgoing: back, received: received, isWithinFrame: isWithinFrame,
            handled: handled
        ) { [weak self] frame in
            // One that sends for ever would go on in the rest of the process otherwise.
            guard let self else { throw ConnectionCut() }
            return try await pass(frame, .toClient, frames.next(), of: number)
        }
        let (serve, memory) = state.withLock { state in
            state.connections[number] = client
            return (state.serve, state.memory)
        }
        if let memory { server.share(memory) }
        Task { [weak self] in
            await serve(server)
            server.close()
            self?.state.withLock { $0.connections[number] = nil }
        }
        return client
    }

    private func pass(
        _ frame: [UInt8], _ direction: Direction, _ number: Int, of connection: Int
    ) async throws -> [UInt8]? {
        let (hook, isSilent) = state.withLock { state in
            if !state.isSilent {
                state.frames.append((direction, frame))
                state.underway += 1
            }
            return (state.hook, state.isSilent)
        }
        if isSilent { return nil }
        switch await hook(frame, direction, number) {
        case .arrives: return frame
        case .changed(let other): return other
        case .lost:
            state.withLock { $0.underway -= 1 }
            return nil
        case .cut:
            state.withLock { $0.connections[connection] }?.close()
            throw ConnectionCut()
        }
    }

    // MARK: What a test does to it

    /// Decides about each frame from now on.
    public func setHook(_ hook: @escaping Hook) { state.withLock { $0.hook = hook } }

    /// Serves new connections with something else: a server that was started anew.
    public func setServer(_ serve: @escaping @Sendable (any FramePort) async -> Void) {
        state.withLock { $0.serve = serve }
    }

    /// What new connections share at the server.
    public func setMemory(_ memory: SessionMemory) { state.withLock { $0.memory = memory } }

    /// Whether connecting fails.
    public var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Whether nothing arrives any more and nobody is told: half-open connections.
    public var isSilent: Bool {
        get { state.withLock { $0.isSilent } }
        set { state.withLock { $0.isSilent = newValue } }
    }

    /// At both ends of every connection bytes arrive of a frame that is not whole yet.
    public func bringParts(_ bytes: Int) { state.withLock { $0.partBytes += UInt64(bytes) } }

    /// Whether at both ends of every connection the rest of a frame is waited for.
    public var isWithinFrame: Bool {
        get { state.withLock { $0.isWithinFrame } }
        set { state.withLock { $0.isWithinFrame = newValue } }
    }

    /// Cuts every connection.
    public func cutAll() {
        let ports = state.withLock { state in
            defer { state.connections = [:] }
            return state.connections.values
        }
        for port in ports { port.close() }
    }

    // MARK: What a test asks

    /// The connections that were made, open or not.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }
    /// How often somebody tried to connect.
    public var attempts: Int { state.withLock { $0.attempts } }
    /// The connections that are open.
    public var openConnections: Int { state.withLock { $0.connections.count } }

    /// Whether every frame has arrived, and its receiver has asked for the next one. False for ever once a connection was closed with
    /// frames on their way.
    public var isQuiet: Bool { state.withLock { $0.underway == 0 } }

    /// The frames that were sent since the last call, those that were packed as they were before.
    public func takeFrames() -> [(direction: Direction, frame: SessionFrame)] {
        let frames = state.withLock { state in
            defer { state.frames = [] }
            return state.frames
        }
        return frames.compactMap { direction, bytes in
            (try? SessionFrame(SessionFrame.unpacked(bytes))).map { (direction, $0) }
        }
    }
}

/// Numbers the frames of a connection.
private final class FrameCounter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
