import EventLog
import Events
import Synchronization

/// The connection of a client that was admitted: one task receives and routes frames, another looks whether it is alive.
final class SessionConnection: Sendable {
    private struct Response: Sendable {
        let bytes: [UInt8]
        let isLast: Bool
    }

    private struct State {
        var failure: (any Error)?
        var responses: Handoff<Response>?
        var heard: LifeSigns
        /// The end of the last frame that was sent, or the beginning of the one that is being sent.
        var lastSent: Duration
        var sentBytes = 0
        /// A response waits for the caller to take it.
        var isHandingOver = false
        var pings: UInt64 = 0
    }

    let notices: AsyncStream<SessionNotice>
    private let announcer: AsyncStream<SessionNotice>.Continuation
    private let port: any FramePort
    private let limits: SessionLimits
    private let dependencies: SessionDependencies
    private let turn = AsyncLock()
    private let sender = AsyncLock()
    private let state: Mutex<State>

    init(_ port: any FramePort, _ limits: SessionLimits, _ dependencies: SessionDependencies) {
        self.port = port
        self.limits = limits
        self.dependencies = dependencies
        (notices, announcer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        state = Mutex(State(heard: LifeSigns(at: dependencies.now()), lastSent: dependencies.now()))
        // They end with the connection, which `end` does.
        Task { await self.receive() }
        let watcher = Task { await self.watch() }
        announcer.onTermination = { _ in watcher.cancel() }
    }

    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Ends the connection, and every call; the first reason counts.
    func end(_ error: any Error) {
        let responses = state.withLock { state in
            state.failure = state.failure ?? error
            return state.responses
        }
        responses?.finish(throwing: failure ?? error)
        announcer.finish()
        port.close()
    }

    private func checkOpen() throws { if let failure { throw failure } }

    // MARK: Frames

    private func receive() async {
        do {
            while let bytes = try await port.receive() {
                try checkOpen()
                state.withLock { $0.heard.note(at: dependencies.now()) }
                switch try SessionFrame(bytes) {
                case .response(let bytes): try await handOver(Response(bytes: bytes, isLast: false))
                case .lastResponse(let bytes): try await handOver(Response(bytes: bytes, isLast: true))
                case .notice(let notice): announcer.yield(notice)
                case .pong: break
                case .ending(let ending): throw ending.error
                default: throw ExchangeError(.malformed, "The server sent a frame that only clients send.")
                }
            }
            end(ExchangeError(.cut, "The server closed the connection."))
        } catch {
            end(error)
        }
    }

    private func handOver(_ response: Response) async throws {
        let responses = state.withLock { state in
            state.isHandingOver = true
            return state.responses
        }
        guard let responses else {
            throw ExchangeError(.malformed, "The server sent a response without a request.")
        }
        try await responses.put(response)
        state.withLock { state in
            state.isHandingOver = false
            state.heard.note(at: dependencies.now())
        }
    }

    private func send(_ frame: SessionFrame) async throws {
        let bytes = frame.encoded()
        await sender.lock()
        defer { sender.unlock() }
        try checkOpen()
        state.withLock { ($0.lastSent, $0.sentBytes) = (dependencies.now(), bytes.count) }
        do { try await port.send(bytes) } catch {
            end(error)
            throw failure ?? error
        }
        state.withLock { $0.lastSent = dependencies.now() }
    }

    // MARK: Requests

    func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        try await withTaskCancellationHandler {
            await turn.lock()
            defer { turn.unlock() }
            try Task.checkCancellation()
            try checkOpen()
            let responses = Handoff<Response>()
            state.withLock { $0.responses = responses }
            defer { state.withLock { $0.responses = nil } }
            // It may have ended in between.
            try checkOpen()
            try await send(.request(request))
            try await pass(responses, to: body)
        } onCancel: {
            end(CancellationError())
        }
    }

    private func pass(_ responses: Handoff<Response>, to body: ([UInt8]) async throws -> Void) async throws {
        while true {
            let response = try await next(of: responses)
            if response.isLast { clear() }
            do { try await body(response.bytes) } catch {
                if !response.isLast { try await stop(responses) }
                throw error
            }
            if response.isLast { return }
        }
    }

    private func next(of responses: Handoff<Response>) async throws -> Response {
        guard let response = try await responses.take() else { throw failure ?? Self.silent }
        return response
    }

    /// The last response has come: another one would be none to this request.
    private func clear() { state.withLock { $0.responses = nil } }

    /// Discards the responses that the server sent before the stop arrived.
    private func stop(_ responses: Handoff<Response>) async throws {
        try await send(.stop)
        while try await !next(of: responses).isLast {}
    }

    // MARK: Liveness

    private func watch() async {
        while failure == nil {
            guard (try? await dependencies.sleep(limits.ping)) != nil else { return }
            let now = dependencies.now()
            let state = state.withLock { state in
                state.heard.look(at: port, now)
                return state
            }
            if state.isHandingOver || now - state.heard.last < limits.ping { continue }
            if state.responses != nil {
                if now - max(state.heard.last, state.lastSent) > limits.progress(after: state.sentBytes) {
                    end(Self.silent)
                }
            } else {
                await probe(within: limits.patience)
            }
        }
    }

    /// Ends the connection unless something is heard of the server in a time.
    func probe(within patience: Duration) async {
        let (number, heard) = state.withLock { state in
            state.heard.look(at: port, dependencies.now())
            state.pings += 1
            return (state.pings, state.heard.count)
        }
        // On a dead connection sending may wait for ever.
        Task { try? await self.send(.ping(number)) }
        guard (try? await dependencies.sleep(patience)) != nil else { return }
        let isSilent = state.withLock { state in
            state.heard.look(at: port, dependencies.now())
            return !state.isHandingOver && state.heard.count == heard
        }
        if isSilent { end(Self.silent) }
    }

    private static let silent = ExchangeError(
        .cut, "Nothing was heard of the server for too long: the connection is dead, or the server is.")
}
