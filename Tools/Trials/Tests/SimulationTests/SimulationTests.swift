import Simulation
import Testing

/// Replicas that write, exchange, crash, restart, have wrong clocks, lose messages, are copied and restored.
///
/// Two at a time: each keeps a dozen stores open, and all of them at once would take thousands of files. `Tools/simulate` runs
/// 2,000 seeds.
@Suite("Simulations")
struct SimulationTests {
    private static let chunk: UInt64 = 25

    /// Runs seeds one after the other; the first failing scenario is shrunk.
    fileprivate static func expectAllEqual(from first: UInt64) async {
        for seed in first..<first + chunk {
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

    @Suite("Of the first half of the seeds", .serialized)
    struct FirstHalf {
        @Test(
            "After healing all have the same commits and views, and nothing acknowledged is lost (X1, X2, X4, V1, V3, L2)",
            arguments: stride(from: 1, to: 51, by: 25).map { UInt64($0) })
        func allEndEqual(firstSeed: UInt64) async { await expectAllEqual(from: firstSeed) }
    }

    @Suite("Of the second half of the seeds", .serialized)
    struct SecondHalf {
        @Test(
            "After healing all have the same commits and views, and nothing acknowledged is lost (X1, X2, X4, V1, V3, L2)",
            arguments: stride(from: 51, to: 101, by: 25).map { UInt64($0) })
        func allEndEqual(firstSeed: UInt64) async { await expectAllEqual(from: firstSeed) }
    }
}
