import EventLog
import Events
public import Logging

/// The server of sessions: a transport calls it with each connection.
///
/// It tells nothing to a client that has not proved the key of a member, and the same to all others; no client can make
/// it hold more than the bounds in `SessionLimits`.
public struct SessionServer: Sendable {
    /// The words of every refusal: the same whether the journal is here or not.
    static let refusal =
        "Nothing is here for you. Check the address, or ask an admin for an invitation and join with it."

    let host: any SessionHost
    let limits: SessionLimits
    let dependencies: SessionDependencies
    let logger: Logger
    /// Called with what happens in sessions, on no particular thread; it must return soon.
    public var observe: @Sendable (SessionEvent) -> Void = { _ in }
    private let gate: SessionGate
    private var tickets: SessionTickets
    private let lacking = LackingJournals()

    public init(
        _ host: any SessionHost, limits: SessionLimits = SessionLimits(), dependencies: SessionDependencies = .system,
        logger: Logger = Logger(label: "tripstore.sessions")
    ) {
        self.host = host
        self.limits = limits
        self.dependencies = dependencies
        self.logger = logger
        gate = SessionGate(limits)
        tickets = SessionTickets(key: dependencies.randomBytes(32), now: dependencies.clock)
    }

    /// Gives tickets by a secret that stays, so that replicas that were served are known after a restart; without one each server makes its own.
    public mutating func useTickets(key: [UInt8]) {
        tickets = SessionTickets(key: key, now: dependencies.clock)
    }

    /// How many clients are connected: those in a session, and those that have not proved their key.
    public var connections: (sessions: Int, waiting: Int) { gate.counts }

    /// Takes no further sessions, and ends each of those that are there after the request that it answers, or the segment that it
    /// sends. Clients exchange what is missing in their next session. Returns at once: see `connections`.
    public func drain() { gate.drain() }

    /// Serves a connection until it ends, and closes it. Ends when the task is cancelled.
    public func serve(_ port: any FramePort) async {
        let number = gate.enter(port)
        defer {
            gate.leave(number)
            port.close()
        }
        let session: ServedSession
        do {
            // A session's own time begins after that; a refusal waits inside of it.
            let admitted = try await dependencies.within(limits.greeting, on: port) {
                try await greet(port, number)
            }
            switch admitted {
            case .refused:
                observe(.turnedAway(.refused))
                return await linger(port)
            case .revoked(let session, let admin):
                observe(.turnedAway(.refused))
                try? await dependencies.within(RevocationEvidence.patience, on: port) {
                    try await RevocationEvidence.send(of: session, revokedBy: admin, over: port, dependencies)
                }
                return await linger(port)
            case .served(let admitted): session = admitted
            }
        } catch {
            observe(.turnedAway(gate.isDraining ? .drained : .unfinished))
            return logger.debug("a connection ended", metadata: ["error": "\(error)"])
        }
        await run(session, number)
    }

    /// Notes how many commits of a journal lack bytes.
    func note(holes count: Int, in journal: JournalID) {
        guard lacking.set(count, of: journal) else { return }
        observe(.lacking(journal, commits: count))
        if count == 0 {
            return logger.notice("all bytes of a journal are here again", metadata: ["journal": "\(journal)"])
        }
        logger.warning(
            "commits of a journal lack bytes that nobody erased, until a member that has them exchanges",
            metadata: ["journal": "\(journal)", "commits": "\(count)"])
    }

    private func run(_ session: ServedSession, _ number: UInt64) async {
        let (journal, replica) = (session.journal, session.greeting.replica)
        logger.info("a session began", metadata: ["replica": "\(replica)", "journal": "\(journal)"])
        observe(.began(journal, replica))
        var outcome = SessionOutcome.ended
        gate.onDrain(number) { [weak session] in session?.drain() }
        do {
            try await session.run()
        } catch {
            outcome = .cut
            logger.debug("a connection ended", metadata: ["error": "\(error)"])
        }
        if gate.isDraining { outcome = .drained }
        logger.info("a session ended", metadata: ["replica": "\(replica)", "outcome": "\(outcome.rawValue)"])
        observe(.ended(journal, replica, outcome))
    }

    /// How long a client may take to hear the last frame, before the connection is closed.
    static let lingering = Duration.seconds(2)

    private func linger(_ port: any FramePort) async {
        _ = try? await dependencies.within(Self.lingering, on: port) { while try await port.receive() != nil {} }
    }

    /// What came of a greeting.
    private enum Admitted {
        case refused
        /// The client may see why, and nothing else.
        case revoked(ServedSession, by: ReplicaID)
        case served(ServedSession)
    }

    private func greet(_ port: any FramePort, _ number: UInt64) async throws -> Admitted {
        guard case .clientHello(let helloBytes) = try await Self.frame(port) else { throw Self.outOfOrder }
        let hello = try ClientHello(helloBytes)
        let claimed = ReplicaID(publicKey: hello.key)
        if let ticket = hello.ticket, tickets.holds(ticket, for: hello.key), gate.knows(number, claimed) {
            port.stands(.ticket, of: claimed)
        }
        let serverHello = ServerHello(
            version: min(hello.version, ClientHello.currentVersion),
            nonce: dependencies.randomBytes(ClientHello.nonceSize), compressions: dependencies.compression.named
        ).encoded()
        try await port.send(SessionFrame.serverHello(serverHello).encoded())
        guard case .clientProof(let claimBytes, let signature) = try await Self.frame(port) else {
            throw Self.outOfOrder
        }
        // The client chooses when it proves its key: what is done from here on must not show by its time.
        let start = dependencies.now()
        var transcript = SessionTranscript(clientHello: helloBytes, serverHello: serverHello)
        transcript.add(claimBytes)
        // Another certificate than the server's means a relay in between.
        let isDirect = hello.certificate.map(port.certificates.contains) ?? port.certificates.isEmpty
        let isProved = SessionSignature.isValid(
            signature, publicKey: hello.key, over: transcript.digest, as: .client)
        let claims = try SessionClaims(claimBytes)
        guard isDirect, isProved, let session = try await session(hello, claims, port),
            case let rights = try await session.rights(), rights != .none,
            gate.admit(number, session.greeting.replica, isServed: rights == .all)
        else {
            let rest = limits.refusal - (dependencies.now() - start)
            if rest > .zero { try await dependencies.sleep(rest) }
            try await port.send(SessionFrame.refusal(code: "notAuthorized", message: Self.refusal).encoded())
            return .refused
        }
        return try await welcome(session, hello, transcript, port)
    }

    /// Nil if there is no log for the client.
    private func session(
        _ hello: ClientHello, _ claims: SessionClaims, _ port: any FramePort
    ) async throws -> ServedSession? {
        let key = SessionPeerKey(publicKey: hello.key)
        do {
            guard let hosted = try await host.log(for: hello.journal, peer: key) else { return nil }
            let greeting = Greeting(
                journal: hello.journal, replica: key.replica, name: "", clock: nil, digest: .zero,
                request: claims.request, handovers: claims.handovers)
            return try ServedSession(hosted, greeting, port, compressions: hello.compressions, self)
        } catch {
            logger.error("a journal could not be opened for a client", metadata: ["error": "\(error)"])
            if let journal = hello.journal { observe(.refused(journal, key.replica, code: SessionEvent.ownFault)) }
            // It is the same for all journals, and tells nothing of one.
            if error is HostUnavailable { throw error }
            return nil
        }
    }

    /// Proves the server's key, and says what the client is admitted to.
    private func welcome(
        _ session: ServedSession, _ hello: ClientHello, _ transcript: SessionTranscript, _ port: any FramePort
    ) async throws -> Admitted {
        var admission = SessionAdmission(journal: session.journal, key: session.publicKey)
        var admitted = Admitted.served(session)
        var isMember = false
        switch try await session.rights() {
        case .all:
            isMember = true
            admission.ticket = tickets.renewed(hello.ticket, for: hello.key)
        case .beginning: break
        case .revoked(let by):
            admission.revokedBy = by
            admitted = .revoked(session, by: by)
        case .waiting:
            admission.needsGrant = true
            admitted = .refused
        case .none: return .refused
        }
        let bytes = admission.encoded()
        var transcript = transcript
        transcript.add(bytes)
        guard
            let signature = try session.log.sign(transcript.digest, as: .server, with: session.publicKey)
        else { throw ExchangeError(.identityChanged, "This side goes on as another replica. Connect again.") }
        if case .served = admitted {
            port.stands(isMember ? .served : .beginning, of: session.greeting.replica)
        }
        try await port.send(SessionFrame.welcome(admission: bytes, signature: signature).encoded())
        return admitted
    }

    private static func frame(_ port: any FramePort) async throws -> SessionFrame {
        guard let bytes = try await port.receive() else {
            throw ExchangeError(.cut, "The client left before it was admitted.")
        }
        guard bytes.count <= SessionFrame.largestGreeting else {
            throw ExchangeError(
                .malformed,
                "The client sent \(bytes.count) bytes before it was admitted, and \(SessionFrame.largestGreeting) are the most."
            )
        }
        return try SessionFrame(bytes)
    }

    private static let outOfOrder = ExchangeError(.malformed, "The client sent something else than its greeting.")
}
