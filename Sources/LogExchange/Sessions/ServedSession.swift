import EventLog
import Events
import Synchronization

/// A session from its server's side: requests, which are answered one at a time and in order, and notices between them.
final class ServedSession: Sendable {
    /// What the client may do now.
    enum Rights: Equatable {
        case all
        case beginning
        case revoked(by: ReplicaID)
        case waiting
        case none
    }

    /// The session has ended.
    private struct Over: Error {}
    /// The client wants no more responses.
    private struct Stopped: Error {}

    private struct State {
        var isBusy = false
        var isStopped = false
        var isDraining = false
        /// The bytes of the request that is handled.
        var held = 0
        var heard: LifeSigns
        /// Since when a frame is being sent, and its bytes.
        var sending: (since: Duration, bytes: Int)?
    }

    /// The client, with what it claims.
    let greeting: Greeting
    let publicKey: [UInt8]
    let journal: JournalID
    private let replica: ReplicaID
    private let hosted: HostedLog
    private let port: any FramePort
    private let limits: SessionLimits
    private let dependencies: SessionDependencies
    private let peer: ServedPeer
    private let server: MessageServer
    private let memory: ReceivedMemory?
    private let observe: @Sendable (SessionEvent) -> Void
    /// Notes how many commits of a log lack bytes.
    private let noteHoles: @Sendable (Log) -> Void
    /// Held while a request is answered, or a notice is made.
    private let turn = AsyncLock()
    private let sender = AsyncLock()
    private let state: Mutex<State>

    var log: Log { hosted.log }

    init(_ hosted: HostedLog, _ greeting: Greeting, _ port: any FramePort, _ server: SessionServer) throws {
        self.hosted = hosted
        self.greeting = greeting
        self.port = port
        limits = server.limits
        dependencies = server.dependencies
        publicKey = try hosted.log.publicKey()
        replica = ReplicaID(publicKey: publicKey)
        journal = hosted.log.journal
        peer = ServedPeer(hosted)
        memory = server.memory
        observe = server.observe
        noteHoles = { [server] log in
            if let count = try? log.read({ try $0.holes().count }) { server.note(holes: count, in: log.journal) }
        }
        // What a client may do is decided here before each request.
        var messages = MessageServer(
            peer, measuring: LogPeer(hosted.log), authorizer: OpenAuthorizer(), proven: greeting.replica,
            logger: server.logger)
        messages.observe = { [journal, observe = server.observe, noteHoles, log = hosted.log] attempt in
            for event in attempt.events(in: journal, greeting.replica) { observe(event) }
            noteHoles(log)
        }
        self.server = messages
        state = Mutex(State(heard: LifeSigns(at: server.dependencies.now())))
        peer.isMember.withLock { $0 = { [weak self] in try await self?.rights() == .all } }
    }

    /// What the client may do, by the members as they are now. Before a member is served the beginning of the journal
    /// ends.
    func rights() async throws -> Rights {
        switch try log.standing(of: greeting) {
        case .served:
            try await hosted.beginning?.end()
            return .all
        case .revoked(let by): return .revoked(by: by)
        case .waiting: return .waiting
        case .unknown: return try await hosted.beginning?.admits() == true ? .beginning : .none
        }
    }

    /// Ends the session after the request that is answered, or the segment that is sent.
    func drain() {
        state.withLock { $0.isDraining = true }
        Task {
            await turn.lock()
            port.close()
            turn.unlock()
        }
    }

    /// Serves until the connection ends. Throws if it was not the client who ended it.
    func run() async throws {
        defer { hold(0) }
        noteHoles(log)
        let (requests, mailbox) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(1))
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.receive(mailbox) }
                group.addTask { for await request in requests { try await self.respond(to: request) } }
                group.addTask { try await self.notify() }
                group.addTask { try await self.watch() }
                defer {
                    group.cancelAll()
                    // The transport's calls end.
                    port.close()
                }
                while try await group.next() != nil {}
            }
        } catch is Over {}
    }

    // MARK: Frames

    private func receive(_ mailbox: AsyncStream<[UInt8]>.Continuation) async throws {
        try await withTaskCancellationHandler {
            while let bytes = try await port.receive() {
                state.withLock { $0.heard.note(at: dependencies.now()) }
                switch try SessionFrame(bytes) {
                case .request(let request):
                    let isFirst = state.withLock { state in
                        defer { (state.isBusy, state.isStopped) = (true, false) }
                        return !state.isBusy
                    }
                    guard isFirst else {
                        throw ExchangeError(.malformed, "The client sent a request before the last one was answered.")
                    }
                    hold(request.count)
                    mailbox.yield(request)
                case .stop: state.withLock { $0.isStopped = $0.isBusy }
                case .ping(let number): try await send(.pong(number))
                default: throw ExchangeError(.malformed, "The client sent a frame that only servers send.")
                }
            }
            throw Over()
        } onCancel: {
            mailbox.finish()
        }
    }

    /// Counts the bytes of the request that is handled, in place of the last one's.
    private func hold(_ bytes: Int) {
        guard let memory else { return }
        let earlier = state.withLock { state in
            defer { state.held = bytes }
            return state.held
        }
        memory.add(bytes)
        memory.remove(earlier)
    }

    private func send(_ frame: SessionFrame) async throws {
        let bytes = frame.encoded()
        await sender.lock()
        defer { sender.unlock() }
        state.withLock { $0.sending = (dependencies.now(), bytes.count) }
        defer { state.withLock { $0.sending = nil } }
        try await port.send(bytes)
    }

    /// Tells the client why nothing follows, and ends the session: the client closes the connection when it has heard it.
    private func end(_ ending: SessionEnding) async throws -> Never {
        try await send(.ending(ending))
        try await dependencies.sleep(SessionServer.lingering)
        throw Over()
    }

    /// Ends the session unless the client may go on.
    private func checkRights() async throws -> Rights {
        try hosted.check()
        guard log.replica == replica, log.journal == journal, hosted.backed?.isStale != true else {
            try await end(SessionEnding(.identityChanged, "This side goes on as another replica. Connect again."))
        }
        let rights = try await rights()
        switch rights {
        case .all: peer.rights = .all
        case .beginning: peer.rights = .beginning
        case .revoked(let by):
            try await end(SessionEnding(.revoked, "Replica \(by) has revoked you.", revokedBy: by))
        case .waiting: try await end(SessionEnding(.needsGrant, ExchangeError.needsGrant.message))
        case .none: try await end(SessionEnding(.notAuthorized, SessionServer.refusal))
        }
        return rights
    }

    // MARK: Requests

    private func respond(to request: [UInt8]) async throws {
        await turn.lock()
        defer { turn.unlock() }
        // What other servers stored until now is known to what follows.
        do { try await hosted.backed?.refresh() } catch  where hosted.backed?.isStale == true {
        } catch  where !(error is CancellationError) {
            observe(.refused(journal, greeting.replica, code: SessionEvent.ownFault))
            throw error
        }
        _ = try await checkRights()
        // One is kept back, so that the last one is sent as such.
        var held: [UInt8]?
        do {
            try await server.respond(to: request) { response in
                if state.withLock({ $0.isStopped }) { throw Stopped() }
                // A long answer may outlast the client's membership.
                _ = try await checkRights()
                if let earlier = held { try await send(.response(earlier)) }
                held = response
                if state.withLock({ $0.isDraining }) { throw Over() }
            }
        } catch is Stopped { held = nil }
        // The next request may come as soon as this is sent.
        hold(0)
        state.withLock { $0.isBusy = false }
        try await send(.lastResponse(held ?? []))
    }

    // MARK: Notices

    private func notify() async throws {
        let watch = log.changes.watch()
        defer { withExtendedLifetime(watch) {} }
        var tick = log.changes.tick
        while true {
            try await noticeIfChanged()
            guard let newer = await log.changes.wait(after: tick) else { return }
            tick = newer
        }
    }

    private func noticeIfChanged() async throws {
        await turn.lock()
        defer { turn.unlock() }
        guard try await checkRights() == .all, let told = peer.told else { return }
        try await log.signHead()
        let notice = try log.read {
            SessionNotice(try Frontier($0), erasures: try $0.erasureDigest(), holes: try $0.holes().digest)
        }
        let now = ServedPeer.Told(digest: notice.digest, erasures: notice.erasures, holes: notice.holes)
        guard now != told else { return }
        try await send(.notice(notice))
        peer.told = now
    }

    // MARK: Liveness

    /// Ends a session whose client is silent, or takes nothing.
    private func watch() async throws {
        while true {
            try await dependencies.sleep(limits.ping)
            let now = dependencies.now()
            let state = state.withLock { state in
                state.heard.look(at: port, now)
                return state
            }
            if let sending = state.sending {
                if now - sending.since > limits.progress(after: sending.bytes) { throw Self.silent }
            } else if !state.isBusy, now - state.heard.last > limits.ping * 3 {
                throw Self.silent
            }
        }
    }

    private static let silent = ExchangeError(.cut, "Nothing was heard of the client for too long.")
}
