import EventLog
import Events
import StoreSupport
import Synchronization
import Testing

@testable import LogExchange

@Suite("Tickets of sessions")
struct SessionTicketsTests {
    private static let (one, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))

    @Test("A ticket holds for its replica, at servers with its key, until it ends")
    func holds() throws {
        let now = Mutex<UInt64>(1_000_000)
        let tickets = SessionTickets(key: Self.one) { now.withLock { $0 } }
        let ticket = try #require(tickets.renewed(nil, for: Self.one))
        #expect(ticket.count == SessionTickets.size && tickets.holds(ticket, for: Self.one))
        #expect(!tickets.holds(ticket, for: Self.other))
        #expect(!SessionTickets(key: Self.other) { now.withLock { $0 } }.holds(ticket, for: Self.one))
        for index in ticket.indices {
            var changed = ticket
            changed[index] ^= 1
            #expect(!tickets.holds(changed, for: Self.one))
        }
        #expect(!tickets.holds(ticket + [0], for: Self.one) && !tickets.holds([], for: Self.one))
        // Another is given after half of its time.
        #expect(tickets.renewed(ticket, for: Self.one) == nil)
        now.withLock { $0 += SessionTickets.lifetime / 2 }
        let newer = try #require(tickets.renewed(ticket, for: Self.one))
        #expect(newer != ticket && tickets.holds(ticket, for: Self.one))
        now.withLock { $0 += SessionTickets.lifetime / 2 }
        #expect(!tickets.holds(ticket, for: Self.one) && tickets.holds(newer, for: Self.one))
    }

    @Test(
        "A member is given a ticket, shows it the next time, and is kept while strangers fill the places of those that greet"
    )
    func kept() async throws {
        let fixture = try await SessionFixture(limits: SessionLimits(waitingConnections: 4))
        let member = try await fixture.replica("member")
        try await fixture.exchange(member)
        let ticket = try #require(try member.log.note("ticket/\(fixture.network.address)"))
        #expect(ticket.count == SessionTickets.size)
        let (passing, pass) = AsyncStream<Never>.makeStream()
        let network = MemoryNetwork(fixture.server)
        network.setHook { _, direction, number in
            // The member's proof waits until strangers have come.
            if direction == .toServer, number == 2 { for await _ in passing {} }
            return .arrives
        }
        let connecting = Task { try await fixture.connect(member, over: network) }
        try await eventually { network.takeFrames().ofServer.count == 1 }
        for _ in 0..<20 { _ = try await RawClient(fixture.network) }
        pass.finish()
        let session = try await connecting.value
        #expect(session.failure == nil)
    }

    @Test("Of one replica only as many greetings with a ticket are kept as it may have sessions")
    func bounded() async throws {
        let gate = SessionGate(SessionLimits(waitingConnections: 100, sessionsOfReplica: 2))
        let network = MemoryNetwork { _ in }
        let replica = ReplicaID(publicKey: Self.one)
        var known = 0
        for _ in 0..<5 {
            let number = gate.enter(try await network.connect())
            known += gate.knows(number, replica) ? 1 : 0
        }
        #expect(known == 2)
    }
}
