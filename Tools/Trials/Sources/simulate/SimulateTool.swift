import ArgumentParser
import Foundation
import Simulation

/// Runs simulations of replicas that write, exchange, crash and are copied, and prints the first that fails, shrunk.
@main
struct SimulateTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Simulate replicas that write, meet, crash and are copied.",
        discussion: """
            Each seed is a scenario: some replicas and what happens to them, step after step. At its end all of them meet. Then they \
            must hold the same commits and views, nothing that was acknowledged may be lost, and every log must verify.

            The seeds of the tests are those without --steps and --hostile. What failed is run again by the same options with \
            --first SEED --seeds 1.
            """)

    @Option(name: .long, help: "How many seeds to run.")
    var seeds: UInt64 = 2000

    @Option(name: .long, help: "The first seed.")
    var first: UInt64 = 1

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How many steps a seed has: 10 to 40 unless given.",
            discussion:
                "With it there are loads, undoing, resolving and closing among them; 2000 make hundreds of commits."))
    var steps: Int?

    @Flag(
        name: .long,
        help:
            "Let carriers tamper with what replicas send and withhold it, hubs lie, and hostile writers forge and fork."
    )
    var hostile = false

    @Flag(
        name: .long,
        help:
            "Let replicas grant, revoke, invite, join, void, erase and take back instead, some of whom may not, and strangers among them."
    )
    var members = false

    @Option(name: .long, help: "How many to run at a time.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(
        name: .long,
        help: "How many times at most to run a scenario that fails, to make it short; 0 to leave it as it is.")
    var shrink = 400

    @Flag(name: .long, help: "Go on after a seed that fails.")
    var keepGoing = false

    @Flag(name: .long, help: "Print a line for each seed that has come to its end.")
    var each = false

    @Flag(name: .long, help: "Print each scenario before it runs.")
    var verbose = false

    func validate() throws {
        guard seeds > 0, jobs > 0, first <= .max - seeds else {
            throw ValidationError("Give at least one seed and one job, and seeds below \(UInt64.max).")
        }
        guard steps ?? 1 > 0, shrink >= 0 else {
            throw ValidationError("Give at least one step, and no fewer than 0 runs to make a scenario short.")
        }
    }

    func run() async throws {
        if members { return try await MembersRun(first: first, seeds: seeds, jobs: jobs).run() }
        let start = Date()
        var sum = SimulationOutcome()
        var failures: [SimulationFailure] = []
        var longest = 0.0
        await withTaskGroup(of: SeedRun.self) { group in
            var next = first
            func begin(_ seed: UInt64) {
                let scenario = Scenario(seed: seed, steps: steps, isHostile: hostile)
                let isVerbose = verbose
                group.addTask {
                    if isVerbose { print(scenario) }
                    return await SeedRun(scenario)
                }
            }
            while next < first + min(UInt64(jobs), seeds) {
                begin(next)
                next += 1
            }
            for await run in group {
                longest = max(longest, run.seconds)
                // At once, also to a file: long runs are watched.
                if each { FileHandle.standardOutput.write(Data("\(run)\n".utf8)) }
                switch run.result {
                case .success(let outcome): sum += outcome
                case .failure(let found): failures.append(found)
                }
                if (keepGoing || failures.isEmpty) && next < first + seeds {
                    begin(next)
                    next += 1
                }
            }
        }
        for failure in failures { await report(failure) }
        if failures.isEmpty || keepGoing {
            print("\(Int(seeds) - failures.count) seeds from \(first) on:")
            print(sum.summary)
            print(
                "\(Int(Date().timeIntervalSince(start))) s, the longest seed \(longest.rounded()) s"
                    + (ProcessMemory.peak.map { "; at most \($0 >> 20) MiB of memory" } ?? ""))
        }
        guard failures.isEmpty else { throw ExitCode.failure }
        print("All well.")
    }

    /// Prints a failure with as few steps as it takes.
    private func report(_ failure: SimulationFailure) async {
        var shortest = failure.scenario
        if shrink > 0 {
            // Steps after the failing one have no part in it.
            shortest.steps = Array(shortest.steps.prefix(failure.step + 1))
            shortest = await Shrinker.shortest(shortest, limit: shrink) {
                await Simulation.result(of: $0).failure?.kind == failure.kind
            }
            print(await Simulation.result(of: shortest).failure ?? failure)
        } else {
            print("seed \(failure.scenario.seed), step \(failure.step + 1): \(failure.message)")
        }
        let options = (steps.map { " --steps \($0)" } ?? "") + (hostile ? " --hostile" : "")
        print("Run it again with --first \(failure.scenario.seed) --seeds 1\(options).")
    }
}
