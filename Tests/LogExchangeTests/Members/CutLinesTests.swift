import EventLog
import Events
import StoreSupport
import Synchronization
import Testing

@testable import LogExchange

/// The lines of revoked replicas, on their way to peers that know of it.
@Suite("Lines that a revocation cut")
struct CutLinesTests {
    /// A founder that granted a member, which wrote that many commits, each signed.
    private static func founderAndMember(_ count: Int) async throws -> (founder: TestReplica, member: TestReplica) {
        let founder = try TestReplica("founder", founding: true)
        try await founder.write(1)
        let member = try TestReplica("member", journal: founder.log.journal)
        try await founder.log.grant(.write, to: member.id)
        try await Carrier.inProcess.exchange(founder, member)
        try await write(count, member)
        return (founder, member)
    }

    private static func write(_ count: Int, _ replica: TestReplica) async throws {
        for _ in 0..<count {
            try await replica.write(1)
            try await replica.log.signHead()
        }
    }

    private static func response(_ server: MessageServer, _ request: ExchangeMessage) async throws -> ExchangeMessage {
        let responses = Mutex<[[UInt8]]>([])
        try await server.respond(to: request.encoded()) { response in responses.withLock { $0.append(response) } }
        return try ExchangeMessage(try #require(responses.withLock { $0.last }))
    }

    @Test("A long line that was cut reaches a server that has the cut, and continues where it was interrupted")
    func pushed() async throws {
        let (founder, member) = try await Self.founderAndMember(100)
        try await Carrier.inProcess.exchange(founder, member)
        try await founder.log.revoke(member.id)
        let segments = try await founder.log.allSegments(of: member.id)
        try #require(segments.count == 100)
        let reader = try TestReplica("reader", journal: founder.log.journal)
        try await reader.log.store(try await founder.log.allSegments(of: founder.id))

        let server = MessageServer(reader.log, authorizer: OpenAuthorizer())
        _ = try await Self.response(server, .greeting(try await founder.log.greeting().greeting))
        for segment in segments[..<80] {
            guard case .acknowledgement = try await Self.response(server, .segments([segment])) else {
                Issue.record("commit \(segment.first) was refused")
                return
            }
        }
        #expect(
            try await reader.frontier().heads.contains { $0.replica == member.id && $0.sequence == segments[79].last })
        let report = try await founder.exchange(
            with: MessagePeer(LoopbackChannel(MessageServer(reader.log, authorizer: OpenAuthorizer()))))
        #expect(report.sent.commits == 20)
        try await expectEqual([founder, reader])
    }

    @Test("A branch that a cut names reaches a holder of another one beyond it", arguments: [false, true])
    func branches(isOther: Bool) async throws {
        let (founder, member) = try await Self.founderAndMember(1)
        let copy = try member.copied(as: "copy")
        try await Self.write(2, member)
        try await Carrier.inProcess.exchange(founder, member)
        let other = try TestReplica("other", journal: founder.log.journal)
        try await founder.log.grant(.write, to: other.id)
        try await Carrier.inProcess.exchange(founder, other)
        try await Self.write(20, isOther ? copy : member)
        try await Carrier.inProcess.exchange(other, isOther ? copy : member)
        try await founder.log.revoke(member.id)

        let report = try await founder.exchange(with: LogPeer(other.log))
        // The revocation alone: the cut commits are held there, or arrive once the other knows of it.
        #expect(report.sent.commits == 1)
        for _ in 0..<2 { try await founder.exchange(with: LogPeer(other.log)) }
        for replica in [founder, other] { try replica.expectIntact() }
        let frontiers = (try await founder.frontier(), try await other.frontier())
        #expect(frontiers.0 == frontiers.1)
        let counting = try [founder, other].map { replica in
            try replica.log.read { log in
                var found: Set<Digest> = []
                try log.forEachCommit(after: .start) { commit in
                    if commit.counts { found.insert(commit.hash) }
                    return true
                }
                return found
            }
        }
        #expect(counting[0] == counting[1])
    }

    @Test("What lies beyond a cut is passed over, and not read without an end")
    func beyond() async throws {
        let (founder, member) = try await Self.founderAndMember(100)
        let peer = try TestReplica("peer", journal: founder.log.journal)
        try await Carrier.inProcess.exchange(peer, member)
        let unknown = CommitID(replica: member.id, sequence: SequenceNumber(3), hash: SomeDigest.any)
        try await founder.log.revoke(member.id, cut: [unknown])
        try await Self.write(1, peer)
        let counting = LyingPeer(LogPeer(peer.log))
        var session = ExchangeSession(founder.log, with: counting)
        session.mostPassedOver = 20_000
        // Its own line is among the earlier commits, or is requested again.
        try await founder.log.grant(.write, to: peer.id)
        try await session.run()
        #expect(counting.deliveredCount < 40)
        #expect(
            try founder.log.read {
                try !$0.newestCommits(of: founder.log.journal).filter { $0.replica == peer.id }.isEmpty
            })
        for replica in [founder, peer] { try replica.expectIntact() }
    }
}
