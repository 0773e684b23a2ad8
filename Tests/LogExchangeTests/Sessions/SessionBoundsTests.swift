import EventLog
import Events
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("The bounds of sessions", .timeLimit(.minutes(10)))
struct SessionBoundsTests {
    private static func limits(_ change: (inout SessionLimits) -> Void) -> SessionLimits {
        var limits = SessionLimits.patient
        change(&limits)
        return limits
    }

    @Test("A client that says nothing is let go after the time for a greeting", arguments: [false, true])
    func silent(saysHello: Bool) async throws {
        let time = ManualTime()
        let fixture = try await SessionFixture(time: time)
        let client = try await RawClient(fixture.network)
        if saysHello {
            try await client.send(.clientHello(client.hello(nil)))
            _ = try await client.receive()
        }
        try await eventually { time.due.contains(.seconds(10)) }
        #expect(fixture.server.connections.waiting == 1)
        time.advance(by: .seconds(10))
        #expect(try await client.rest() == [])
        try await eventually { fixture.server.connections == (0, 0) }
    }

    @Test("Junk, frames out of order and large ones end the connection", arguments: Seeds.some(30))
    func junk(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try await SessionFixture()
        let client = try await RawClient(fixture.network)
        let frames: [[UInt8]] = [
            random.bytes(upTo: 200), SessionFrame.ping(1).encoded(), SessionFrame.request([1, 2, 3]).encoded(),
            [UInt8](repeating: 0, count: SessionFrame.largestGreeting + 1), SessionFrame.stop.encoded(),
            SessionFrame.serverHello(ServerHello(version: 1, nonce: [UInt8](repeating: 0, count: 32)).encoded())
                .encoded(),
            random.damaged(SessionFrame.clientHello(client.hello(nil)).encoded()),
        ]
        try await client.port.send(frames[Int.random(in: 0..<frames.count, using: &random)])
        let answer = Task { try await client.rest() }
        // One that was damaged in its nonce is still a hello.
        if Int(seed % 2) == 0 { try? await client.port.send(random.bytes(upTo: 50)) }
        try? await client.send(.stop)
        for frame in try await answer.value {
            if case .serverHello = frame { continue }
            Issue.record("the server said \(frame)")
        }
        try await eventually { fixture.server.connections == (0, 0) }
    }

    @Test("Many that say nothing keep no member away, and are let go, the oldest first")
    func manySilent() async throws {
        let time = ManualTime()
        let fixture = try await SessionFixture(time: time, limits: SessionLimits(waitingConnections: 8))
        let member = try await fixture.replica("member")
        var clients: [RawClient] = []
        for _ in 0..<100 { clients.append(try await RawClient(fixture.network)) }
        try await eventually { fixture.server.connections.waiting == 8 }
        let session = try await fixture.connect(member)
        try await member.exchange(with: SessionPeer(session, for: member.log, remembers: false))
        try await expectEqual([fixture.founder, member])
        #expect(fixture.server.connections.sessions == 1)
        for client in clients { client.port.close() }
        try await eventually { fixture.server.connections.waiting == 0 }
    }

    @Test("A replica has few sessions at a time: a new one ends its oldest")
    func sessionsOfReplica() async throws {
        let fixture = try await SessionFixture(limits: Self.limits { $0.sessionsOfReplica = 2 })
        let (member, other) = (try await fixture.replica("member"), try await fixture.replica("other"))
        let kept = try await fixture.connect(other)
        var sessions: [SessionClient] = []
        for _ in 0..<5 { sessions.append(try await fixture.connect(member)) }
        try await eventually { sessions.map { $0.failure == nil } == [false, false, false, true, true] }
        #expect(kept.failure == nil && fixture.server.connections.sessions == 3)
    }

    @Test("A full server ends the oldest session of the replica that has most for one that has fewer")
    func sessionsOfMost() async throws {
        let fixture = try await SessionFixture(limits: Self.limits { $0.sessions = 4 })
        let (member, other) = (try await fixture.replica("member"), try await fixture.replica("other"))
        let kept = try await fixture.connect(other)
        var sessions: [SessionClient] = []
        for _ in 0..<3 { sessions.append(try await fixture.connect(member)) }
        let second = try await fixture.connect(other)
        try await eventually { sessions.map { $0.failure == nil } == [false, true, true] }
        #expect(kept.failure == nil && second.failure == nil && fixture.server.connections.sessions == 4)
        // Now each has two: no other session of theirs is ended for a third.
        #expect(await fixture.refusal(of: other)?.code == .notAuthorized)
    }

    @Test("A server with as many sessions as it may have refuses others")
    func sessions() async throws {
        let fixture = try await SessionFixture(limits: Self.limits { $0.sessions = 1 })
        let (member, other) = (try await fixture.replica("member"), try await fixture.replica("other"))
        let kept = try await fixture.connect(other)
        #expect(await fixture.refusal(of: member)?.code == .notAuthorized)
        kept.close()
        try await eventually { fixture.server.connections.sessions == 0 }
        _ = try await fixture.connect(member)
    }

    @Test("In a session a second request before the first is answered ends it, and so do frames of a server")
    func disorder() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        for frame in [
            SessionFrame.pong(1), .notice(SessionNotice(.empty, holes: nil)), .lastResponse([]),
        ] {
            let network = MemoryNetwork(fixture.server)
            let isFirst = Mutex(true)
            network.setHook { bytes, direction, number in
                guard direction == .toServer, number > 3,
                    isFirst.withLock({ first in
                        defer { first = false }
                        return first
                    })
                else { return .arrives }
                return .changed(frame.encoded())
            }
            let session = try await fixture.connect(member, over: network)
            #expect(await failure { _ = try await MessagePeer(session).greet(member.log.greeting().greeting) } != nil)
        }
        try await eventually { fixture.server.connections == (0, 0) }
    }

    // MARK: Liveness

    @Test("A connection on which nothing arrives any more is noticed on both sides")
    func halfOpen() async throws {
        let time = ManualTime()
        // Nothing else is waited for as long as for an answer to a ping.
        let fixture = try await SessionFixture(time: time, limits: SessionLimits(patience: .seconds(7)))
        let member = try await fixture.replica("member")
        let session = try await fixture.connect(member, limits: SessionLimits(patience: .seconds(7)))
        try await member.exchange(with: SessionPeer(session, for: member.log, remembers: false))
        // While it is well, pings keep it.
        _ = fixture.network.takeFrames()
        var (pings, pongs) = (0, 0)
        for _ in 0..<50 {
            let earlier = pings
            time.advance(by: .seconds(4))
            // Both sides have looked, and the client sends a ping if it now waits for as long as for an answer.
            try await eventually { time.due.count == 2 }
            let isProbing = time.due.contains(time.now + .seconds(7))
            try await eventually {
                for (_, frame) in fixture.network.takeFrames() {
                    if case .ping = frame { pings += 1 }
                    if case .pong = frame { pongs += 1 }
                }
                return pings == pongs && pings == earlier + (isProbing ? 1 : 0) && fixture.network.isQuiet
            }
        }
        #expect(pings >= 4 && session.failure == nil && fixture.server.connections.sessions == 1)
        fixture.network.isSilent = true
        var waited = Duration.zero
        while session.failure == nil || fixture.server.connections.sessions == 1 {
            time.advance(by: .seconds(4))
            waited += .seconds(4)
            // Each side that goes on waits again.
            try await eventually {
                time.due.count >= (session.failure == nil ? 1 : 0) + fixture.server.connections.sessions
            }
            try #require(waited < .seconds(400))
        }
        #expect((session.failure as? ExchangeError)?.code == .cut)
        #expect(waited >= .seconds(7))
    }

    @Test("A connection is kept while bytes of a large frame arrive, however slowly")
    func slow() async throws {
        let time = ManualTime()
        let fixture = try await SessionFixture(time: time)
        let member = try await fixture.replica("member")
        let session = try await fixture.connect(member)
        fixture.network.isSilent = true
        for _ in 0..<100 {
            fixture.network.bringParts(100)
            time.advance(by: .seconds(4))
            for _ in 0..<50 { await Task.yield() }
        }
        #expect(session.failure == nil && fixture.server.connections.sessions == 1)
        session.close()
        try await eventually { fixture.server.connections.sessions == 0 }
    }

    @Test("A probe ends a dead connection at once, and leaves a live one")
    func probe() async throws {
        let time = ManualTime()
        let fixture = try await SessionFixture(time: time)
        let member = try await fixture.replica("member")
        let session = try await fixture.connect(member)
        for isSilent in [false, true] {
            fixture.network.isSilent = isSilent
            _ = fixture.network.takeFrames()
            let probe = Task { await session.probe(within: .seconds(3)) }
            try await eventually { time.due.contains(time.now + .seconds(3)) }
            if !isSilent { try await eventually { fixture.network.takeFrames().ofServer.contains(.pong(1)) } }
            try await eventually { fixture.network.isQuiet }
            time.advance(by: .seconds(3))
            await probe.value
            #expect((session.failure != nil) == isSilent)
        }
    }

    // MARK: Streams

    /// One with many segments, each of which is one message.
    private func full(_ fixture: SessionFixture, _ count: Int) async throws {
        for _ in 0..<count {
            try await fixture.founder.write(1, bytes: 5000)
            try await fixture.founder.log.signHead()
        }
    }

    @Test("Who has enough of a stream ends it, and the session goes on")
    func stop() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        try await full(fixture, 40)
        let session = try await fixture.connect(member)
        let peer = MessagePeer(session)
        let frontier = try await SessionPeer(session, for: member.log, remembers: false).greetAndAsk(member)
        let request = SegmentRequest(
            journal: fixture.founder.log.journal, wanted: frontier.heads, held: [])
        _ = fixture.network.takeFrames()
        struct Enough: Error {}
        var count = 0
        do {
            try await peer.segments(request) { _ in
                count += 1
                if count == 3 { throw Enough() }
            }
            Issue.record("it went on")
        } catch is Enough {}
        let sent = fixture.network.takeFrames().ofServer
        #expect(sent.count < 20 && sent.last == .lastResponse([]))
        #expect(try await peer.frontier() == frontier)
    }

    @Test("A client that is slow with a segment gets no further ones meanwhile")
    func backpressure() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        try await full(fixture, 60)
        let network = MemoryNetwork(fixture.server, capacity: 1)
        let session = try await fixture.connect(member, over: network)
        let frontier = try await SessionPeer(session, for: member.log, remembers: false).greetAndAsk(member)
        _ = network.takeFrames()
        var (taken, sent, ahead) = (0, 0, 0)
        try await MessagePeer(session).segments(
            SegmentRequest(journal: fixture.founder.log.journal, wanted: frontier.heads, held: [])
        ) { _ in
            for _ in 0..<200 { await Task.yield() }
            taken += 1
            sent += network.takeFrames().ofServer.count
            ahead = max(ahead, sent - taken)
        }
        #expect(taken >= 60 && ahead < 6)
    }

    @Test("Cancelling a request closes the connection, and the server lets go")
    func cancelled() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        let session = try await fixture.connect(member)
        fixture.network.setHook { _, direction, _ in direction == .toClient ? .lost : .arrives }
        let task = Task { try await MessagePeer(session).greet(member.log.greeting().greeting) }
        try await eventually {
            fixture.network.takeFrames().ofClient.contains { if case .request = $0 { true } else { false } }
        }
        task.cancel()
        #expect(await failure { _ = try await task.value } is CancellationError)
        try await eventually { fixture.server.connections == (0, 0) }
    }
}

extension SessionPeer {
    /// The server's frontier, after a greeting.
    func greetAndAsk(_ replica: TestReplica) async throws -> Frontier {
        _ = try await greet(replica.log.greeting().greeting)
        return try await frontier()
    }
}
