import EventLog
import Events
import LogExchange
import Synchronization

/// A log's peer that takes nothing in, and goes on to claim the holes that the log has, or some of them.
final class ClaimingPeer: ExchangePeer {
    private let peer: LogPeer
    private let claimed: [Hole]?
    private let messages = Mutex<[[CommitID]]>([])

    init(_ log: Log, claiming holes: [Hole]? = nil) {
        peer = LogPeer(log)
        claimed = holes
    }

    /// How many messages with commits it got.
    var stored: Int { messages.withLock { $0.count } }

    /// The commits in them.
    var commits: [CommitID] { messages.withLock { $0.flatMap(\.self) } }

    func greet(_ greeting: Greeting) async throws -> Greeting {
        var response = try await peer.greet(greeting)
        if let claimed { response.holes = claimed.digest }
        return response
    }

    func frontier() async throws -> Frontier { try await peer.frontier() }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try await peer.segments(request, body)
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        let commits = segments.flatMap { $0.commitIDs() }
        messages.withLock { $0.append(commits) }
        return Acknowledgement(replica: peer.log.replica, name: "claimant", frontier: try await frontier())
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {}

    func holes(after: Digest?) async throws -> [Hole]? {
        guard let claimed else { return try await peer.holes(after: after) }
        return after == nil ? claimed : []
    }
}
