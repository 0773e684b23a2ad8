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
    struct Over: Error {}
    /// The client wants no more responses.
    struct Stopped: Error {}

    struct State {
        var isBusy = false
        var isStopped = false
        var isDraining = false
        var heard: LifeSigns
        /// The number of the frame that is being sent; nil while none is.
        var sending: Int?
        var sentFrames = 0
    }

    /// The client, with what it claims.
    let greeting: Greeting
    let publicKey: [UInt8]
    let journal: JournalID
    private let replica: ReplicaID
    let hosted: HostedLog
    private let port: any FramePort
    private let limits: SessionLimits
    private let dependencies: SessionDependencies
    private let peer: ServedPeer
    private let reader: RequestReader
    let server: MessageServer
    let room: AnswerRoom
    let observe: @Sendable (SessionEvent) -> Void
    /// Notes how many commits of a log lack bytes.
    private let noteHoles: @Sendable (Log) -> Void
    /// Held while a request is answered, or a notice is made.
    let turn = AsyncLock()
    private let sender = AsyncLock()
    private let isServed = Atomic(false)
    let state: Mutex<State>

    var log: Log { hosted.log }

    /// `compressions` are those of the client's hello.
    init(
        _ hosted: HostedLog, _ greeting: Greeting, _ port: any FramePort, compressions: [UInt8],
        _ server: SessionServer
    ) throws {
        self.hosted = hosted
        self.greeting = greeting
        room = AnswerRoom(port.memory)
        self.port = PackedPort(port, named: compressions, server.dependencies.compression)
        limits = server.limits
        dependencies = server.dependencies
        publicKey = try hosted.log.publicKey()
        replica = ReplicaID(publicKey: publicKey)
        journal = hosted.log.journal
        peer = ServedPeer(hosted, room)
        reader = RequestReader(hosted, peer, greeting.replica, room, at: dependencies.now())
        observe = server.observe
        noteHoles = { [server] log in
            if let count = try? log.read({ try $0.holes().count { !$0.isExplained } }) {
                server.note(holes: count, in: log.journal)
            }
        }
        // What a client may do is decided here before each request.
        var messages = MessageServer(
            peer, measuring: LogPeer(hosted.log), authorizer: OpenAuthorizer(), proven: greeting.replica,
            logger: server.logger)
        messages.observe = { [journal, observe = server.observe, noteHoles, log = hosted.log] attempt in
            for event in attempt.events(in: journal, greeting.replica) { observe(event) }
            noteHoles(log)
        }
        messages.held = { [reader] in reader.keeper.held() }
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

    /// Ends the session after the request that is answered, or the part of a segment that is sent.
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
        noteHoles(log)
        let (requests, mailbox) = AsyncStream.makeStream(
            of: RequestReader.Request.self, bufferingPolicy: .bufferingOldest(1))
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
        } catch {
            if let rights = try? await rights() { await reader.storeRest(rights) }
            guard error is Over else { throw error }
        }
    }

    // MARK: Frames

    private func receive(_ mailbox: AsyncStream<RequestReader.Request>.Continuation) async throws {
        try await withTaskCancellationHandler {
            while let bytes = try await port.receive() {
                state.withLock { $0.heard.note(at: dependencies.now()) }
                if let message = SessionFrame.request(in: bytes) {
                    guard !state.withLock({ $0.isBusy }) else {
                        throw ExchangeError(.malformed, "The client sent a request before the last one was answered.")
                    }
                    guard let request = try await reader.read(message) else {
                        if reader.mayConfirm(at: dependencies.now(), after: limits.pause / 2) {
                            try await send(.pong(SessionFrame.partArrived))
                        }
                        continue
                    }
                    state.withLock { ($0.isBusy, $0.isStopped) = (true, false) }
                    mailbox.yield(request)
                    continue
                }
                switch try SessionFrame(bytes) {
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

    func send(_ frame: SessionFrame) async throws {
        let bytes = frame.encoded()
        await sender.lock()
        defer { sender.unlock() }
        state.withLock { state in
            state.sentFrames += 1
            state.sending = state.sentFrames
        }
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
    func checkRights() async throws -> Rights {
        try hosted.check()
        guard log.replica == replica, log.journal == journal, hosted.backed?.isStale != true else {
            try await end(SessionEnding(.identityChanged, "This side goes on as another replica. Connect again."))
        }
        let rights = try await rights()
        switch rights {
        case .all:
            if !isServed.exchange(true, ordering: .relaxed) {
                port.stands(.served, of: greeting.replica)
            }
            peer.rights = .all
        case .beginning: peer.rights = .beginning
        case .revoked(let by):
            try await end(SessionEnding(.revoked, "Replica \(by) has revoked you.", revokedBy: by))
        case .waiting: try await end(SessionEnding(.needsGrant, ExchangeError.needsGrant.message))
        case .none: try await end(SessionEnding(.notAuthorized, SessionServer.refusal))
        }
        return rights
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
        let notice = try log.read { SessionNotice(try Frontier($0), holes: try $0.holes().digest) }
        let now = ServedPeer.Told(digest: notice.digest, holes: notice.holes)
        guard now != told else { return }
        try await send(.notice(notice))
        peer.told = now
    }

    // MARK: Liveness

    /// Ends a session whose client is silent, takes nothing, or begins a frame and does not go on with it.
    private func watch() async throws {
        var earlier: (sending: Int?, progress: FrameProgress)?
        while true {
            try await dependencies.sleep(limits.pause)
            let now = dependencies.now()
            let progress = FrameProgress(port)
            let state = state.withLock { state in
                state.heard.look(at: port, now)
                return state
            }
            if let earlier {
                let isSameFrame = state.sending != nil && state.sending == earlier.sending
                if progress.stopped(since: earlier.progress, isSending: isSameFrame) { throw Self.silent }
            }
            if !state.isBusy, state.sending == nil, now - state.heard.last > limits.ping * 3 { throw Self.silent }
            earlier = (state.sending, progress)
        }
    }

    private static let silent = ExchangeError(.cut, "Nothing was heard of the client for too long, or it took nothing.")
}
