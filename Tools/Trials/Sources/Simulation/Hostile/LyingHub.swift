import EventLog
import Events
import Synchronization

@testable import LogExchange

/// A hub that lies about what it holds: it stores nothing, and notes what it is sent.
final class LyingHub: ExchangePeer {
    private struct State {
        var isFilled = false
        var sent: [CommitID: Int] = [:]
    }

    private let lie: HubLie
    private let replica: ReplicaID
    private let journal: JournalID
    private let shown: Frontier
    private let acknowledged: Frontier
    private let claimed: [Hole]
    private let state = Mutex(State())

    /// It shows one frontier before it is sent anything, and acknowledges the other.
    init(
        _ lie: HubLie, as replica: ReplicaID, in journal: JournalID, showing shown: Frontier,
        acknowledging acknowledged: Frontier, claiming holes: [Hole] = []
    ) {
        self.lie = lie
        self.replica = replica
        self.journal = journal
        self.shown = shown
        self.acknowledged = acknowledged
        claimed = holes.sorted { $0.commit.hash < $1.commit.hash }
    }

    /// How often it was sent each commit.
    var sent: [CommitID: Int] { state.withLock { $0.sent } }

    func greet(_ greeting: Greeting) async throws -> Greeting {
        if lie == .revoked { throw ExchangeError.revoked(by: replica) }
        state.withLock { $0.isFilled = false }
        return Greeting(
            journal: journal, replica: replica, name: "a hub", clock: greeting.clock, digest: shown.digest,
            holes: claimed.isEmpty ? nil : claimed.digest)
    }

    func frontier() async throws -> Frontier { shown }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {}

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        state.withLock { state in
            state.isFilled = lie == .newHoles
            for commit in segments.flatMap({ $0.commitIDs() }) { state.sent[commit, default: 0] += 1 }
        }
        return Acknowledgement(replica: replica, name: "a hub", frontier: acknowledged)
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {}

    func holes(after: Digest?) async throws -> [Hole]? {
        after != nil || state.withLock { $0.isFilled } ? [] : claimed
    }
}
