import EventLog
import Events
import Synchronization

/// The log of a session as its client may use it, and a note of what the client was told that it holds.
final class ServedPeer: ExchangePeer {
    /// What a client may do.
    enum Rights: Sendable {
        case all
        /// Fill the log, see `JournalBeginning`.
        case beginning
    }

    /// What a client was told.
    struct Told: Equatable {
        var digest: Digest
        var holes: Digest?
    }

    private struct State {
        /// Those of fewer clients until the first request is looked at.
        var rights = Rights.beginning
        var told: Told?
    }

    private let hosted: HostedLog
    private let peer: LogPeer
    private let room: AnswerRoom
    private let state = Mutex(State())

    /// Each segment that is asked for is read once there is `room` for it.
    init(_ hosted: HostedLog, _ room: AnswerRoom) {
        self.hosted = hosted
        self.room = room
        var peer = hosted.backed.map { LogPeer($0) } ?? LogPeer(hosted.log).withoutJoining
        peer.admit = { try await room.reserve($0) }
        self.peer = peer
    }

    /// Set before each request.
    var rights: Rights {
        get { state.withLock { $0.rights } }
        set { state.withLock { $0.rights = newValue } }
    }

    /// Nil before the client has greeted.
    var told: Told? {
        get { state.withLock { $0.told } }
        set { state.withLock { $0.told = newValue } }
    }

    func greet(_ greeting: Greeting) async throws -> Greeting {
        let own: Greeting
        if rights == .all {
            own = try await peer.greet(greeting)
        } else {
            // A stranger acknowledges nothing: no replica waits for what it holds.
            own = try await hosted.log.greeting().greeting
            try await checkBeginning()
        }
        told = Told(digest: own.digest, holes: own.holes)
        return own
    }

    func frontier() async throws -> Frontier {
        let frontier = try await peer.frontier()
        if rights == .beginning { try await checkBeginning() }
        note(frontier)
        return frontier
    }

    private func note(_ frontier: Frontier) { state.withLock { $0.told?.digest = frontier.digest } }

    func lastPosition() async throws -> Position? { try await peer.lastPosition() }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        guard rights == .all else { throw Self.notYet }
        guard request.parts != nil else { return try await peer.segments(request, body) }
        try await peer.segments(request) { segment in
            // It stays in memory while its parts are sent.
            let cost = room.claim(segment.byteCount)
            defer { room.give(cost) }
            try await body(segment)
        }
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        guard rights == .all else { return try await begin(with: segments) }
        let acknowledgement = try await peer.store(segments)
        note(acknowledgement.frontier)
        return acknowledgement
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        guard rights == .all else { return }
        try await peer.acknowledge(acknowledgement)
    }

    func holes(after: Digest?) async throws -> [Hole]? {
        guard rights == .all else { throw Self.notYet }
        return try await peer.holes(after: after)
    }

    var contents: (any ContentPeer)? { rights == .all ? peer.contents : nil }

    // MARK: Beginning

    /// Whether the session's client is served by now; set with the session.
    let isMember = Mutex<@Sendable () async throws -> Bool>({ false })

    /// Stores the lines that decide who is a member; and everything, once the client is found to be one.
    private func begin(with segments: [LineSegment]) async throws -> Acknowledgement {
        var refused = false
        for (index, segment) in segments.enumerated() {
            guard try hosted.beginning?.takes(segment) ?? false else {
                refused = true
                continue
            }
            _ = try await peer.store([segment])
            guard try await isMember.withLock({ $0 })() else { continue }
            rights = .all
            return try await store(refused ? segments : Array(segments[index...]))
        }
        guard !refused else { throw Self.notYet }
        let acknowledgement = try await hosted.log.acknowledgement()
        try await checkBeginning()
        note(acknowledgement.frontier)
        return acknowledgement
    }

    /// After what is to be told was read.
    private func checkBeginning() async throws {
        guard try await hosted.beginning?.admits() != true else { return }
        throw ExchangeError(.notAuthorized, SessionServer.refusal)
    }

    private static let notYet = ExchangeError(
        .notAuthorized,
        "The journal is being begun here, and you are not found among its members yet: the lines of its founder and of its admins are "
            + "stored before anything else.")
}

extension LineSegment {
    /// The introduction in the first commit.
    var introduction: Payload.Introduction? {
        commits.first?.withUnsafeBytes { try? (try? CommitView($0))?.payload?.copy().introduction }
    }
}
