import EventLog
import Events
import StoreSupport
import Synchronization
import Testing

@testable import LogExchange

@Suite("The end of every state of a session", .timeLimit(.minutes(10)))
struct SessionStatesTests {
    private let time = ManualTime()

    /// Lets time pass until something is so, and returns how long that took; within an hour at most.
    private func pass(until condition: () async throws -> Bool) async throws -> Duration {
        var passed = Duration.zero
        while true {
            for _ in 0..<200 {
                if try await condition() { return passed }
                await Task.yield()
            }
            try #require(passed < .seconds(3600))
            time.advance(by: .seconds(5))
            passed += .seconds(5)
        }
    }

    // MARK: Servers

    /// A session with several segments to fetch.
    private func fixture() async throws -> (SessionFixture, TestReplica) {
        let fixture = try await SessionFixture(time: time)
        for _ in 0..<8 {
            try await fixture.founder.write(1, bytes: 5000)
            try await fixture.founder.log.signHead()
        }
        return (fixture, try await fixture.replica("member"))
    }

    @Test("A server ends a session whose client begins a frame and does not go on with it")
    func clientStopsWithin() async throws {
        let (fixture, member) = try await fixture()
        let session = try await fixture.connect(member)
        fixture.network.isWithinFrame = true
        _ = try await pass { fixture.server.connections.sessions == 0 }
        session.close()
    }

    @Test("A server ends a session whose client takes nothing of an answer")
    func clientTakesNothing() async throws {
        let (fixture, member) = try await fixture()
        let network = MemoryNetwork(fixture.server, capacity: 1)
        let session = try await fixture.connect(member, over: network)
        let frontier = try await SessionPeer(session, for: member.log, remembers: false).greetAndAsk(member)
        let request = SegmentRequest(journal: fixture.founder.log.journal, wanted: frontier.heads, held: [])
        let (released, release) = AsyncStream<Never>.makeStream()
        let taking = Task { try await MessagePeer(session).segments(request) { _ in for await _ in released {} } }
        let passed = try await pass { fixture.server.connections.sessions == 0 }
        #expect(passed >= .seconds(10))
        release.finish()
        #expect(await failure { try await taking.value } != nil)
    }

    @Test(
        "A server closes the connection of a client that it refused soon after, and of one that does not ask why it was revoked in 120 seconds",
        arguments: [false, true])
    func turnedAway(isRevoked: Bool) async throws {
        let (fixture, member) = try await fixture()
        if isRevoked { try await fixture.founder.log.revoke(member.id) }
        let client = try await RawClient(fixture.network)
        let key = isRevoked ? try member.log.publicKey() : client.identity.publicKey
        let hello = client.hello(fixture.founder.log.journal, key: key)
        try await client.send(.clientHello(hello))
        guard case .serverHello(let answer) = try await client.receive() else {
            Issue.record("no hello")
            return
        }
        var transcript = SessionTranscript(clientHello: hello, serverHello: answer)
        transcript.add([])
        // Another signature than its own is refused.
        let signature = try #require(try member.log.sign(transcript.digest, as: .client, with: member.log.publicKey()))
        try await client.send(.clientProof(claims: [], signature: signature))
        let isClosed = Atomic(false)
        let hearing = Task {
            defer { isClosed.store(true, ordering: .relaxed) }
            return try await client.rest()
        }
        let passed = try await pass { isClosed.load(ordering: .relaxed) }
        let heard = try await hearing.value
        #expect(heard.count == 1)
        try await eventually { fixture.server.connections == (0, 0) }
        if isRevoked {
            guard case .welcome = heard.first else {
                Issue.record("\(heard)")
                return
            }
            #expect(passed >= .seconds(120) && passed <= .seconds(135))
        } else {
            #expect(heard == [.refusal(code: "notAuthorized", message: SessionServer.refusal)])
            // The pause before the refusal, and the two seconds after it; the greeting alone may take ten.
            #expect(passed <= .seconds(10))
        }
    }

    // MARK: Clients

    /// What a server does with a session that was admitted.
    enum Server: String, CaseIterable, CustomTestStringConvertible {
        /// Takes the request and answers nothing but pings.
        case pongs
        /// Takes the request and answers nothing, pings neither, as a process that is stopped.
        case isFrozen
        /// Takes no frame.
        case takesNothing
        /// Sends notices without end.
        case notices
        /// Sends further responses without end after a stop.
        case goesOn
        /// Begins a response and does not go on with it.
        case stopsWithin

        var testDescription: String { rawValue }
    }

    @Test("A client ends a session whose server keeps it waiting, or sends without end", arguments: Server.allCases)
    func servers(server: Server) async throws {
        let part = [UInt8](repeating: 7, count: 4 << 20)
        let sent = Atomic(0)
        let network = MemoryNetwork(capacity: server == .takesNothing ? 0 : 1) { port in
            do {
                if server == .takesNothing {
                    // The pipe takes nothing either.
                    for await _ in AsyncStream<Never>.makeStream().stream {}
                    return
                }
                while let frame = try await port.receive().map({ try SessionFrame($0) }) {
                    switch (server, frame) {
                    case (.pongs, .ping(let number)): try await port.send(SessionFrame.pong(number).encoded())
                    case (.notices, .request):
                        let notice = SessionNotice(.empty, holes: nil)
                        while true {
                            try await port.send(SessionFrame.notice(notice).encoded())
                            await Task.yield()
                        }
                    case (.goesOn, .request):
                        while true {
                            try await port.send(SessionFrame.response(part).encoded())
                            sent.add(part.count, ordering: .relaxed)
                            await Task.yield()
                        }
                    default: break
                    }
                }
            } catch {}
        }
        let connection = SessionConnection(try await network.connect(), SessionLimits(), time.dependencies)
        if server == .stopsWithin { network.isWithinFrame = true }
        struct Enough: Error {}
        let calling = Task {
            try await connection.call([UInt8](repeating: 1, count: 100)) { _ in
                if server == .goesOn { throw Enough() }
            }
        }
        let passed = try await pass { connection.failure != nil }
        #expect(await failure { try await calling.value } != nil)
        #expect((connection.failure as? ExchangeError)?.code == .cut, "\(String(describing: connection.failure))")
        switch server {
        case .pongs: #expect(passed >= .seconds(120) && passed <= .seconds(600))
        case .isFrozen: #expect(passed >= .seconds(20) && passed < .seconds(120))
        case .takesNothing, .stopsWithin: #expect(passed >= .seconds(10) && passed <= .seconds(300))
        case .notices: break
        case .goesOn:
            #expect(sent.load(ordering: .relaxed) <= SessionConnection.mostAfterStop + 4 * part.count)
        }
        network.cutAll()
    }

    @Test("A client waits as long as a server says that messages of its request come, at most once for each")
    func slowRequest() async throws {
        let network = MemoryNetwork { [time] port in
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        while let frame = try await port.receive().map({ try SessionFrame($0) }) {
                            if case .ping(let number) = frame {
                                try await port.send(SessionFrame.pong(number).encoded())
                            }
                        }
                    }
                    group.addTask {
                        while true {
                            try await time.dependencies.sleep(.seconds(100))
                            try await port.send(SessionFrame.pong(SessionFrame.partArrived).encoded())
                        }
                    }
                    try await group.waitForAll()
                }
            } catch {}
        }
        let connection = SessionConnection(try await network.connect(), SessionLimits(), time.dependencies)
        let calling = Task {
            try await connection.call([.part(.frontierRequest), .part(.frontierRequest), .frontierRequest]) { _ in }
        }
        let passed = try await pass { connection.failure != nil }
        #expect(await failure { try await calling.value } != nil)
        #expect(passed >= .seconds(300) && passed <= .seconds(600))
        network.cutAll()
    }

    @Test(
        "A frozen server is noticed within a minute although an edit of 20 KB is on its way, and later if the greeting was slow",
        arguments: [Duration.zero, .seconds(8)])
    func frozenWithEdit(greeting: Duration) async throws {
        let fixture = try await SessionFixture(time: time)
        let member = try await fixture.replica("member")
        fixture.network.setHook { [time] _, _, number in
            // The server's hello.
            if number == 1 { try? await time.dependencies.sleep(greeting) }
            return .arrives
        }
        let connecting = Task { try await fixture.connect(member) }
        if greeting > .zero { try await eventually { time.due.contains(greeting) } }
        time.advance(by: greeting)
        let session = try await connecting.value
        fixture.network.isSilent = true
        let calling = Task { try await session.call([UInt8](repeating: 1, count: 20_000)) { _ in } }
        let passed = try await pass { session.failure != nil }
        #expect(await failure { try await calling.value } != nil)
        if greeting == .zero {
            #expect(passed >= .seconds(20) && passed <= .seconds(50))
        } else {
            // The server, which hears nothing either, closes the connection after a minute.
            #expect(passed > .seconds(50) && passed <= .seconds(600))
        }
        fixture.network.cutAll()
    }

    @Test("Messages may be on their way as long as the slowest of the session was, four times over, and within bounds")
    func pace() {
        var pace = RequestPace(.seconds(1), atMost: .seconds(10))
        #expect(pace.allowance == .zero)
        pace.sends(8 << 10, at: .zero)
        #expect(pace.allowance == .seconds(32))
        // What was measured counts instead of the greeting.
        pace.arrived(at: .seconds(2), isLast: true)
        #expect(pace.allowance == .seconds(8))
        pace.sends(500, at: .seconds(10))
        #expect(pace.allowance == .zero)
        pace.arrived(at: .seconds(100), isLast: true)
        // The second message is on its way from when the first one has come.
        pace.sends(100 << 10, at: .seconds(100))
        pace.sends(1 << 10, at: .seconds(101))
        #expect(pace.allowance == .seconds(32))
        pace.arrived(at: .seconds(132), isLast: false)
        #expect(pace.allowance == .seconds(128))
        pace.arrived(at: .seconds(132 + 320), isLast: true)
        #expect(pace.allowance == .seconds(320))
    }
}
