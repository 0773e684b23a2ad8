import EventLog
import Events
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("What a server of sessions tells of", .timeLimit(.minutes(10)))
struct SessionEventTests {
    /// The events of a server, as text.
    private final class Events: Sendable {
        private let events = Mutex<[String]>([])
        var all: [String] { events.withLock { $0 } }

        func note(_ event: SessionEvent) {
            let text =
                switch event {
                case .began: "began"
                case .ended(_, _, let outcome): "ended \(outcome.rawValue)"
                case .turnedAway(let outcome): "turned away \(outcome.rawValue)"
                case .stored(_, _, let commits, let seconds): "stored \(commits) \(seconds > 0)"
                case .refused(_, _, let code): "refused \(code)"
                case .repeated: "repeated"
                case .lacking(_, let commits): "lacking \(commits)"
                }
            events.withLock { $0.append(text) }
        }
    }

    /// A member that was served once, wrote three commits after the one by which it introduces itself, and is connected again.
    private static func writing() async throws -> (SessionFixture, Events, TestReplica, SessionClient) {
        var fixture = try await SessionFixture()
        let events = Events()
        fixture.serve { $0.observe = { events.note($0) } }
        let member = try await fixture.replica("member")
        try await fixture.exchange(member)
        try await member.write(3)
        return (fixture, events, member, try await fixture.connect(member))
    }

    @Test("Commits without their bytes are told of when they come, and when the bytes do, once each")
    func lacking() async throws {
        let (fixture, events, member, session) = try await Self.writing()
        let peer = SessionPeer(session, for: member.log, remembers: false)
        try await member.exchange(with: WithholdingPeer(peer))
        try await eventually { events.all.contains("lacking 3") }
        let report = try await member.exchange(with: peer)
        #expect(report.healedThere == 3 && report.shortcomings.isEmpty)
        try await eventually { events.all.contains("lacking 0") }
        session.close()
        #expect(events.all.count { $0.hasPrefix("lacking") } == 2)
        try await expectEqual([fixture.founder, member])
    }

    @Test("A session begins, stores commits and ends; what is held already is repeated")
    func session() async throws {
        let (fixture, events, member, session) = try await Self.writing()
        try await member.exchange(with: SessionPeer(session, for: member.log, remembers: false))
        try await session.call(ExchangeMessage.segments(try await Self.segments(of: member)).encoded()) { _ in }
        session.close()
        try await eventually { events.all.count { $0.hasPrefix("ended") } == 2 }
        #expect(events.all.first == "began")
        #expect(events.all.contains("stored 4 true"))
        #expect(events.all.contains("repeated"))
        #expect(events.all.last == "ended ended")
        try await expectEqual([fixture.founder, member])
    }

    @Test("A stranger is turned away, and a client that says nothing did not finish")
    func turnedAway() async throws {
        var fixture = try await SessionFixture()
        let events = Events()
        fixture.serve { $0.observe = { events.note($0) } }
        let stranger = try await fixture.replica("stranger", nil)
        #expect(await fixture.refusal(of: stranger)?.code == .notAuthorized)
        try await eventually { events.all == ["turned away refused"] }
        let silent = try await RawClient(fixture.network)
        silent.port.close()
        try await eventually { events.all.last == "turned away unfinished" }
    }

    @Test("A refused segment is told with the code that the client is told, and without contents")
    func refused() async throws {
        var fixture = try await SessionFixture()
        let events = Events()
        fixture.serve { $0.observe = { events.note($0) } }
        let member = try await fixture.replica("member")
        try await fixture.exchange(member)
        try await member.write(3)
        let session = try await fixture.connect(member)
        try await session.call(ExchangeMessage.greeting(try await member.log.greeting().greeting).encoded()) { _ in }
        let own = try #require(try await Self.segments(of: member).first { $0.replica == member.id })
        let forged = LineSegment(
            journal: own.journal, replica: own.replica, first: own.first, previous: own.previous, commits: own.commits,
            signature: [UInt8](repeating: 1, count: 64))
        try await session.call(ExchangeMessage.segments([forged]).encoded()) { _ in }
        #expect(events.all.contains("refused rejected"))
        session.close()
    }

    private static func segments(of replica: TestReplica) async throws -> [LineSegment] {
        let heads = try await replica.frontier().heads
        let collected = Mutex<[LineSegment]>([])
        let request = SegmentRequest(journal: replica.log.journal, wanted: heads, held: [])
        try await LogPeer(replica.log).segments(request) { segment in collected.withLock { $0.append(segment) } }
        return collected.withLock { $0 }
    }
}
