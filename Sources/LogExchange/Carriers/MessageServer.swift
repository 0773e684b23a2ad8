public import EventLog
public import Events
public import Logging
import Platform
import Synchronization

/// Serves the messages of a `MessagePeer`: a network carrier calls it on the other side, one server for each
/// connection.
///
/// The peer is not trusted: its claims about others, endless streams from it, and what it could learn of this machine
/// are bounded.
public struct MessageServer: Sendable {
    /// How many consecutive batches may hold nothing new: after an interruption an exchange sends some again.
    static let mostIdleBatches = 64

    private let peer: any ExchangePeer
    /// Where it is measured what a batch brought: what is read there is not told to the client.
    private let measured: any ExchangePeer
    private let authorizer: any ExchangeAuthorizer
    private let proven: ReplicaID?
    private let logger: Logger
    private let idleBatches = IdleBatches()
    private let greeted = Greeted()
    /// What is held aside of what the peer sent; nil if it cannot send parts.
    var held: @Sendable () -> HeldParts? = { nil }
    /// Called with each attempt to store something.
    var observe: @Sendable (StoringAttempt) -> Void = { _ in }

    /// The peer of this connection, by its greeting.
    private final class Greeted: Sendable {
        private let held = Mutex<Greeting?>(nil)

        var greeting: Greeting? { held.withLock { $0 } }

        func set(_ greeting: Greeting) { held.withLock { $0 = greeting } }
    }

    /// Consecutive batches without anything new, on this connection.
    private final class IdleBatches: Sendable {
        private let count = Atomic<Int>(0)

        func note(isNew: Bool) {
            if isNew { count.store(0, ordering: .relaxed) } else { count.add(1, ordering: .relaxed) }
        }

        var areTooMany: Bool { count.load(ordering: .relaxed) > MessageServer.mostIdleBatches }
    }

    /// Serves a log, which never joins a journal that is pushed to it. `proven` is the peer's replica, if the carrier
    /// has proved it: then the greeting must name the same.
    public init(
        _ log: Log, authorizer: any ExchangeAuthorizer, proven: ReplicaID? = nil,
        logger: Logger = Logger(label: "tripstore.exchange")
    ) {
        self.init(LogPeer(log), authorizer: authorizer, proven: proven, logger: logger)
    }

    /// Serves any peer. Here, too, a log never joins a journal that is pushed to it.
    public init(
        _ peer: any ExchangePeer, authorizer: any ExchangeAuthorizer, proven: ReplicaID? = nil,
        logger: Logger = Logger(label: "tripstore.exchange")
    ) {
        let peer = (peer as? LogPeer)?.withoutJoining ?? peer
        self.init(peer, measuring: peer, authorizer: authorizer, proven: proven, logger: logger)
    }

    init(
        _ peer: any ExchangePeer, measuring measured: any ExchangePeer, authorizer: any ExchangeAuthorizer,
        proven: ReplicaID?, logger: Logger
    ) {
        self.peer = peer
        self.measured = measured
        self.authorizer = authorizer
        self.proven = proven
        self.logger = logger
    }

    /// Passes the responses to a request to `body`, in order. A failure here is a response as well; only errors of
    /// `body` are thrown, and end it.
    public func respond(to request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        try await respond(to: Result { try ExchangeMessage(request) }) { response, _ in try await body(response) }
    }

    /// Responds to a request that was read, or failed to be. The second argument of `body` says whether the response is the last.
    func respond(
        to request: Result<ExchangeMessage, any Error>, _ body: ([UInt8], _ isLast: Bool) async throws -> Void
    ) async throws {
        var sendingFailed = false
        do {
            try await respond(to: try request.get()) { message in
                do { try await body(message.encoded(), !message.isFollowed) } catch {
                    sendingFailed = true
                    throw error
                }
            }
        } catch {
            if sendingFailed { throw error }
            try await body(failure(error).encoded(), true)
        }
    }

    private func respond(to request: ExchangeMessage, _ body: (ExchangeMessage) async throws -> Void) async throws {
        try await authorize(request)
        switch request {
        case .greeting(let greeting):
            var own = try await peer.greet(greeting)
            own.held = held()
            try await body(.greeting(own))
        case .frontierRequest: try await body(.frontier(try await peer.frontier()))
        case .segmentRequest(let request):
            var count: UInt64 = 0
            try await peer.segments(request) { segment in
                count += 1
                guard let held = request.parts else { return try await body(.segments([segment])) }
                for part in SegmentCutter(held).parts(of: segment) { try await body(.segmentParts([part])) }
            }
            try await body(.end(count: count))
        case .segments(let segments): try await body(.acknowledgement(try await store(segments)))
        case .acknowledgement(let acknowledgement):
            try await peer.acknowledge(acknowledgement)
            try await body(.end(count: 0))
        case .formerRequest: try await body(.end(count: 0))
        case .holeRequest(let after): try await body(.holes(try await peer.holes(after: after) ?? []))
        case .contentRequest(let request):
            guard let contents = peer.contents else {
                throw ExchangeError(.notAuthorized, "This side exchanges no attachments with you.")
            }
            try await respond(to: request, contents) { try await body(.contentResponse($0)) }
            if case .parts(_, let range, _) = request { try await body(.end(count: UInt64(range.count))) }
        case .frontier, .end, .failure, .contentResponse, .holes, .segmentParts, .part:
            throw ExchangeError(.malformed, "The message is a response, or a part of a request, and no request.")
        }
    }

    /// Each request is authorised again: a member may have been revoked since its greeting.
    private func authorize(_ request: ExchangeMessage) async throws {
        let action: ExchangeAction
        switch request {
        case .greeting(let greeting):
            guard proven == nil || proven == greeting.replica else {
                throw ExchangeError(
                    .notAuthorized,
                    "You say that you are replica \(greeting.replica), and the connection is that of another.")
            }
            try await authorizer.authorize(greeting, to: .read)
            greeted.set(greeting)
            return
        case .frontierRequest, .segmentRequest, .holeRequest, .formerRequest: action = .read
        case .acknowledgement(let acknowledgement):
            guard acknowledgement.replica == greeted.greeting?.replica else {
                throw ExchangeError(
                    .notAuthorized,
                    "You acknowledge for replica \(acknowledgement.replica), and did not greet as that one.")
            }
            action = .read
        case .segments: action = .write
        case .contentRequest(let request): action = request.writes ? .write : .read
        case .frontier, .end, .failure, .contentResponse, .holes, .segmentParts, .part: return
        }
        guard let greeting = greeted.greeting else {
            throw ExchangeError(.notAuthorized, "You ask for something and have not greeted. Greet first.")
        }
        try await authorizer.authorize(greeting, to: action)
    }

    private func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        guard !segments.isEmpty else { throw ExchangeError(.malformed, "The message asks to store nothing.") }
        guard !idleBatches.areTooMany else {
            throw ExchangeError(
                .unannounced,
                "You send again and again what is held here. Ask for the frontier, and send what it lacks.")
        }
        let before = try await extent()
        var attempt = StoringAttempt(segments)
        do {
            let acknowledgement = try await peer.store(segments)
            attempt.isNew = try await extent() != before
            idleBatches.note(isNew: attempt.isNew)
            observe(attempt.ended())
            return acknowledgement
        } catch {
            // The valid part of it is stored all the same.
            let after = try? await extent()
            attempt.isNew = after != nil && after != before
            idleBatches.note(isNew: attempt.isNew)
            observe(attempt.ended(refusal: Self.told(of: error)?.code ?? SessionEvent.ownFault))
            throw error
        }
    }

    /// Changes with everything that is stored: with commits the position does, if the peer has one, with signatures the frontier, and with
    /// restored bytes the holes.
    private func extent() async throws -> Extent {
        Extent(
            position: try await measured.lastPosition(), frontier: try await measured.frontier(),
            holes: try await measured.holes(after: nil))
    }

    private struct Extent: Equatable {
        let position: Position?
        let frontier: Frontier
        let holes: [Hole]?
    }

    /// What a peer may learn of an error. A fault in its own data is described in words; of a fault here, with its
    /// paths, only the fact, and whether the disk is full.
    private func failure(_ error: any Error) -> ExchangeMessage {
        if let (code, message) = Self.told(of: error) { return .failure(code: code, message: message) }
        // A connection that ended is no fault of this side, and many may end at once.
        let level: Logger.Level = (error as? ExchangeError)?.code == .cut ? .debug : .warning
        logger.log(level: level, "a request of another replica failed", metadata: ["error": "\(error)"])
        let reason =
            (error as? StorageError)?.code == .diskFull
            ? "Its disk is full. Its operator must free some room" : "It could not do it; its own log says why"
        return .failure(code: SessionEvent.ownFault, message: "\(reason). Try again later.")
    }

    /// The code and the words of an error that is no fault of this side; nil for others.
    private static func told(of error: any Error) -> (code: String, message: String)? {
        switch error {
        case let error as ExchangeError where tellable.contains(error.code): (error.code.rawValue, error.message)
        case let error as EventLogError where tellableOfLog.contains(error.code): (error.code.rawValue, error.message)
        case let error as ContentError where tellableOfContents.contains(error.code):
            (error.code.rawValue, error.message)
        default: nil
        }
    }

    private static let tellable: Set<ExchangeError.Code> = [
        .otherJournal, .newerVersion, .malformed, .unannounced, .withheld, .notWritable, .missingStart, .unknownReplica,
        .empty, .notAuthorized, .tooManyHeads, .notKept,
    ]
    private static let tellableOfLog: Set<EventLogError.Code> = [
        .otherJournal, .rejected, .missingStart, .tooManyBranches, .implausibleTime, .readOnly, .quotaExceeded,
    ]
    private static let tellableOfContents: Set<ContentError.Code> = [.busy, .wrongBytes]
}

extension ExchangeMessage {
    /// Whether it is a response after which another one comes: an `End` at the latest.
    fileprivate var isFollowed: Bool {
        switch self {
        case .segments, .segmentParts, .contentResponse(.part), .contentResponse(.piece): true
        default: false
        }
    }
}
