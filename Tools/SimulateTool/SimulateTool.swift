import ArgumentParser
import Foundation
import Simulation

/// Runs simulations of replicas that write, meet, crash and are copied, and prints the first that fails, shortened.
@main
struct SimulateTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Simulate replicas that write, meet, crash and are copied.")

    @Option(name: .long, help: "How many seeds to run.")
    var seeds: UInt64 = 2000

    @Option(name: .long, help: "The first seed.")
    var first: UInt64 = 1

    @Option(name: .long, help: "How many to run at a time.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Flag(name: .long, help: "Print each scenario before it runs.")
    var verbose = false

    func validate() throws {
        guard seeds > 0, jobs > 0, first <= .max - seeds else {
            throw ValidationError("Give at least one seed and one job, and seeds below \(UInt64.max).")
        }
    }

    func run() async throws {
        let start = Date()
        var sum = SimulationOutcome()
        var failure: SimulationFailure?
        await withTaskGroup(of: Result<SimulationOutcome, SimulationFailure>.self) { group in
            var next = first
            func begin(_ seed: UInt64) {
                let isVerbose = verbose
                group.addTask {
                    let scenario = Scenario(seed: seed)
                    if isVerbose { print(scenario) }
                    return await Simulation.result(of: scenario)
                }
            }
            while next < first + min(UInt64(jobs), seeds) {
                begin(next)
                next += 1
            }
            for await result in group {
                switch result {
                case .success(let outcome): sum += outcome
                case .failure(let found): failure = failure ?? found
                }
                if failure == nil && next < first + seeds {
                    begin(next)
                    next += 1
                }
            }
        }
        if let failure {
            let shortest = await Shrinker.shortest(failure.scenario) { await Simulation.result(of: $0).failure != nil }
            print(await Simulation.result(of: shortest).failure ?? failure)
            print("Run it again with --first \(failure.scenario.seed) --seeds 1.")
            throw ExitCode.failure
        }
        print(
            "\(seeds) seeds from \(first) on: \(sum.replicas) replicas, \(sum.commits) commits, \(sum.exchanges) exchanges "
                + "of which \(sum.cutExchanges) were cut, \(sum.forks) forks, \(sum.identityChanges) changes of identity, in "
                + "\(Int(Date().timeIntervalSince(start))) s. All well.")
    }
}
