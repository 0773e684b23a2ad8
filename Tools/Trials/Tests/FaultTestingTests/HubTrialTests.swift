import FaultTesting
import Foundation
import Testing

@Suite("A hub that is killed", .timeLimit(.minutes(5)))
struct HubTrialTests {
    @Test("Replicas that write meanwhile hold the same in the end, with all that was acknowledged, once")
    func kills() async throws {
        let folder = ScratchFolder()
        let trial = HubKillTrial(in: folder.path, kills: 3, writers: 4, seed: 1)
        let outcome = try await trial.run()
        #expect(outcome.failures == [])
        #expect(outcome.kills == 3 && outcome.written > 0)
    }
}
