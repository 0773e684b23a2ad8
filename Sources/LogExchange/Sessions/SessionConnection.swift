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
        /// Since when the response is waited for that comes next.
        var awaited: Duration
        /// The number of the frame that is being sent; nil while none is.
        var sending: Int?
        var sentFrames = 0
        /// The notices that came since the last request.
        var notices = 0
        /// A response waits for the caller to take it.
        var isHandingOver = false
        var pings: UInt64 = 0
        /// The messages of the request of which the server may still say that they have come.
        var unconfirmed = 0
        /// How long messages were on their way.
        var pace: RequestPace
    }

    let notices: AsyncStream<SessionNotice>
    private let announcer: AsyncStream<SessionNotice>.Continuation
    private let port: any FramePort
    private let limits: SessionLimits
    private let dependencies: SessionDependencies
    private let turn = AsyncLock()
    private let sender = AsyncLock()
    private let state: Mutex<State>

    /// `greeting` is the time that the greeting took.
    init(
        _ port: any FramePort, _ limits: SessionLimits, _ dependencies: SessionDependencies, greeting: Duration = .zero
    ) {
        self.port = port
        self.limits = limits
        self.dependencies = dependencies
        (notices, announcer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        state = Mutex(
            State(
                heard: LifeSigns(at: dependencies.now()), awaited: dependencies.now(),
                pace: RequestPace(greeting, atMost: limits.pause)))
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
                case .notice(let notice):
                    let count = state.withLock { state in
                        state.notices += 1
                        return state.notices
                    }
                    guard count <= Self.mostNotices else {
                        throw ExchangeError(.cut, "The server sent over \(Self.mostNotices) notices to one request.")
                    }
                    announcer.yield(notice)
                case .pong(SessionFrame.partArrived):
                    state.withLock { state in
                        guard state.unconfirmed > 0 else { return }
                        state.unconfirmed -= 1
                        state.awaited = dependencies.now()
                        state.pace.arrived(at: dependencies.now(), isLast: false)
                    }
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
            state.pace.arrived(at: dependencies.now(), isLast: true)
            return state.responses
        }
        guard let responses else {
            throw ExchangeError(.malformed, "The server sent a response without a request.")
        }
        try await responses.put(response)
        state.withLock { state in
            state.isHandingOver = false
            state.heard.note(at: dependencies.now())
            state.awaited = dependencies.now()
        }
    }

    /// The most notices between two requests: a client asks soon after one, and takes them for a flood then.
    static let mostNotices = 4096
    /// The most bytes of responses after a stop: as many as can have been on their way.
    static let mostAfterStop = 2 * SessionFrame.largest

    private func send(_ frame: SessionFrame) async throws {
        let bytes = frame.encoded()
        await sender.lock()
        defer { sender.unlock() }
        try checkOpen()
        state.withLock { state in
            state.sentFrames += 1
            state.sending = state.sentFrames
        }
        defer {
            state.withLock { state in
                state.sending = nil
                // A ping meanwhile makes the wait for a response no longer.
                if case .request = frame { state.awaited = dependencies.now() }
            }
        }
        do { try await port.send(bytes) } catch {
            end(error)
            throw failure ?? error
        }
    }

    // MARK: Requests

    func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        try await call(sending: { try await sendRequest(request) }, body)
    }

    /// Sends one request in several messages.
    func call(_ messages: [ExchangeMessage], _ body: ([UInt8]) async throws -> Void) async throws {
        try await call(
            sending: {
                state.withLock { $0.unconfirmed = messages.count - 1 }
                for message in messages { try await sendRequest(message.encoded()) }
            }, body)
    }

    private func sendRequest(_ message: [UInt8]) async throws {
        state.withLock { $0.pace.sends(message.count, at: dependencies.now()) }
        try await send(.request(message))
    }

    private func call(
        sending send: () async throws -> Void, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        try await withTaskCancellationHandler {
            await turn.lock()
            defer { turn.unlock() }
            try Task.checkCancellation()
            try checkOpen()
            let responses = Handoff<Response>()
            state.withLock { ($0.responses, $0.notices, $0.unconfirmed) = (responses, 0, 0) }
            defer { state.withLock { $0.responses = nil } }
            // It may have ended in between.
            try checkOpen()
            try await send()
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

    /// Discards the responses that the server sent before the stop arrived. Throws, and ends the connection, if it goes on after that.
    private func stop(_ responses: Handoff<Response>) async throws {
        try await send(.stop)
        var bytes = 0
        while case let response = try await next(of: responses), !response.isLast {
            bytes += response.bytes.count
            guard bytes <= Self.mostAfterStop else {
                let error = ExchangeError(
                    .cut, "The server sent \(bytes) bytes more after it was told to stop. The connection was closed.")
                end(error)
                throw error
            }
        }
    }

    // MARK: Liveness

    private func watch() async {
        var earlier: (sending: Int?, progress: FrameProgress)?
        while failure == nil {
            guard (try? await dependencies.sleep(min(limits.ping, limits.pause))) != nil else { return }
            let now = dependencies.now()
            let progress = FrameProgress(port)
            let state = state.withLock { state in
                // A response that arrives is waited for no more, however slow.
                if state.heard.look(at: port, now), port.isAwaitingRest { state.awaited = now }
                return state
            }
            if let earlier {
                let isSameFrame = state.sending != nil && state.sending == earlier.sending
                if progress.stopped(since: earlier.progress, isSending: isSameFrame) { return end(Self.silent) }
            }
            earlier = (state.sending, progress)
            if state.isHandingOver || state.sending != nil { continue }
            let isAwaiting = state.responses != nil
            // On a slow link a message is on its way for so long.
            let underway = state.pace.allowance
            if isAwaiting, now - state.awaited > limits.answering + underway { return end(Self.silent) }
            if now - state.heard.last >= limits.ping {
                // A server that handles a request reads pings as well, but for moments without room. They are behind the request.
                await probe(within: isAwaiting ? limits.patience * 2 + underway : limits.patience)
                earlier = nil
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
