import EventLog
import Events
import Foundation
import StoreSupport
import Testing

@testable import LogExchange

/// The checks of a stream of segments, from any peer.
@Suite("The bounds of a stream")
struct StreamGuardTests {
    private static let journal = Lines.journal

    private static func guardian(wanted: String, held: String) -> StreamGuard {
        let wanted = Lines(wanted).frontier.heads
        return StreamGuard(journal: journal, heads: wanted, wanted: wanted, held: Lines(held).frontier.heads)
    }

    private static func segment(_ letter: String, first: UInt64, count: Int) -> LineSegment {
        LineSegment(
            journal: journal, replica: Lines.replica(letter), first: SequenceNumber(first), previous: .zero,
            commits: Array(repeating: [], count: count), signature: [])
    }

    @Test("The progress of an exchange counts up to the greatest number what a peer announces")
    func countless() throws {
        let head = CommitID(replica: Lines.replica("a"), sequence: SequenceNumber(.max), hash: .zero)
        let guardian = StreamGuard(journal: Self.journal, heads: [head], wanted: [head], held: [])
        var progress = ExchangeProgress()
        (progress.commitsToReceive, progress.commitsToSend) = (guardian.expected, 1)
        (progress.received.commits, progress.sent.commits) = (2, 1)
        #expect(progress.total == .max && progress.done == 3)
    }

    @Test("What is beyond the announced numbers, of another replica or another journal, was not announced")
    func announced() throws {
        var guardian = Self.guardian(wanted: "a:12345", held: "a:12 b:123")
        try guardian.check(Self.segment("a", first: 1, count: 5))
        for segment in [
            Self.segment("a", first: 6, count: 1), Self.segment("b", first: 1, count: 1),
            Self.segment("a", first: 3, count: LineSegment.largestCommitCount + 1),
            Self.segment("a", first: .max, count: 1), Self.segment("a", first: .max - 1, count: 3),
        ] {
            let error = #expect(throws: ExchangeError.self) { try guardian.check(segment) }
            #expect(error?.code == .unannounced)
        }
        #expect(guardian.expected == 3)
        // A head at which a line was cut need not be signed itself.
        try guardian.check(Self.segment("a", first: 3, count: 4))
    }

    @Test("Numbers may go back as often as there are heads and lines, and a carrier may deliver twice")
    func goingBack() throws {
        var guardian = Self.guardian(wanted: "a:12345 a:123xy b:12", held: "a:12pq")
        // Forwards as often as numbers were announced.
        for first: UInt64 in 1...5 { try guardian.check(Self.segment("a", first: first, count: 1)) }
        for _ in 0..<(2 + 1 + StreamGuard.repetitions) { try guardian.check(Self.segment("a", first: 1, count: 5)) }
        let error = #expect(throws: ExchangeError.self) { try guardian.check(Self.segment("a", first: 1, count: 5)) }
        #expect(error?.code == .unannounced && error?.message.contains("again and again") == true)
        // Another replica's are counted separately.
        try guardian.check(Self.segment("b", first: 1, count: 2))
    }

    @Test("Sums of absurd numbers do not overflow")
    func absurd() throws {
        let heads = (0..<5).map { "a:\($0)@4611686018427387903" }.joined(separator: " ")
        var guardian = Self.guardian(wanted: heads, held: "a:12")
        #expect(guardian.expected == .max)
        try guardian.check(Self.segment("a", first: 1 << 61, count: 2048))
    }

    @Test(
        "A complete bundle of a replica with many branches is accepted by a reader that lacks one of them, a long one or a short one",
        arguments: [[20, 20, 20, 20], [30, 20, 10, 5], [5, 10, 20, 30]])
    func manyBranches(lengths: [Int]) async throws {
        let original = try TestReplica("original")
        try await original.write(2)
        let copies = try (0..<4).map { try original.copied(as: "copy \($0)") }
        for (number, copy) in copies.enumerated() { try await copy.write(lengths[number]) }
        let all = try TestReplica("all", journal: original.log.journal)
        let reader = try TestReplica("reader", journal: original.log.journal)
        for copy in copies { try await all.exchange(with: LogPeer(copy.log)) }
        for copy in copies.dropLast() { try await reader.exchange(with: LogPeer(copy.log)) }
        let file = try all.bundle("all.bundle")
        _ = try await BundleWriter.write(all.log, to: file)
        let report = try await reader.exchange(with: BundlePeer(file))
        let lacking = lengths[3]
        #expect(report.received.commits >= lacking && report.received.commits < lacking + 20)
        try await expectEqual([all, reader])
    }
}
