import EventLog
import Events
import Foundation
import LMDB
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("A folder of journals", .timeLimit(.minutes(10)))
struct JournalFolderTests {
    @Test("A founder begins its journal in an empty folder, and members get all of it and add to it")
    func beginning() async throws {
        let hub = HubFixture(.anyone)
        let founder = try await HubFixture.founder()
        let member = try await HubFixture.member("member", of: founder)
        let report = try await hub.exchange(founder)
        #expect(report.sent.commits == 4 && report.peer.name == "hub" && report.peer.replica != founder.id)
        try await member.write(3)
        try await hub.exchange(member)
        #expect(try await hub.exchange(founder).received.commits == 4)
        try await expectEqual([founder, member])
        #expect(try await hub.hashes(founder.log.journal) == Set(try founder.hashes()))
        #expect(try hub.folder.journals() == [founder.log.journal])
    }

    @Test("Who may begin a journal is the operator's to say; who may not finds nothing, and leaves nothing behind")
    func beginners() async throws {
        let founder = try await HubFixture.founder()
        let key = try founder.log.publicKey()
        let lists: [(Beginners, Bool)] = [
            (.nobody, false), (.listed(), false), (.listed(journals: [founder.log.journal]), true),
            (.listed(replicas: [founder.id]), true), (.listed(publicKeys: [key]), true), (.anyone, true),
            (.listed(journals: [Lines.journal], replicas: [ReplicaID(publicKey: [])], publicKeys: [[1]]), false),
        ]
        for (beginners, isAllowed) in lists {
            let hub = HubFixture(beginners)
            #expect(await hub.refusal(founder) == (isAllowed ? nil : "notAuthorized"))
            #expect(try hub.folder.journals().isEmpty == !isAllowed)
        }
    }

    @Test("Members of one journal are strangers to another, and no client learns which there are")
    func manyJournals() async throws {
        let hub = HubFixture(.listed())
        var founders: [TestReplica] = []
        let open = HubFixture(.anyone, in: hub.place)
        for number in 0..<4 { founders.append(try await HubFixture.founder("founder \(number)")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for founder in founders { group.addTask { try await open.exchange(founder) } }
            try await group.waitForAll()
        }
        await open.folder.close()
        try await open.rest()
        for (index, founder) in founders.enumerated() {
            #expect(try await hub.exchange(founder).sent.commits == 0)
            let other = founders[(index + 1) % 4].log.journal
            let refused = await failure {
                let stranger = try TestReplica("stranger")
                _ = try await SessionClient.connect(hub.network, as: stranger.log, journal: other)
            }
            #expect(code(refused) == "notAuthorized")
        }
        #expect(try hub.folder.journals().count == 4)
    }

    @Test(
        "Any member fills a folder that was lost, however often it is cut off meanwhile, and it is another replica then"
    )
    func refilling() async throws {
        let founder = try await HubFixture.founder()
        let (ana, ben) = (
            try await HubFixture.member("ana", of: founder), try await HubFixture.member("ben", of: founder)
        )
        let first = HubFixture(.anyone)
        let former = try await first.exchange(founder).peer.replica
        for replica in [ana, ben] {
            try await replica.write(2)
            // A signature ends a segment.
            try await first.exchange(replica)
        }
        for replica in [ana, founder] { try await first.exchange(replica) }
        try await first.wipe()
        let hub = HubFixture(.listed(journals: [founder.log.journal]))
        for cut in 3..<40 {
            let isCut = Mutex(false)
            hub.network.setHook { _, _, number in
                guard number >= cut else { return .arrives }
                isCut.withLock { $0 = true }
                return .cut
            }
            // Ana begins it, Ben goes on, in turn.
            _ = await hub.refusal(cut % 2 == 0 ? ana : ben)
            if !isCut.withLock({ $0 }) { break }
        }
        hub.network.setHook { _, _, _ in .arrives }
        let report = try await hub.exchange(ana)
        #expect(report.peer.replica != former)
        for replica in [ben, founder, ana] { try await hub.exchange(replica) }
        try await expectEqual([founder, ana, ben])
        #expect(try await hub.hashes(founder.log.journal) == Set(try founder.hashes()))
    }

    @Test("A successor of a member, and a guest with an invitation, fill it as well")
    func successorsAndGuests() async throws {
        let founder = try await HubFixture.founder()
        let member = try await HubFixture.member("member", of: founder)
        try await member.exchange(with: LogPeer(founder.log))
        try await member.write(1)
        let successor = try await member.succeeded(as: "successor")
        let hub = HubFixture(.anyone)
        try await hub.exchange(successor)
        #expect(try await hub.hashes(founder.log.journal) == Set(try successor.hashes()))
        let guest = try TestReplica("guest")
        try await guest.log.join(try await founder.log.invite(.write))
        try await guest.exchange(with: LogPeer(founder.log))
        let other = HubFixture(.anyone)
        try await other.exchange(guest)
        #expect(try await other.hashes(founder.log.journal) == Set(try guest.hashes()))
    }

    @Test("What a replica may make it store is bounded, and others are not concerned")
    func quotas() async throws {
        let hub = HubFixture(.anyone) { $0.quotas.bytesADay = 20_000 }
        let founder = try await HubFixture.founder()
        let member = try await HubFixture.member("member", of: founder)
        try await hub.exchange(founder)
        try await member.exchange(with: LogPeer(founder.log))
        for _ in 0..<5 {
            try await member.write(1, bytes: 8000)
            try await member.log.signHead()
        }
        #expect(await hub.refusal(member) == "refused")
        try await founder.write(1)
        #expect(try await hub.exchange(founder).sent.commits == 1)
        let held = try await hub.hashes(founder.log.journal)
        #expect(Set(try founder.hashes()).isSubset(of: held))
        #expect(!Set(try member.hashes()).isSubset(of: held))
    }

    @Test("A log is closed when nobody has used it for a while, and opened again; and at most so many are open")
    func idle() async throws {
        let time = ManualTime()
        let hub = HubFixture(.anyone, time: time.dependencies) { $0.openLogs = 2 }
        var founders: [TestReplica] = []
        for number in 0..<4 {
            founders.append(try await HubFixture.founder("founder \(number)"))
            try await hub.exchange(founders[number])
            try await hub.rest()
            time.advance(by: .seconds(1))
        }
        #expect(await hub.folder.openJournals.count == 2)
        try await eventually {
            time.advance(by: .seconds(60))
            return await hub.folder.openJournals == []
        }
        for founder in founders { #expect(try await hub.exchange(founder).sent.commits == 0) }
        // Those that are in use are not closed for others.
        let sessions = [try await hub.connect(founders[0]), try await hub.connect(founders[1])]
        #expect(await hub.refusal(founders[2]) == "notAuthorized")
        sessions[0].close()
        try await eventually { hub.server.connections.sessions == 1 }
        try await eventually { await hub.refusal(founders[2]) == nil }
        #expect(sessions[1].failure == nil)
    }

    @Test("No more journals are begun than may be")
    func mostJournals() async throws {
        let hub = HubFixture(.anyone) { $0.journals = 1 }
        let (one, two) = (try await HubFixture.founder("one"), try await HubFixture.founder("two"))
        try await hub.exchange(one)
        #expect(await hub.refusal(two) == "notAuthorized")
        #expect(try hub.folder.journals() == [one.log.journal])
    }

    @Test("A journal that nobody founded is served to all who may begin it, and know its id")
    func unfounded() async throws {
        let hub = HubFixture(.anyone)
        let (one, two) = try twoReplicas()
        try await one.write(2)
        try await two.write(2)
        for replica in [one, two, one] { try await hub.exchange(replica) }
        try await expectEqual([one, two])
    }
}
