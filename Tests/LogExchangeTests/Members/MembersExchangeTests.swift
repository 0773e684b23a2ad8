import EventLog
import Events
import Foundation
import LogExchange
import StoreSupport
import Testing

@Suite("Members over every carrier")
struct MembersExchangeTests {
    /// A founder that has written, and others of its journal.
    private func replicas(_ count: Int, over carrier: Carrier) async throws -> [TestReplica] {
        let founder = try TestReplica("founder", over: carrier, founding: true)
        try await founder.write(1)
        return [founder]
            + (try (1..<count).map { try TestReplica("replica \($0)", journal: founder.log.journal, over: carrier) })
    }

    private func role(of replica: TestReplica, at other: TestReplica) throws -> MemberRole? {
        try other.log.membership()?.role(of: replica.id)
    }

    @Test(
        "A replica that redeems an invitation is a member after an exchange with an admin's replica",
        arguments: Carrier.allCases)
    func redemption(carrier: Carrier) async throws {
        let replicas = try await replicas(2, over: carrier)
        let (founder, guest) = (replicas[0], replicas[1])
        try await guest.log.join(try await founder.log.invite(.write))
        try await guest.write(2)
        // The request goes there, and the grant comes back: at once, or with the next bundle or fetch.
        try await carrier.exchange(guest, founder)
        if [.bundle, .sharedTable, .database].contains(carrier) { try await carrier.exchange(founder, guest) }
        #expect(try role(of: guest, at: founder) == .write && role(of: guest, at: guest) == .write)
        try await carrier.exchange(guest, founder)
        try await expectEqual([founder, guest])
    }

    @Test(
        "A member that is no admin carries requests and grants between replicas that never meet",
        arguments: Carrier.open)
    func carried(carrier: Carrier) async throws {
        let replicas = try await replicas(3, over: carrier)
        let (founder, courier, guest) = (replicas[0], replicas[1], replicas[2])
        try await founder.log.grant(.write, to: courier.id)
        let code = try await founder.log.invite(.write)
        try await carrier.exchange(founder, courier)
        try await guest.log.join(code)
        try await guest.write(1)
        for (one, other) in [
            (guest, courier), (courier, founder), (courier, founder), (courier, guest), (courier, founder),
        ] {
            try await carrier.exchange(one, other)
        }
        for replica in replicas { #expect(try role(of: guest, at: replica) == .write) }
        for replica in [courier, guest] { try await carrier.exchange(replica, founder) }
        for replica in [courier, guest] { try await carrier.exchange(replica, founder) }
        try await expectEqual(replicas)
    }

    @Test("A stranger's line goes no further than to whom it is offered", arguments: Carrier.open)
    func stranger(carrier: Carrier) async throws {
        let replicas = try await replicas(3, over: carrier)
        let (founder, member, stranger) = (replicas[0], replicas[1], replicas[2])
        try await founder.log.grant(.write, to: member.id)
        try await carrier.exchange(founder, member)
        try await stranger.write(2)
        try await carrier.exchange(stranger, member)
        try await carrier.exchange(member, founder)
        #expect(
            try !founder.log.read { try $0.newestCommits(of: founder.log.journal) }.contains {
                $0.replica == stranger.id
            })
        // Once granted, its line is forwarded everywhere.
        try await founder.log.grant(.write, to: stranger.id)
        for _ in 0..<2 {
            try await carrier.exchange(member, founder)
            try await carrier.exchange(stranger, member)
        }
        try await carrier.exchange(member, founder)
        try await expectEqual(replicas)
    }

    @Test(
        "Revoked while it wrote offline, a replica ends at its cut everywhere, and no exchange fails for it",
        arguments: Carrier.open)
    func revokedOffline(carrier: Carrier) async throws {
        let replicas = try await replicas(3, over: carrier)
        let (founder, member, revoked) = (replicas[0], replicas[1], replicas[2])
        for other in [member, revoked] { try await founder.log.grant(.write, to: other.id) }
        for other in [member, revoked] { try await carrier.exchange(founder, other) }
        try await revoked.write(2)
        try await carrier.exchange(revoked, founder)
        try await founder.log.revoke(revoked.id)
        try await revoked.write(3)
        // A peer without the revocation stores them, and receives it later.
        try await carrier.exchange(revoked, member)
        try await carrier.exchange(member, founder)
        try await carrier.exchange(revoked, founder)
        try await carrier.exchange(revoked, member)
        let frontiers = try await [founder.frontier(), member.frontier(), revoked.frontier()]
        #expect(Set(frontiers).count == 1)
        for replica in replicas {
            let counting = try replica.log.read { log in
                var count = 0
                try log.forEachCommit(after: .start) { commit in
                    if commit.header.replica == revoked.id && commit.counts { count += 1 }
                    return true
                }
                return count
            }
            #expect(counting == 3, "the introduction and two more")
            try replica.expectIntact()
        }
    }

    @Test(
        "A granted replica whose predecessor is revoked is revoked on every replica that learns of it", arguments: 0...2
    )
    func sharedFall(links: Int) async throws {
        let replicas = try await replicas(2, over: .inProcess)
        let (founder, member) = (replicas[0], replicas[1])
        try await founder.log.grant(.write, to: member.id)
        try await member.write(1)
        var last = member
        for link in 0...links {
            last = try await last.succeeded(as: "successor \(link)")
            try await last.write(1)
        }
        try await founder.log.revoke(member.id, cut: [])
        try await founder.log.grant(.write, to: last.id)
        for _ in 0..<2 { try await Carrier.inProcess.exchange(last, founder) }
        for replica in [founder, last] {
            #expect(try replica.log.membership()?.members[last.id]?.isRevoked == true)
            try replica.expectIntact()
        }
        let frontiers = (try await founder.frontier(), try await last.frontier())
        #expect(frontiers.0.heads.contains { $0.replica == last.id })
    }

    @Test("A server serves members and holders of an invitation, and no others")
    func authorizer() async throws {
        let replicas = try await replicas(3, over: .messages)
        let (founder, guest, stranger) = (replicas[0], replicas[1], replicas[2])
        func exchange(_ replica: TestReplica, proven: ReplicaID? = nil) async throws {
            let server = MessageServer(founder.log, authorizer: MemberAuthorizer(founder.log), proven: proven)
            try await replica.exchange(with: MessagePeer(LoopbackChannel(server)))
        }
        try await stranger.write(1)
        func refusal(_ exchange: () async throws -> Void) async -> String? {
            (await failure(of: exchange) as? ExchangeError)?.refusal
        }
        #expect(await refusal { try await exchange(stranger) } == "notAuthorized")
        #expect(try founder.log.read { try $0.newestCommits(of: founder.log.journal).count } == 1)
        try await guest.log.join(try await founder.log.invite(.write))
        #expect(await refusal { try await exchange(guest, proven: stranger.id) } == "notAuthorized")
        try await exchange(guest, proven: guest.id)
        #expect(try role(of: guest, at: guest) == .write)
        try await founder.log.revoke(guest.id)
        #expect(await refusal { try await exchange(guest) } == "notAuthorized")
        // An invitation of another journal is invalid.
        let other = try TestReplica("other", founding: true)
        let elsewhere = try TestReplica("elsewhere", journal: other.log.journal)
        try await elsewhere.log.join(try await other.log.invite(.write))
        #expect(await refusal { try await exchange(elsewhere) } == "notAuthorized")
        for replica in replicas { try replica.expectIntact() }
    }

    @Test(
        "An admin revokes one of lower rank that writes meanwhile, and none of higher rank", arguments: [false, true])
    func rank(isReversed: Bool) async throws {
        let replicas = try await replicas(4, over: .inProcess)
        let (founder, ana, ben, cai) = (replicas[0], replicas[1], replicas[2], replicas[3])
        for other in [ana, ben, cai] { try await founder.log.grant(other === cai ? .write : .admin, to: other.id) }
        for other in [ana, ben, cai] { try await Carrier.inProcess.exchange(founder, other) }
        // Granted first, so of higher rank.
        try await ana.log.revoke(ben.id)
        #expect(code(await failure { try await ben.log.revoke(ana.id) }) == "noEffect")
        let dan = try TestReplica("dan", journal: founder.log.journal)
        try await ben.log.grant(.admin, to: dan.id)
        try await Carrier.inProcess.exchange(ben, dan)
        for other in isReversed ? [ben, dan, ana] : [ana, ben, dan] { try await Carrier.inProcess.exchange(cai, other) }
        for _ in 0..<2 { for other in [founder, ana, ben, dan] { try await Carrier.inProcess.exchange(other, cai) } }
        let admins = try [founder, ana, ben, cai].map { try $0.log.membership()?.admins ?? [] }
        #expect(Set(admins) == [[founder.id, ana.id].sorted()])
        #expect(Set(try await [founder.frontier(), ana.frontier(), ben.frontier(), cai.frontier()]).count == 1)
        for replica in replicas { try replica.expectIntact() }
    }
}
