import EventLog
import Events
import Foundation
import LogExchange
import Testing
import TripStoreTestSupport

@Suite("Peers that do not show what they were sent")
struct SilentPeerTests {
    /// A peer that shows nothing of what it holds, and acknowledges nothing.
    private static func silentPeer(
        _ replica: TestReplica, _ change: @escaping @Sendable (inout Greeting) -> Void = { _ in }
    ) -> LyingPeer {
        LyingPeer(
            LogPeer(replica.log),
            greeting: {
                var greeting = $0
                greeting.digest = Frontier.empty.digest
                change(&greeting)
                return greeting
            }, announced: { _ in .empty })
    }

    @Test("A peer that never shows what it was sent is named an hour after it was first sent")
    func silent() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        for _ in 0..<2 {
            let report = try await one.exchange(with: Self.silentPeer(two))
            #expect(report.sent.commits == 3 && report.notShown == 0 && report.shortcomings == [])
            one.clock.advance(by: 1_800_000)
        }
        // A newer commit takes no time from the older ones, and has its own hour.
        try await one.write(1)
        let report = try await one.exchange(with: Self.silentPeer(two))
        #expect(report.notShown == 3)
        let shortcoming = try #require(report.shortcomings.first)
        #expect(
            report.shortcomings.count == 1 && shortcoming.hasPrefix("3 commits") && shortcoming.contains("\(two.id)"))
        // It shows them: the next that it hides have an hour again.
        let honest = try await one.exchange(with: LogPeer(two.log))
        #expect(honest.notShown == 0 && honest.shortcomings == [])
        let again = try await one.exchange(with: Self.silentPeer(two))
        #expect(again.notShown == 0 && again.withdrawn.map(\.replica) == [one.id])
    }

    @Test("A peer that states the past, or that stores nothing, need not show what is held here")
    func silentForAReason() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        for _ in 0..<3 {
            #expect(try await one.exchange(with: Self.silentPeer(two) { $0.clock = nil }).notShown == 0)
            #expect(try await one.exchange(with: Self.silentPeer(two) { $0.isWritable = false }).notShown == 0)
            one.clock.advance(by: 7_200_000)
        }
    }

    @Test("A peer that was restored, or that does not list the line of a replica without a grant, is not named")
    func honestlyBehind() async throws {
        let founder = try TestReplica("founder", founding: true)
        let member = try TestReplica("member", journal: founder.log.journal)
        let stranger = try TestReplica("stranger", journal: founder.log.journal)
        try await founder.log.grant(.write, to: member.id)
        try await founder.exchange(with: LogPeer(member.log))
        let older = try member.copied(as: "older")
        try await founder.write(2)
        try await founder.exchange(with: LogPeer(member.log))
        try await stranger.write(1)
        for _ in 0..<3 {
            for replica in [founder, member, stranger, older] { replica.clock.advance(by: 3_600_000) }
            let report = try await founder.exchange(with: LogPeer(try older.copied(as: "older still").log))
            #expect(report.sent.commits == 2 && report.notShown == 0 && report.shortcomings == [])
            #expect(try await stranger.exchange(with: LogPeer(founder.log)).notShown == 0)
        }
    }
}
