import EventLog
import Events
import Foundation
import LogExchange
import Testing
import TripStoreTestSupport

/// A lying peer gets an error with a code. What was good before stays, and nothing else is stored (X3).
@Suite("Peers that lie")
struct LyingPeerTests {
    /// The fault in the second of three segments.
    enum Lie: String, CaseIterable, Sendable {
        case otherSignature, noSignature, flippedPayload, flippedHeader, cutCommit, noBytes, missingCommit, gap
        case duplicateNumber, otherReplica, otherJournal, otherPrevious, zeroNumber, greatestNumber, noCommits
        case tooManyCommits, tooLargeCommit

        func told(_ good: LineSegment) -> LineSegment {
            switch self {
            case .otherSignature: good.changed(signature: good.signature.reversed())
            case .noSignature: good.changed(signature: [])
            case .flippedPayload: good.changed { $0[0][$0[0].count - 1] ^= 1 }
            case .flippedHeader: good.changed { $0[0][30] ^= 1 }
            case .cutCommit: good.changed { $0[0].removeLast() }
            case .noBytes: good.changed { $0[0] = [] }
            case .missingCommit: good.changed { $0.removeFirst() }
            case .gap: good.changed(first: good.first.rawValue + 1)
            case .duplicateNumber: good.changed { $0.insert($0[0], at: 0) }
            case .otherReplica: good.changed(replica: ReplicaID(publicKey: [7]))
            case .otherJournal: good.changed(journal: JournalID(UUID()))
            case .otherPrevious: good.changed(previous: SomeDigest.any)
            case .zeroNumber: good.changed(first: 0)
            case .greatestNumber: good.changed(first: .max)
            case .noCommits: good.changed { $0 = [] }
            case .tooManyCommits:
                good.changed { $0 = Array(repeating: $0[0], count: LineSegment.largestCommitCount + 1) }
            case .tooLargeCommit: good.changed { $0[0] = [UInt8](repeating: 0, count: 17 << 20) }
            }
        }

        /// Which checks find it: those of the stream, or those of the log.
        var codes: Set<String> {
            switch self {
            case .otherReplica, .otherJournal, .greatestNumber: ["unannounced"]
            case .gap, .zeroNumber, .otherPrevious: ["missingStart", "rejected"]
            case .tooManyCommits: ["unannounced", "rejected"]
            default: ["rejected"]
            }
        }
    }

    /// A peer with three segments, so large that each is stored by itself.
    private static func honest(bytes: Int = 1_200_000) async throws -> (TestReplica, TestReplica) {
        let (one, two) = try twoReplicas()
        for _ in 0..<3 {
            try await two.write(1, bytes: bytes)
            try await two.log.signHead()
        }
        try #require(try await two.allSegments().count == 3)
        return (one, two)
    }

    @Test("Nothing of a bad segment is stored, and what came before it stays", arguments: Lie.allCases)
    func badSegment(_ lie: Lie) async throws {
        let (one, two) = try await Self.honest()
        let first = try #require(try await two.allSegments().first)
        let liar = LyingPeer(LogPeer(two.log), sent: { honest in [honest[0], lie.told(honest[1]), honest[2]] })
        let error = await failure { try await one.exchange(with: liar) }
        #expect(lie.codes.contains(code(error) ?? "nothing"))
        #expect(try one.hashes() == Array(try two.hashes().prefix(first.commits.count)))
        #expect(try PeerBook(one.log).record(of: two.id)?.lastError != nil)
        try one.expectIntact()
        // An honest exchange continues from there.
        try await one.exchange(with: LogPeer(two.log))
        try await expectEqual([one, two])
        #expect(try PeerBook(one.log).record(of: two.id)?.lastError == nil)
    }

    @Test("A bad segment among small ones that share a transaction takes none of the good ones along")
    func badAmongSmall() async throws {
        let (one, two) = try twoReplicas()
        for _ in 0..<4 {
            try await two.write(1)
            try await two.log.signHead()
        }
        let liar = LyingPeer(
            LogPeer(two.log),
            sent: { honest in
                honest[..<2] + [honest[2].changed(signature: honest[1].signature)] + honest[3...]
            })
        let error = await failure { try await one.exchange(with: liar) }
        #expect(code(error) == "rejected")
        // The introduction and a commit form the first segment.
        #expect(try one.hashes() == Array(try two.hashes().prefix(3)))
        try one.expectIntact()
    }

    @Test(
        "What is wrong with one replica's line keeps neither the others' from coming nor what is here from being sent")
    func othersGoOn() async throws {
        let (one, two) = try twoReplicas()
        let third = try TestReplica("third", journal: one.log.journal)
        for replica in [one, two, third] { try await replica.write(2) }
        try await two.exchange(with: LogPeer(third.log))
        for bad in [two, third] {
            let reader = try one.copied(as: "reader \(bad.name)")
            let (before, id) = (try two.hashes().count, bad.id)
            let liar = LyingPeer(
                LogPeer(two.log),
                sent: { honest in
                    honest.map { $0.replica == id ? $0.changed(signature: Array(repeating: 1, count: 64)) : $0 }
                })
            let error = await failure { try await reader.exchange(with: liar) }
            #expect(code(error) == "rejected")
            // Its own line and one of the two others', each of an introduction and two commits.
            #expect(try reader.hashes().count == 6)
            #expect(try two.hashes().count == max(before, 9))
            try reader.expectIntact()
        }
    }

    @Test("What was announced and does not come is missed, and what came stays")
    func withheld() async throws {
        let (one, two) = try await Self.honest(bytes: 16)
        let liar = LyingPeer(LogPeer(two.log), sent: { $0.dropLast() })
        let error = await failure { try await one.exchange(with: liar) }
        #expect(code(error) == "withheld")
        #expect(try one.hashes().count == 3)
    }

    @Test("A head that no replica has is detected", arguments: [4, 5, 1 << 61, UInt64.max >> 1, .max])
    func inventedHead(number: UInt64) async throws {
        let (one, two) = try await Self.honest(bytes: 16)
        let invented = CommitID(replica: two.id, sequence: SequenceNumber(number), hash: SomeDigest.any)
        let liar = LyingPeer(
            LogPeer(two.log), announced: { Frontier(journal: $0.journal, heads: $0.heads + [invented]) })
        let error = await failure { try await one.exchange(with: liar) }
        #expect(code(error) == "withheld")
        #expect(try one.hashes() == two.hashes())
        try one.expectIntact()
    }

    @Test("Commits beyond what was announced are not taken")
    func beyondAnnounced() async throws {
        let (one, two) = try await Self.honest(bytes: 16)
        let before = try await two.frontier()
        try await two.write(1)
        let segments = try await two.allSegments()
        let liar = LyingPeer(LogPeer(two.log), announced: { _ in before }, sent: { _ in segments })
        let error = await failure { try await one.exchange(with: liar) }
        #expect(code(error) == "unannounced")
        #expect(try one.hashes() == Array(try two.hashes().dropLast()))
        try one.expectIntact()
    }

    @Test("A stream without an end is cut off", arguments: [false, true])
    func endless(afterAll: Bool) async throws {
        let (one, two) = try await Self.honest(bytes: 16)
        let liar = LyingPeer(
            LogPeer(two.log),
            sent: { honest in
                AnySequence { () -> AnyIterator<LineSegment> in
                    var rest = afterAll ? honest : []
                    return AnyIterator { rest.isEmpty ? honest[0] : rest.removeFirst() }
                }
            })
        let error = await failure { try await one.exchange(with: liar) }
        #expect(code(error) == "unannounced")
        #expect(liar.deliveredCount < 10_000)
        #expect(try one.hashes().count == (afterAll ? 4 : 2))
        try one.expectIntact()
    }

    @Test("A stream of nothing at all is refused at once")
    func endlessNothing() async throws {
        let (one, two) = try await Self.honest(bytes: 16)
        let liar = LyingPeer(
            LogPeer(two.log),
            sent: { honest in
                let nothing = honest[0].changed(commits: { $0 = [] })
                return AnySequence { AnyIterator { nothing } }
            })
        let error = await failure { try await one.exchange(with: liar) }
        #expect(code(error) == "unannounced")
        #expect(liar.deliveredCount < 10_000)
        #expect(try one.log.isEmpty())
    }

    @Test("A greeting of no version, or a frontier of another journal than the greeting's, is refused")
    func inconsistent() async throws {
        let (one, two) = try await Self.honest(bytes: 16)
        let unversioned = LyingPeer(
            LogPeer(two.log),
            greeting: {
                var greeting = $0
                greeting.version = 0
                return greeting
            })
        let first = await failure { try await one.exchange(with: unversioned) }
        #expect(code(first) == "malformed")
        let other = JournalID(UUID())
        let inconsistent = LyingPeer(LogPeer(two.log), announced: { Frontier(journal: other, heads: $0.heads) })
        let second = await failure { try await one.exchange(with: inconsistent) }
        #expect(code(second) == "malformed")
        #expect(try one.log.isEmpty())
    }

    @Test("A newer version's greeting is fine: what it can do more is not asked for")
    func newerVersion() async throws {
        let (one, two) = try await Self.honest(bytes: 16)
        let newer = LyingPeer(
            LogPeer(two.log),
            greeting: {
                var greeting = $0
                greeting.version = 77
                return greeting
            })
        try await one.exchange(with: newer)
        try await expectEqual([one, two])
    }

    @Test("A peer that falsely says that it holds the same only deceives itself")
    func falseDigest() async throws {
        let (one, two) = try await Self.honest(bytes: 16)
        try await one.write(1)
        let digest = try await one.frontier().digest
        let liar = LyingPeer(
            LogPeer(two.log),
            greeting: {
                var greeting = $0
                greeting.digest = digest
                return greeting
            })
        let report = try await one.exchange(with: liar)
        #expect(report.sent.commits == 0 && report.received.commits == 0)
        try await one.exchange(with: LogPeer(two.log))
        try await expectEqual([one, two])
    }
}

/// An arbitrary hash.
enum SomeDigest {
    static var any: Digest {
        var builder = DigestBuilder()
        builder.add([1, 2, 3])
        return builder.finish()
    }
}
