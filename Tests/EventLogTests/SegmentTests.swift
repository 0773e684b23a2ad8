import EventLog
import Events
import Foundation
import StoreSupport
import Testing

@Suite("Taking in other replicas' lines")
struct SegmentTests {
    private static func pair() throws -> (from: LogFixture, to: LogFixture, Log, Log) {
        let from = LogFixture(seed: 1)
        let to = LogFixture(seed: 2)
        let journal = JournalID(UUID())
        return (from, to, try from.open(journal: journal), try to.open(journal: journal))
    }

    @Test("Received commits keep their bytes, and are forwarded unchanged (L3)")
    func bytesNeverChange() async throws {
        let (from, to, source, target) = try Self.pair()
        _ = try await source.appendSamples(5)
        let sent = try await source.allSegments(of: source.replica)
        for segment in sent { try await target.store(segment) }
        #expect(try await target.allSegments(of: source.replica) == sent)
        #expect(try target.commits().map(\.hash) == source.commits().map(\.hash))
        try from.expectIntact()
        try to.expectIntact()
    }

    @Test("Taking in the same again, or a segment that overlaps, changes nothing that is there")
    func idempotent() async throws {
        let (_, to, source, target) = try Self.pair()
        _ = try await source.appendSamples(3)
        let first = try await source.allSegments(of: source.replica)
        for segment in first + first { try await target.store(segment) }
        _ = try await source.appendSamples(3)
        let more = try await source.allSegments(of: source.replica)
        for segment in more { try await target.store(segment) }
        #expect(try target.commits().map(\.hash) == source.commits().map(\.hash))
        try to.expectIntact()
    }

    @Test("A replica writes later than all that it has seen, though its clock is behind (L5)")
    func laterThanSeen() async throws {
        let (_, to, source, target) = try Self.pair()
        to.clock.advance(by: -80_000_000)
        _ = try await source.appendSamples(2)
        for segment in try await source.allSegments(of: source.replica) { try await target.store(segment) }
        let seen = try #require(try source.commits().last?.header.timestamp)
        let written = try #require(try await target.append(.sample("late")))
        #expect(written.timestamp > seen)
        try to.expectIntact()
    }

    enum Fault: CaseIterable, Sendable {
        case gap, flippedPayload, flippedHeader, otherSignature, noCommits, reordered, otherLine, cutCommit
        case strippedCommit, paddedCommit
    }

    @Test("What does not pass the checks is refused, and nothing of it is stored (L2)", arguments: Fault.allCases)
    func refusals(_ fault: Fault) async throws {
        let (_, to, source, target) = try Self.pair()
        _ = try await source.appendSamples(4)
        let good = try #require(try await source.allSegments(of: source.replica).first)
        var commits = good.commits
        var (replica, first, signature) = (good.replica, good.first, good.signature)
        switch fault {
        case .gap: first = SequenceNumber(2)
        case .flippedPayload: commits[2][commits[2].count - 1] ^= 1
        case .flippedHeader: commits[2][30] ^= 1
        case .otherSignature: signature[0] ^= 1
        case .noCommits: commits = []
        case .reordered: commits.swapAt(1, 2)
        case .otherLine: replica = target.replica
        case .cutCommit: commits[3].removeLast()
        // The header alone, on which every signature rests.
        case .strippedCommit:
            commits[2] = commits[2].withUnsafeBytes { raw in
                (try? CommitView(raw)).map { [0x0A, UInt8($0.headerBytes.count)] + $0.headerBytes } ?? []
            }
        case .paddedCommit: commits[2] += [99 << 1 & 0x7F | 0x80, 6, 1, 0]
        }
        let bad = LineSegment(
            journal: good.journal, replica: replica, first: first, previous: good.previous, commits: commits,
            signature: signature)
        let code: EventLogError.Code = fault == .gap ? .missingStart : .rejected
        await #expect { try await target.store(bad) } throws: { ($0 as? EventLogError)?.code == code }
        #expect(try target.commits().isEmpty)
        try await target.store(good)
        try to.expectIntact()
    }
}
