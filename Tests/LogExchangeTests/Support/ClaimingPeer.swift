import EventLog
import Events
import LogExchange
import Synchronization

/// A log's peer that takes nothing in, and goes on to claim the holes that the log has.
final class ClaimingPeer: ExchangePeer {
    private let peer: LogPeer
    private let count = Atomic<Int>(0)

    init(_ log: Log) { peer = LogPeer(log) }

    /// How many messages with commits it got.
    var stored: Int { count.load(ordering: .relaxed) }

    func greet(_ greeting: Greeting) async throws -> Greeting { try await peer.greet(greeting) }

    func frontier() async throws -> Frontier { try await peer.frontier() }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try await peer.segments(request, body)
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        count.add(1, ordering: .relaxed)
        return Acknowledgement(replica: peer.log.replica, name: "claimant", frontier: try await frontier())
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {}

    func erasures(_ request: ErasureRequest, _ body: (ErasureBatch) async throws -> Void) async throws {
        try await peer.erasures(request, body)
    }

    func keep(_ erasures: ErasureBatch) async throws {}

    func holes(after: Digest?) async throws -> [Hole]? { try await peer.holes(after: after) }
}
