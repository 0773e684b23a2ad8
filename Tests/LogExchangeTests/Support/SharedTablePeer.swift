import EventLog
import Events
import LogExchange
import Synchronization

/// A table that replicas share, with none of our code on the other side: like a carrier over a database.
///
/// Rows are segments as received. It checks nothing: readers do.
final class SharedTablePeer: ExchangePeer {
    private struct Row {
        let segment: LineSegment
        /// The names of its commits, in order.
        let names: [CommitID]
    }

    private let rows = Mutex<[Row]>([])

    func greet(_ greeting: Greeting) async throws -> Greeting {
        let frontier = try await frontier()
        return Greeting(
            journal: frontier.journal, replica: ReplicaID(publicKey: [1]), name: "table", clock: nil,
            digest: frontier.digest)
    }

    func frontier() async throws -> Frontier {
        rows.withLock { rows in
            // A commit that another follows is no head.
            let followed = Set(
                rows.flatMap { row in row.names.dropLast() + [row.segment.predecessor].compactMap { $0 } })
            return Frontier(
                journal: rows.first?.segment.journal,
                heads: rows.compactMap(\.names.last).filter { !followed.contains($0) })
        }
    }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        let held = Set(request.held)
        let found = rows.withLock { rows in
            var found: [Int] = []
            for head in request.wanted.sorted() {
                var way: [Int] = []
                var next: CommitID? = head
                while let commit = next, !held.contains(commit),
                    let row = rows.firstIndex(where: { $0.names.contains(commit) }), !found.contains(row)
                {
                    way.append(row)
                    next = rows[row].segment.predecessor
                }
                found += way.reversed()
            }
            return found.map { rows[$0].segment }
        }
        for segment in found { try await body(segment) }
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        let new = try segments.map { Row(segment: $0, names: try $0.commitNames()) }
        rows.withLock { $0 += new }
        return Acknowledgement(replica: ReplicaID(publicKey: [1]), name: "table", frontier: try await frontier())
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {}
}

extension LineSegment {
    /// The commit before the first; nil if that is commit 1.
    fileprivate var predecessor: CommitID? {
        first.rawValue <= 1
            ? nil : CommitID(replica: replica, sequence: SequenceNumber(first.rawValue - 1), hash: previous)
    }

    /// The names of the commits, which follow from the chain.
    fileprivate func commitNames() throws -> [CommitID] {
        var hash = previous
        return try commits.enumerated().map { offset, bytes in
            hash = try bytes.withUnsafeBytes { try CommitView($0).hash(after: hash) }
            return CommitID(
                replica: replica, sequence: SequenceNumber(first.rawValue + UInt64(offset)), hash: hash)
        }
    }
}
