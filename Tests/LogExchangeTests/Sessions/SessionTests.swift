import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("Sessions", .timeLimit(.minutes(10)))
struct SessionTests {
    @Test("A member and the server prove their keys, and exchange over one connection")
    func members() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        try await member.write(2)
        let session = try await fixture.connect(member)
        #expect(session.server == fixture.founder.id && session.replica == member.id)
        #expect(session.journal == fixture.founder.log.journal)
        let peer = SessionPeer(session, for: member.log, remembers: false)
        #expect(try await member.exchange(with: peer).sent.commits == 3)
        try await fixture.founder.write(1)
        #expect(try await member.exchange(with: peer).received.commits == 1)
        #expect(fixture.network.connectionCount == 1)
        try await expectEqual([fixture.founder, member])
        session.close()
        try await eventually { fixture.server.connections == (0, 0) }
    }

    @Test("A replica that holds nothing takes the journal, by the id that it was told or without one")
    func cloning() async throws {
        let fixture = try await SessionFixture()
        for name in ["told", "not told"] {
            let clone = try TestReplica(name, founding: true)
            try await fixture.founder.log.grant(.write, to: clone.id)
            let network = MemoryNetwork(
                fixture.server, journal: name == "told" ? fixture.founder.log.journal : nil)
            let session = try await SessionClient.connect(network, as: clone.log)
            try await clone.exchange(with: SessionPeer(session, for: clone.log, remembers: false))
            try await expectEqual([fixture.founder, clone])
        }
    }

    @Test("The holder of an invitation is admitted, and is a member once its request is there")
    func invited() async throws {
        let fixture = try await SessionFixture()
        let guest = try TestReplica("guest")
        try await guest.log.join(try await fixture.founder.log.invite(.write))
        try await fixture.exchange(guest)
        #expect(try guest.log.membership()?.role(of: guest.id) == .write)
        try await expectEqual([fixture.founder, guest])
    }

    @Test("Two that share a key, because one is a copy that does not know it, still meet and part")
    func copies() async throws {
        let fixture = try await SessionFixture()
        let copy = try fixture.founder.copied(as: "copy")
        try await copy.write(1)
        try await fixture.founder.write(1)
        let connect = { @Sendable in try await fixture.connect(copy) }
        let peer = SessionPeer(try await connect(), for: copy.log, remembers: false, reconnecting: connect)
        try await copy.exchange(with: peer)
        #expect(copy.id != fixture.founder.id)
        try await expectEqual([fixture.founder, copy])
    }

    @Test("A session is that of one replica: greeting or acknowledging as another is refused")
    func ownNameOnly() async throws {
        let fixture = try await SessionFixture()
        let (member, other) = (try await fixture.replica("member"), try await fixture.replica("other"))
        let channel = MessagePeer(try await fixture.connect(member))
        let refusal = await failure { _ = try await channel.greet(other.log.greeting().greeting) } as? ExchangeError
        #expect(refusal?.refusal == "notAuthorized")
        _ = try await channel.greet(member.log.greeting().greeting)
        let wrong = await failure { try await channel.acknowledge(try await other.log.acknowledgement()) }
        #expect((wrong as? ExchangeError)?.refusal == "notAuthorized")
    }

    @Test("When the server goes on as another replica its sessions end, and clients connect again")
    func serverChanges() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        let session = try await fixture.connect(member)
        let copy = try fixture.founder.copied(as: "copy")
        try await copy.write(1)
        try await fixture.founder.write(1)
        let former = fixture.founder.id
        try await fixture.founder.exchange(with: LogPeer(copy.log))
        #expect(fixture.founder.id != former)
        try await eventually { session.failure != nil }
        #expect((session.failure as? ExchangeError)?.code == .identityChanged)
        let next = try await fixture.connect(member)
        #expect(next.server == fixture.founder.id)
    }
}
