import EventLog
import Events
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("A server of sessions that drains", .timeLimit(.minutes(10)))
struct DrainingTests {
    @Test("ends sessions that rest, and those that are not admitted yet, and takes no further ones")
    func resting() async throws {
        let fixture = try await SessionFixture()
        let (member, other) = (try await fixture.replica("member"), try await fixture.replica("other"))
        let session = try await fixture.connect(member)
        let silent = try await RawClient(fixture.network)
        try await eventually { fixture.server.connections == (1, 1) }
        fixture.server.drain()
        try await eventually { fixture.server.connections == (0, 0) }
        try await eventually { session.failure != nil }
        #expect(try await silent.rest() == [])
        await #expect(throws: (any Error).self) { try await fixture.connect(other) }
        #expect(fixture.server.connections == (0, 0))
    }

    @Test("lets a request be answered that is being carried out, and what it stored is acknowledged")
    func busy() async throws {
        var fixture = try await SessionFixture()
        let outcomes = Mutex<[SessionOutcome]>([])
        let member = try await fixture.replica("member")
        let drained = Atomic(false)
        fixture.serve { server in
            let draining = server
            server.observe = { event in
                switch event {
                // Stored, and not acknowledged yet.
                case .stored:
                    draining.drain()
                    drained.store(true, ordering: .relaxed)
                case .ended(_, _, let outcome): outcomes.withLock { $0.append(outcome) }
                default: break
                }
            }
        }
        try await member.write(5)
        let report = try? await fixture.exchange(member)
        let wasDrained = drained.load(ordering: .relaxed)
        #expect(wasDrained)
        #expect(report == nil || report?.sent.commits == 5)
        let held = try await fixture.founder.frontier()
        #expect(held.heads.contains { $0.replica == member.id })
        try await eventually { outcomes.withLock { $0 } == [.drained] }
    }

    @Test("ends a long answer after a segment, and another server goes on from there")
    func longAnswer() async throws {
        let fixture = try await SessionFixture()
        // Several segments: each ends with a signature.
        for _ in 0..<6 {
            try await fixture.founder.write(1, bytes: 50_000)
            try await fixture.founder.log.signHead()
        }
        let member = try await fixture.replica("member")
        let server = fixture.server
        let network = fixture.network
        let seen = Atomic(0)
        network.setHook { _, direction, _ in
            if direction == .toClient, seen.add(1, ordering: .relaxed).newValue == 6 { server.drain() }
            return .arrives
        }
        await #expect(throws: (any Error).self) { try await fixture.exchange(member) }
        try await eventually { server.connections == (0, 0) }
        // The same log, by a server that does not drain.
        let next = SessionFixture.server(SingleLogHost(fixture.founder.log))
        network.setHook { _, _, _ in .arrives }
        network.setServer { await next.serve($0) }
        try await fixture.exchange(member)
        try await expectEqual([fixture.founder, member])
    }
}
