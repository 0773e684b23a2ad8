import Foundation
import Simulation

/// One seed that was run, and how long it took.
struct SeedRun: Sendable, CustomStringConvertible {
    let seed: UInt64
    let seconds: Double
    let result: Result<SimulationOutcome, SimulationFailure>

    init(_ scenario: Scenario) async {
        let start = ContinuousClock.now
        seed = scenario.seed
        result = await Simulation.result(of: scenario)
        seconds = (ContinuousClock.now - start) / .seconds(1)
    }

    var description: String {
        let end =
            switch result {
            case .success(let outcome): outcome.summary
            case .failure(let failure): "failed in step \(failure.step + 1): \(failure.message)"
            }
        return "seed \(seed), \((seconds * 10).rounded() / 10) s: \(end)"
    }
}

extension SimulationOutcome {
    var summary: String {
        let counts: [(Int, String)] = [
            (replicas, "replicas"), (commits, "commits"), (loads, "loads"), (undos, "undone or done again"),
            (resolutions, "conflicts resolved"), (erasures, "erasures"), (restarts, "restarts"),
            (exchanges, "exchanges"),
            (cutExchanges, "of them cut"),
            (forks, "forks"), (identityChanges, "changes of identity"), (tampered, "tampered with"),
            (attacks, "attacks"),
            (hostileCommits, "hostile commits held"), (withheld, "exchanges without payloads"),
            (holes, "commits without bytes after them"), (healed, "healed"), (hubLies, "lies of hubs"),
            (refilled, "commits sent for claimed holes"), (named, "liars named"), (refusals, "refusals"),
        ]
        return counts.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}
