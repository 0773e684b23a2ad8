public import EventLog
public import Events
import Synchronization

/// A session from its client's side: the channel for an exchange, and the server's notices.
///
/// Requests wait for each other. It ends when the connection does, when it is closed or released, or when the task of a
/// request is cancelled; then every call throws why.
public final class SessionClient: CuttingChannel, Sendable {
    /// The replica at the server, whose key it has proved.
    public let server: ReplicaID
    /// The journal of the session.
    public let journal: JournalID
    /// This side's replica, as which it connected.
    public let replica: ReplicaID
    private let connection: SessionConnection
    let keeper: PartKeeper?
    private let held = Mutex<HeldParts?>(nil)

    fileprivate init(
        server: ReplicaID, journal: JournalID, replica: ReplicaID, keeping keeper: PartKeeper?,
        _ connection: SessionConnection
    ) {
        self.keeper = keeper
        self.server = server
        self.journal = journal
        self.replica = replica
        self.connection = connection
    }

    deinit { connection.end(CancellationError()) }

    /// Each tells what the server holds now. If several come before they are looked at, the newest is kept. It ends with
    /// the session; it is for one consumer.
    public var notices: AsyncStream<SessionNotice> { connection.notices }

    /// Why the session ended; nil while it lasts.
    public var failure: (any Error)? { connection.failure }

    public func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        try await connection.call(request, body)
    }

    var heldThere: HeldParts? { held.withLock { $0 } }

    func note(heldThere: HeldParts?) { held.withLock { $0 = heldThere } }

    func call(_ messages: [ExchangeMessage], _ body: ([UInt8]) async throws -> Void) async throws {
        try await connection.call(messages, body)
    }

    /// Asks whether the server is still there, and ends the session if it does not respond in a time.
    public func probe(within patience: Duration) async { await connection.probe(within: patience) }

    public func close() { connection.end(ExchangeError(.cut, "The connection was closed on this side.")) }
}

extension SessionClient {
    /// Connects as a log's replica, and proves its key.
    ///
    /// `journal` is what the log is to join, if it is empty. Throws what the connector throws, `EventLogError.readOnly`,
    /// and `ExchangeError`: `.notAuthorized` if the server refuses, and `.needsGrant` if it says that nobody has granted membership yet: both
    /// are its word, and may pass; `.revoked` if this log shows it, with the commits that the server sent; `.unproven` if the server says so,
    /// and this log does not show it; `.otherJournal`; `.notTrusted` if the server is not what it says; `.identityChanged`; `.malformed`;
    /// `.cut`.
    public static func connect(
        _ connector: any FrameConnector, as log: Log, journal: JournalID? = nil,
        limits: SessionLimits = SessionLimits(), dependencies: SessionDependencies = .system
    ) async throws -> SessionClient {
        let wanted = try wantedJournal(journal ?? connector.journal, of: log)
        let port = try await connector.connect()
        do {
            let ticketNote = ticketPrefix + connector.address
            let greeting = SessionGreeter(port, log, wanted, dependencies, ticket: try log.note(ticketNote))
            let begun = dependencies.now()
            // A server may wait before it refuses.
            let (key, admission, compressions) = try await dependencies.within(
                limits.greeting + limits.refusal, on: port
            ) { try await greeting.greet() }
            let greeted = dependencies.now() - begun
            if let by = admission.revokedBy {
                throw try await dependencies.within(RevocationEvidence.patience, on: port) {
                    let shown = try await RevocationEvidence.receive(log, journal: admission.journal, over: port)
                    return shown.map { ExchangeError.revoked(by: $0) } ?? .unproven(by, at: connector.address)
                }
            }
            // Kept with the next commit or exchange: it is no harm if it is lost.
            if let ticket = admission.ticket, ticket.count == SessionTickets.size, !log.isReadOnly {
                try log.deferNote(ticketNote, ticket)
            }
            let packed = PackedPort(port, named: compressions, dependencies.compression)
            let server = ReplicaID(publicKey: admission.key)
            let keeper = PartKeeper(folder: .beside(log), owner: "\(server)", log: log, journal: admission.journal)
            return SessionClient(
                server: server, journal: admission.journal, replica: ReplicaID(publicKey: key),
                keeping: log.isReadOnly ? nil : keeper,
                SessionConnection(packed, limits, dependencies, greeting: greeted))
        } catch {
            port.close()
            throw error
        }
    }

    private static let ticketPrefix = "ticket/"

    private static func wantedJournal(_ named: JournalID?, of log: Log) throws -> JournalID? {
        guard try !log.isEmpty() else {
            // One that would found a journal of its own may join any; one that was made for a journal wants that.
            return try named ?? log.read { try $0.isFounding() ? nil : $0.journal() }
        }
        if let named, named != log.journal { throw ExchangeError.otherJournal(log.journal, named) }
        return log.journal
    }
}

/// The client's part of a session's greeting.
private struct SessionGreeter {
    private let port: any FramePort
    private let log: Log
    private let wanted: JournalID?
    private let dependencies: SessionDependencies
    private let ticket: [UInt8]?

    init(
        _ port: any FramePort, _ log: Log, _ wanted: JournalID?, _ dependencies: SessionDependencies,
        ticket: [UInt8]?
    ) {
        self.ticket = ticket
        self.port = port
        self.log = log
        self.wanted = wanted
        self.dependencies = dependencies
    }

    func greet() async throws -> (key: [UInt8], SessionAdmission, compressions: [UInt8]) {
        let key = try log.publicKey()
        let hello = ClientHello(
            journal: wanted, key: key, nonce: dependencies.randomBytes(ClientHello.nonceSize),
            certificate: port.certificates.first, compressions: dependencies.compression.named, ticket: ticket
        ).encoded()
        try await port.send(SessionFrame.clientHello(hello).encoded())
        guard case .serverHello(let serverHello) = try await frame() else { throw Self.outOfOrder }
        let answer = try ServerHello(serverHello)
        guard answer.version == ClientHello.currentVersion else {
            throw ExchangeError(.newerVersion, "The server speaks another version of sessions. Use a newer version.")
        }
        let own = try await log.greeting().greeting
        let claims = SessionClaims(request: own.request, handovers: own.handovers).encoded()
        var transcript = SessionTranscript(clientHello: hello, serverHello: serverHello)
        transcript.add(claims)
        guard let signature = try log.sign(transcript.digest, as: .client, with: key) else {
            throw ExchangeError(.identityChanged, "This side goes on as another replica. Connect again.")
        }
        try await port.send(SessionFrame.clientProof(claims: claims, signature: signature).encoded())
        guard case .welcome(let bytes, let proof) = try await frame() else { throw Self.outOfOrder }
        transcript.add(bytes)
        let admission = try SessionAdmission(bytes)
        guard
            SessionSignature.isValid(proof, publicKey: admission.key, over: transcript.digest, as: .server)
        else {
            throw ExchangeError(
                .notTrusted,
                "The server could not prove the key of its replica: it is not what it says. Nothing was exchanged. Check the address."
            )
        }
        if let wanted, wanted != admission.journal { throw ExchangeError.otherJournal(wanted, admission.journal) }
        if admission.needsGrant { throw ExchangeError.needsGrant }
        return (key, admission, answer.compressions)
    }

    private func frame() async throws -> SessionFrame {
        guard let bytes = try await port.receive() else {
            throw ExchangeError(.cut, "The server closed the connection before it said who it is. Try again later.")
        }
        guard bytes.count <= SessionFrame.largestGreeting else { throw Self.outOfOrder }
        let frame = try SessionFrame(bytes)
        if case .refusal(let code, let message) = frame {
            throw ExchangeError(
                .notAuthorized, "The server refused (\(code.clipped(to: 64))): \(message.clipped(to: 4096))\(hint)",
                refusal: code.clipped(to: 64))
        }
        return frame
    }

    /// What to do about a refusal that the server does not know of.
    private var hint: String {
        wanted == nil
            ? " This store holds nothing yet and the address names no journal: write to the store first to begin its own there, or "
                + "name the journal to join." : ""
    }

    private static let outOfOrder = ExchangeError(
        .malformed, "The server sent something else than its greeting. Check the address and its version.")
}
