import EventLog
import Events
import LogExchange
import Synchronization

/// A peer that says and sends what a test specifies instead of the truth.
final class LyingPeer: ExchangePeer {
    private let peer: any ExchangePeer
    private let greeting: @Sendable (Greeting) -> Greeting
    private let announced: @Sendable (Frontier) -> Frontier
    private let sent: @Sendable ([LineSegment]) -> any Sequence<LineSegment>
    private let delivered = Mutex(0)

    /// `sent` changes what is sent.
    init(
        _ peer: any ExchangePeer, greeting: @escaping @Sendable (Greeting) -> Greeting = { $0 },
        announced: @escaping @Sendable (Frontier) -> Frontier = { $0 },
        sent: @escaping @Sendable ([LineSegment]) -> any Sequence<LineSegment> = { $0 }
    ) {
        self.peer = peer
        self.greeting = greeting
        self.announced = announced
        self.sent = sent
    }

    /// Segments that the receiver took.
    var deliveredCount: Int { delivered.withLock { $0 } }

    func greet(_ greeting: Greeting) async throws -> Greeting { self.greeting(try await peer.greet(greeting)) }

    func frontier() async throws -> Frontier { announced(try await peer.frontier()) }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        var honest: [LineSegment] = []
        try await peer.segments(request) { honest.append($0) }
        for segment in sent(honest) {
            delivered.withLock { $0 += 1 }
            try await body(segment)
        }
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        var acknowledgement = try await peer.store(segments)
        acknowledgement.frontier = announced(acknowledgement.frontier)
        return acknowledgement
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws { try await peer.acknowledge(acknowledgement) }

    func holes(after: Digest?) async throws -> [Hole]? { try await peer.holes(after: after) }
}

extension LineSegment {
    /// The segment with some of it changed.
    func changed(
        journal: JournalID? = nil, replica: ReplicaID? = nil, first: UInt64? = nil, previous: Digest? = nil,
        signature: [UInt8]? = nil, commits change: (inout [[UInt8]]) -> Void = { _ in }
    ) -> LineSegment {
        var commits = commits
        change(&commits)
        return LineSegment(
            journal: journal ?? self.journal, replica: replica ?? self.replica,
            first: first.map { SequenceNumber($0) } ?? self.first, previous: previous ?? self.previous,
            commits: commits, signature: signature ?? self.signature)
    }
}
