import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("Strangers at a folder of journals", .timeLimit(.minutes(10)))
struct JournalStrangerTests {
    @Test("Nothing is stored of a journal but what its id vouches for, until who pushes is a member")
    func onlyMembership() async throws {
        let founder = try await HubFixture.founder()
        let member = try await HubFixture.member("member", of: founder)
        let stranger = try TestReplica("stranger", journal: founder.log.journal)
        try await member.write(2)
        try await member.exchange(with: LogPeer(founder.log))
        // It got everything by a way around the server.
        for segment in try await founder.allSegments() { try await stranger.log.store(segment) }
        try await stranger.write(2)
        let hub = HubFixture(.anyone)
        #expect(await hub.refusal(stranger) == "refused")
        let lines = try await founder.allSegments().filter { $0.replica == founder.id }
        #expect(try await hub.hashes(founder.log.journal).count == lines.reduce(0) { $0 + $1.commits.count })
        // A line of the stranger's own alone, or a member's without the founder's, does not begin it.
        let other = HubFixture(.anyone)
        let peer = SessionPeer(try await other.connect(stranger), for: stranger.log, remembers: false)
        _ = try await peer.greet(stranger.log.greeting().greeting)
        for segment in try await stranger.allSegments() where segment.replica != founder.id {
            #expect(
                (await failure { _ = try await peer.store([segment]) } as? ExchangeError)?.refusal == "notAuthorized")
        }
        peer.session.close()
        try await other.rest()
        try await eventually { try other.folder.journals() == [] }
        // The founder finds its place.
        try await hub.exchange(founder)
        try await other.exchange(founder)
        #expect(try await hub.hashes(founder.log.journal) == Set(try founder.hashes()))
    }

    @Test("A stranger that begins a journal reads nothing of it, neither before nor after a member came")
    func strangerReadsNothing() async throws {
        let founder = try await HubFixture.founder()
        let stranger = try TestReplica("stranger", journal: founder.log.journal)
        for segment in try await founder.allSegments() { try await stranger.log.store(segment) }
        let hub = HubFixture(.anyone)
        let peer = SessionPeer(try await hub.connect(stranger), for: stranger.log, remembers: false)
        _ = try await peer.greet(stranger.log.greeting().greeting)
        let held = try await stranger.frontier()
        let acknowledged = try await peer.store(try await stranger.allSegments().filter { $0.replica == founder.id })
        #expect(acknowledged.frontier.heads.allSatisfy { held.heads.contains($0) })
        let request = SegmentRequest(journal: founder.log.journal, wanted: held.heads, held: [])
        #expect(
            (await failure { try await peer.segments(request) { _ in } } as? ExchangeError)?.refusal == "notAuthorized")
        // The founder comes with more, while the stranger asks again and again.
        try await founder.write(5)
        let asked = Mutex<[Frontier]>([])
        let asking = Task {
            while true {
                let frontier = try await peer.frontier()
                asked.withLock { $0.append(frontier) }
            }
        }
        try await hub.exchange(founder)
        #expect(await failure { _ = try await asking.value } != nil)
        #expect(asked.withLock { $0 }.allSatisfy { $0.heads.allSatisfy { held.heads.contains($0) } })
        #expect(await hub.refusal(stranger) == "notAuthorized")
        #expect(hub.server.connections.sessions == 0)
        _ = hub.network.takeFrames()
    }

    @Test("A stranger keeps no founder away, whether it says nothing, or pushes what it has")
    func founderComesIn() async throws {
        let founder = try await HubFixture.founder()
        let stranger = try TestReplica("stranger", journal: founder.log.journal)
        let first = try #require(try await founder.allSegments().first)
        try await founder.write(2)
        let hub = HubFixture(.anyone)
        let waiting = try await hub.connect(stranger)
        try await hub.exchange(founder)
        waiting.close()
        let other = HubFixture(.anyone)
        let peer = SessionPeer(try await other.connect(stranger), for: stranger.log, remembers: false)
        _ = try await peer.greet(stranger.log.greeting().greeting)
        _ = try await peer.store([first])
        try await other.exchange(founder)
        #expect(try await other.hashes(founder.log.journal) == Set(try founder.hashes()))
    }

    @Test("Strangers that only begin journals keep no member away from a full server")
    func fullOfStrangers() async throws {
        let founder = try await HubFixture.founder()
        let place = TemporaryFolder()
        let hub = HubFixture(.anyone, in: place)
        try await hub.exchange(founder)
        try await hub.rest()
        var limits = SessionLimits.patient
        limits.sessions = 3
        let network = MemoryNetwork(SessionFixture.server(hub.folder, limits: limits))
        var strangers: [SessionClient] = []
        for number in 0..<3 {
            let stranger = try TestReplica("stranger \(number)", founding: true)
            strangers.append(
                try await SessionClient.connect(
                    network, as: stranger.log, journal: stranger.log.journal, limits: .patient))
        }
        let session = try await SessionClient.connect(network, as: founder.log, limits: .patient)
        try await eventually { strangers.map { $0.failure == nil } == [false, true, true] }
        #expect(session.failure == nil)
    }
}
