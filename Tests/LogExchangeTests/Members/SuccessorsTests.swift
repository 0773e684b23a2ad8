import EventLog
import Events
import StoreSupport
import Testing

@testable import LogExchange

/// Successors of a member, before the server holds their first commits, and invitations that are no longer valid.
@Suite("Which peers the server of a founded journal serves")
struct SuccessorsTests {
    /// A founder, and a member that it knows.
    private static func founderAndMember() async throws -> (founder: TestReplica, member: TestReplica) {
        let founder = try TestReplica("founder", founding: true)
        try await founder.write(1)
        let member = try TestReplica("member", journal: founder.log.journal)
        try await founder.log.grant(.write, to: member.id)
        try await member.write(1)
        try await Carrier.inProcess.exchange(founder, member)
        return (founder, member)
    }

    private static func exchange(_ replica: TestReplica, _ server: TestReplica) async throws {
        try await replica.exchange(
            with: MessagePeer(
                LoopbackChannel(MessageServer(server.log, authorizer: MemberAuthorizer(server.log)))))
    }

    private static func refusal(_ replica: TestReplica, _ server: TestReplica) async -> String? {
        (await failure { try await exchange(replica, server) } as? ExchangeError)?.refusal
    }

    private static func isServed(_ greeting: Greeting, by server: TestReplica) async -> Bool {
        await failure { try await MemberAuthorizer(server.log).authorize(greeting, to: .read) } == nil
    }

    @Test("A restored member is served, though the server does not know its new id", arguments: 1...3)
    func successors(links: Int) async throws {
        let (founder, member) = try await Self.founderAndMember()
        var last = member
        for link in 1...links {
            last = try await last.succeeded(as: "restored \(link)")
            try await last.write(1)
        }
        #expect(try founder.log.membership()?.members[last.id] == nil)
        #expect(try last.log.handovers().map(\.successor).last == last.id)
        try await Self.exchange(last, founder)
        #expect(try founder.log.membership()?.role(of: last.id) == .write)
        try await expectEqual([founder, last])
    }

    @Test("A device that learns during an exchange that it is a copy continues it under its new id")
    func renewedMeanwhile() async throws {
        let (founder, member) = try await Self.founderAndMember()
        let copy = try member.copied(as: "copy")
        try await member.write(1)
        try await Carrier.inProcess.exchange(founder, member)
        try await Self.exchange(copy, founder)
        #expect(copy.id != member.id)
        // And before it has written anything.
        try await Self.exchange(copy, founder)
        try await copy.write(1)
        try await Self.exchange(copy, founder)
        #expect(try founder.log.membership()?.role(of: copy.id) == .write)
        try await expectEqual([founder, copy])
    }

    @Test("Links that are forged, missing or of another journal lead nowhere")
    func forged() async throws {
        let (founder, member) = try await Self.founderAndMember()
        let last = try await member.succeeded(as: "restored").succeeded(as: "restored again")
        let greeting = try await last.log.greeting().greeting
        try #require(greeting.handovers.count == 2)
        #expect(await Self.isServed(greeting, by: founder))
        let links = greeting.handovers
        let broken = RoleHandover(
            formerKey: links[0].formerKey, successorKey: links[0].successorKey, signature: links[1].signature)
        let stranger = RoleHandover(
            formerKey: links[0].formerKey, successorKey: links[1].successorKey, signature: links[0].signature)
        for wrong in [[], [links[0]], [links[1]], links.reversed(), [broken, links[1]], [stranger]] {
            var changed = greeting
            changed.handovers = wrong
            #expect(await !Self.isServed(changed, by: founder), "\(wrong.count) links")
        }
        var other = greeting
        other.replica = ReplicaID(publicKey: [1, 2, 3])
        #expect(await !Self.isServed(other, by: founder))
        let elsewhere = try TestReplica("elsewhere", founding: true)
        try await elsewhere.write(1)
        try await elsewhere.log.grant(.write, to: member.id)
        #expect(await !Self.isServed(greeting, by: elsewhere))
    }

    @Test("A revoked replica passes on no rights, nor does its successor")
    func revoked() async throws {
        let (founder, member) = try await Self.founderAndMember()
        let second = try await member.succeeded(as: "restored")
        try await second.write(1)
        let third = try await second.succeeded(as: "restored again")
        // The nearest predecessor that the server knows decides.
        try await Self.exchange(second, founder)
        try await founder.log.revoke(second.id)
        #expect(await Self.refusal(third, founder) == "notAuthorized")
        #expect(await Self.refusal(second, founder) == "notAuthorized")
        try await Self.exchange(member, founder)
        try await founder.log.revoke(member.id)
        let other = try await member.copied(as: "other").succeeded(as: "of the other")
        #expect(await Self.refusal(other, founder) == "notAuthorized")
    }

    @Test("A restored replica's earlier request applies to its successor")
    func askedBefore() async throws {
        let (founder, _) = try await Self.founderAndMember()
        let guest = try TestReplica("guest", journal: founder.log.journal)
        try await guest.log.join(try await founder.log.invite(.write))
        let restored = try await guest.succeeded(as: "restored")
        try await restored.write(1)
        try await Self.exchange(restored, founder)
        #expect(try founder.log.membership()?.role(of: restored.id) == .write)
        try await Self.exchange(restored, founder)
        try await expectEqual([founder, restored])
    }

    @Test("An invitation opens the server until it has expired, by the server's clock")
    func expired() async throws {
        let (founder, _) = try await Self.founderAndMember()
        let expiry = founder.clock.now + 1000
        let code = try await founder.log.invite(.write, expiry: expiry, uses: 2)
        let (early, late) = (
            try TestReplica("early", journal: founder.log.journal),
            try TestReplica("late", journal: founder.log.journal)
        )
        for guest in [early, late] { try await guest.log.join(code) }
        founder.clock.now = expiry
        try await Self.exchange(early, founder)
        founder.clock.now = expiry + 1
        #expect(await Self.refusal(late, founder) == "notAuthorized")
        // Nor may a replica exchange further that asked in time and was not granted.
        try await Carrier.inProcess.exchange(late, founder)
        #expect(try founder.log.membership()?.requests[late.id] != nil)
        #expect(await Self.refusal(late, founder) == "notAuthorized")
    }

    @Test("An invitation that was used as often as it may be opens nothing")
    func usedUp() async throws {
        let (founder, _) = try await Self.founderAndMember()
        let code = try await founder.log.invite(.write, uses: 2)
        for number in 1...3 {
            let guest = try TestReplica("guest \(number)", journal: founder.log.journal)
            try await guest.log.join(code)
            #expect(await Self.refusal(guest, founder) == (number == 3 ? "notAuthorized" : nil))
        }
    }
}
