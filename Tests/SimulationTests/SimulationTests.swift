import Simulation
import Testing

/// Replicas that write, meet, crash, restart, have clocks that are off, lose messages, are copied and restored.
@Suite("Simulations")
struct SimulationTests {
    private static let chunk: UInt64 = 50

    @Test(
        "After healing all have the same commits and views, and nothing acknowledged is lost (X1, X2, X4, V1, V3, L2)",
        arguments: stride(from: 1, to: 2001, by: 50).map { UInt64($0) })
    func allEndEqual(firstSeed: UInt64) async throws {
        for seed in firstSeed..<firstSeed + Self.chunk {
            let result = await Simulation.result(of: Scenario(seed: seed))
            guard let failure = result.failure else { continue }
            let shortest = await Shrinker.shortest(failure.scenario, limit: 100) {
                await Simulation.result(of: $0).failure != nil
            }
            let trace = await Simulation.result(of: shortest).failure ?? failure
            Issue.record("\(trace)")
            return
        }
    }
}
