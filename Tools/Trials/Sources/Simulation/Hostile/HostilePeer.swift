import Synchronization

@testable import EventLog
@testable import Events
@testable import LogExchange

/// The hostile side of an exchange: it announces and sends anything, and stores nothing.
final class HostilePeer: ExchangePeer {
    /// How often the endless one sends its segments before it stops: a victim that accepts as many accepts any
    /// number.
    private static let repetitions = 2000

    private let journal: JournalID
    private let replica: ReplicaID
    private let sent: [LineSegment]
    private let heads: [CommitID]
    private let lie: HostileLie?
    private let delivered = Mutex(0)

    init(
        _ segments: [LineSegment], announcing heads: [CommitID], as replica: ReplicaID, in journal: JournalID,
        _ lie: HostileLie? = nil
    ) {
        self.journal = journal
        self.replica = replica
        self.lie = lie
        sent = segments
        let huge = CommitID(replica: replica, sequence: SequenceNumber(1 << 62 - 1), hash: .zero)
        self.heads = lie == .hugeHead ? heads + [huge] : heads
    }

    /// Whether the other accepted the same segments for as long as they came.
    var wasTakenWithoutEnd: Bool {
        lie == .endless && delivered.withLock { $0 } >= Self.repetitions * max(sent.count, 1)
    }

    private var announced: Frontier { Frontier(journal: journal, heads: heads) }

    func greet(_ greeting: Greeting) async throws -> Greeting {
        Greeting(
            journal: journal, replica: replica, name: "eve's", clock: .max,
            digest: lie == .sameDigest ? greeting.digest : announced.digest, isWritable: lie == .acknowledgement)
    }

    func frontier() async throws -> Frontier { announced }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        for _ in 0..<(lie == .endless ? Self.repetitions : 1) where lie != .withheld {
            for segment in sent {
                try await body(segment)
                delivered.withLock { $0 += 1 }
            }
        }
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        guard lie == .acknowledgement else { throw ExchangeError(.notWritable, "It takes nothing in.") }
        let huge = segments.map { CommitID(replica: $0.replica, sequence: SequenceNumber(1 << 62 - 1), hash: .zero) }
        return Acknowledgement(replica: replica, name: "eve's", frontier: Frontier(journal: journal, heads: huge))
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {}
}
