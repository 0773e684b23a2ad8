public import EventLog
public import Events
import Synchronization

/// The replica at the other end of a session.
///
/// With `remembers` it asks the server for nothing that it told before: what it holds is known from its greeting, its
/// acknowledgements and its notices. So an exchange of one new commit takes one request and its response, and `flush` another, off
/// the critical path. If what is remembered is wrong, an exchange fails, and the next one asks again.
public final class SessionPeer: ExchangePeer {
    private struct State {
        /// The server's, and when it came, milliseconds since 1970.
        var greeting: (Greeting, at: Int64)?
        /// Digests of its frontier and its holes, as far as they are known.
        var digest: Digest?
        var holes: Digest?
        var frontier: Frontier?
        /// How many notices came. One that comes while a response is awaited may be older or newer than it: then the notice
        /// is believed, because an exchange on too old a state does no harm.
        var notices = 0
        /// What is to be acknowledged.
        var acknowledgement: Acknowledgement?
        /// What was acknowledged.
        var acknowledged: Frontier?
    }

    private let log: Log
    private let remembers: Bool
    private let reconnect: (@Sendable () async throws -> SessionClient)?
    private let current: Mutex<SessionClient>
    private let state = Mutex(State())

    /// With `reconnecting` it goes on over another session where a replica takes another identity meanwhile.
    public init(
        _ session: SessionClient, for log: Log, remembers: Bool,
        reconnecting reconnect: (@Sendable () async throws -> SessionClient)? = nil
    ) {
        current = Mutex(session)
        self.log = log
        self.remembers = remembers
        self.reconnect = reconnect
    }

    public var session: SessionClient { current.withLock { $0 } }

    /// Makes a call; once more over a new session if one of the two replicas goes on as another.
    private func call<T>(_ body: (MessagePeer) async throws -> T) async throws -> T {
        do { return try await body(MessagePeer(session)) } catch let error as ExchangeError
            where error.code == .identityChanged
        {
            guard let reconnect else { throw error }
            let renewed = try await reconnect()
            current.withLock { $0 = renewed }
            let peer = MessagePeer(renewed)
            _ = try await peer.greet(log.greeting().greeting)
            return try await body(peer)
        }
    }

    /// The state that the server is known to hold: the digests of its frontier and its holes; nil as long as it is not known.
    public var known: (digest: Digest, holes: Digest?)? {
        state.withLock { state in state.digest.map { ($0, state.holes) } }
    }

    /// The server told what it holds now.
    public func note(_ notice: SessionNotice) {
        state.withLock { state in
            state.notices += 1
            state.digest = notice.digest
            state.holes = notice.holes
            state.frontier = notice.frontier
        }
    }

    private var noticeCount: Int { state.withLock { $0.notices } }

    /// Notes a response to what was asked after that many notices.
    private func note(_ frontier: Frontier, after notices: Int) {
        state.withLock { state in
            guard state.notices == notices else { return }
            state.digest = frontier.digest
            state.frontier = frontier
        }
    }

    /// Asks again, the next time.
    public func forget() { state.withLock { $0 = State(notices: $0.notices, acknowledged: $0.acknowledged) } }

    public func greet(_ greeting: Greeting) async throws -> Greeting {
        if remembers, greeting.replica == session.replica, let known = remembered() {
            // A notice may have come meanwhile: only what is held here is acknowledged.
            if greeting.digest == known.digest, let frontier = state.withLock({ $0.frontier }),
                frontier.digest == greeting.digest
            {
                put(Acknowledgement(replica: greeting.replica, name: greeting.name, frontier: frontier))
            }
            return known
        }
        let notices = noticeCount
        let response = try await call { peer in
            guard greeting.replica == session.replica else {
                throw ExchangeError(
                    .identityChanged,
                    "This side goes on as replica \(greeting.replica), and has connected as \(session.replica). Connect again."
                )
            }
            let response = try await peer.greet(greeting)
            try check(response.replica)
            return response
        }
        state.withLock { state in
            state.greeting = (response, log.wallClock)
            guard state.notices == notices else { return }
            state.digest = response.digest
            state.holes = response.holes
            state.frontier = nil
        }
        return response
    }

    /// The server's greeting as it would be now.
    private func remembered() -> Greeting? {
        state.withLock { state in
            guard let (held, time) = state.greeting, let digest = state.digest else { return nil }
            var greeting = held
            greeting.digest = digest
            greeting.holes = state.holes
            if let frontier = state.frontier { greeting.journal = frontier.journal ?? greeting.journal }
            greeting.clock = greeting.clock.map { $0 &+ (log.wallClock &- time) }
            return greeting
        }
    }

    /// An honest server goes on as another replica in another session.
    private func check(_ replica: ReplicaID) throws {
        guard replica == session.server else {
            throw ExchangeError(
                .identityChanged,
                "The other says that it is replica \(replica), and has proved to be \(session.server). Connect again.")
        }
    }

    public func frontier() async throws -> Frontier {
        if remembers, let known = state.withLock({ $0.frontier }) { return known }
        let notices = noticeCount
        let frontier = try await call { try await $0.frontier() }
        note(frontier, after: notices)
        return frontier
    }

    public func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        var hasBegun = false
        try await call { peer in
            do {
                try await peer.segments(request) { segment in
                    hasBegun = true
                    try await body(segment)
                }
            } catch let error as ExchangeError where error.code == .identityChanged && hasBegun {
                // A stream is not begun twice: the next exchange goes on.
                throw ExchangeError(.cut, error.message, cause: error)
            }
        }
    }

    public func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        let notices = noticeCount
        let acknowledgement = try await call { peer in
            let acknowledgement = try await peer.store(segments)
            try check(acknowledgement.replica)
            return acknowledgement
        }
        note(acknowledgement.frontier, after: notices)
        return acknowledgement
    }

    public func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        guard remembers else { return try await call { try await $0.acknowledge(acknowledgement) } }
        put(acknowledgement)
    }

    private func put(_ acknowledgement: Acknowledgement) {
        state.withLock { state in
            state.acknowledgement = state.acknowledged == acknowledgement.frontier ? nil : acknowledgement
        }
    }

    /// Whether an acknowledgement is due.
    public var owesAcknowledgement: Bool { state.withLock { $0.acknowledgement != nil } }

    /// Sends the acknowledgement that is due, if one is.
    public func flush() async throws {
        guard let due = state.withLock({ $0.acknowledgement.take() }) else { return }
        try await call { try await $0.acknowledge(due) }
        state.withLock { $0.acknowledged = due.frontier }
    }

    public func holes(after: Digest?) async throws -> [Hole]? {
        let notices = noticeCount
        let holes = try await call { try await $0.holes(after: after) }
        state.withLock { state in
            guard state.notices == notices, after == nil, let holes, holes.count < Hole.mostNamed else { return }
            state.holes = holes.digest
        }
        return holes
    }

    public var contents: (any ContentPeer)? { MessagePeer(session).contents }
}
