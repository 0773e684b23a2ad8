import FaultTesting
import Foundation
import Testing

@Suite("A hub that is killed, or used by hostile clients", .timeLimit(.minutes(5)))
struct HubTrialTests {
    @Test("Replicas that write meanwhile hold the same in the end, with all that was acknowledged, once")
    func kills() async throws {
        let folder = ScratchFolder()
        let trial = HubKillTrial(in: folder.path, kills: 3, writers: 4, seed: 1)
        let outcome = try await trial.run()
        #expect(outcome.failures == [])
        #expect(outcome.kills == 3 && outcome.written > 0)
    }

    @Test("Members beside hostile clients of each kind are served and lose nothing, and the hub's memory stays bounded")
    func hostileClients() async throws {
        let folder = ScratchFolder()
        let trial = HostileTrial(
            in: folder.path, clients: 12, writers: 3, memory: 64 << 20, duration: .seconds(20), seed: 1)
        let outcome = try await trial.run()
        #expect(outcome.failures == [])
        #expect(outcome.written > 0 && outcome.exchanges.count > 0)
        #expect(outcome.clients.count == 6 && outcome.connections > 6, "\(outcome.clients)")
    }
}
