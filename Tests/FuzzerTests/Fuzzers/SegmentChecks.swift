import Events

@testable import EventLog
@testable import LogExchange

/// Properties of a segment from outside, however it arrived.
enum SegmentChecks {
    static func check(_ segment: LineSegment) {
        let written = segment.encoded()
        let again = written.withUnsafeBytes { try? LineSegment($0) }
        expect(again == segment, "a segment was written as another")
        _ = segment.eventCount
        guard let verified = try? VerifiedSegment(segment, publicKey: nil) else { return }
        expect(verified.commits.count == segment.commits.count, "\(verified.commits.count) commits were verified")
        expect(ReplicaID(publicKey: verified.publicKey) == segment.replica, "the key is not that of the replica")
    }

    static func check(_ frontier: Frontier) {
        let again = frontier.encoded().withUnsafeBytes { try? Frontier($0) }
        expect(again == frontier && again?.digest == frontier.digest, "a frontier was written as another")
        _ = frontier.commitCount
        let plan = ExchangePlan(local: .empty, remote: frontier, held: [])
        expect(plan.wanted.count == frontier.heads.count, "\(plan.wanted.count) heads are wanted")
        expect(
            ExchangePlan(local: frontier, remote: frontier, held: Set(frontier.heads)).isDone,
            "there is something to do between equals")
    }
}
