import EventLog
import Events
import Synchronization

/// Reads the requests of a session's client, of which large ones come in several messages, within the room that the session has.
final class RequestReader: Sendable {
    /// A request that was read, and what it takes of the room until it is answered.
    struct Request: Sendable {
        let message: Result<ExchangeMessage, any Error>
        let cost: Int
    }

    private struct State {
        var intake = RequestIntake()
        /// What the messages of the request take of the room.
        var cost = 0
        /// What is held of the room for them.
        var held = 0
        /// When the client was last told that a message of a request has come.
        var told: Duration

        /// Counts a message, and what is kept and read with it. Returns how much more must be held first; then it is not counted yet.
        ///
        /// At least as much is held as most requests take, at once: clients that each held a little and waited for more would wait for each
        /// other.
        mutating func count(_ message: ExchangeMessage, isPart: Bool, _ keeper: PartKeeper, of most: Int) -> Int {
            let bytes = (isPart ? message.readSize : 0) + intake.loads(message, keeper)
            let needed = cost + AnswerRoom.cost(of: bytes)
            let held = max(needed, isPart ? min(RequestReader.usualCost, most / 4) : 0)
            guard held <= self.held else { return held - self.held }
            cost = needed
            return 0
        }
    }

    /// The memory that a batch of segments, or a content's part, takes with all of its messages.
    static let usualCost = AnswerRoom.cost(
        of: max(ContentID.partSize, ExchangeSession.batchBytes) + 4 * SegmentCutter.most)

    private let hosted: HostedLog
    private let peer: ServedPeer
    private let client: ReplicaID
    private let room: AnswerRoom
    private let state: Mutex<State>

    init(_ hosted: HostedLog, _ peer: ServedPeer, _ client: ReplicaID, _ room: AnswerRoom, at now: Duration) {
        state = Mutex(State(told: now))
        self.hosted = hosted
        self.peer = peer
        self.client = client
        self.room = room
    }

    /// Keeps what the client sends. Clients that begin journals are not told apart: they share what one client may have.
    var keeper: PartKeeper {
        PartKeeper(
            folder: hosted.parts, owner: peer.rights == .all ? "\(client)" : PartKeeper.beginners, log: hosted.log,
            journal: hosted.log.journal)
    }

    /// The request that a message completes; nil while it goes on. From then on only what was read is held: the frame is given back when the
    /// next one is received.
    ///
    /// Throws `ExchangeError.malformed` if the message does not go on with the one before, and `.cut` if the session was ended for the room
    /// that it held.
    func read(_ message: Result<ExchangeMessage, any Error>) async throws -> Request? {
        guard case .success(let read) = message else { return Request(message: message, cost: 0) }
        let keeper = keeper
        try await takeRoom(for: read, keeper)
        let added = try state.withLock { try $0.intake.add(read, keeping: keeper) }
        guard case .success(let whole)? = added else {
            if added != nil { giveRoom() }
            return added.map { Request(message: $0, cost: 0) }
        }
        let cost = AnswerRoom.cost(of: whole.readSize)
        room.add(cost)
        giveRoom()
        return Request(message: .success(whole), cost: cost)
    }

    /// Holds room for a message after which the request goes on, and for what is kept of its segments and pieces and read with it.
    private func takeRoom(for message: ExchangeMessage, _ keeper: PartKeeper) async throws {
        guard let share = room.share else { return }
        let isPart = if case .part = message { true } else { false }
        // What is kept may grow while there is no room for it.
        while case let lacking = state.withLock({ $0.count(message, isPart: isPart, keeper, of: share.most) }),
            lacking > 0
        {
            // Meanwhile it is not the client that is waited for.
            share.awaits(.parts, false)
            let taken = min(lacking, share.most)
            try await share.take(taken)
            state.withLock { $0.held += taken }
        }
        if isPart { share.awaits(.parts, true) }
    }

    private func giveRoom() {
        room.give(
            state.withLock { state in
                defer { (state.cost, state.held) = (0, 0) }
                return state.held
            })
    }

    /// Whether the client is to be told that a message of a request has come: on a slow link the request is long on its way.
    func mayConfirm(at now: Duration, after pause: Duration) -> Bool {
        state.withLock { state in
            guard now - state.told >= pause else { return false }
            state.told = now
            return true
        }
    }

    /// Stores the whole segments of a request that was cut off.
    func storeRest(_ rights: ServedSession.Rights) async {
        let segments = state.withLock { $0.intake.takeSegments() }
        guard !segments.isEmpty, rights == .all || rights == .beginning else { return }
        peer.rights = rights == .all ? .all : .beginning
        _ = try? await peer.store(segments)
    }
}
