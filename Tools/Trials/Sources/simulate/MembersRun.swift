import ArgumentParser
import Foundation
import Simulation

/// Simulations of members, some at a time.
struct MembersRun {
    let first: UInt64
    let seeds: UInt64
    let jobs: Int

    func run() async throws {
        let start = ContinuousClock.now
        var sum = MembersSimulation.Outcome()
        try await withThrowingTaskGroup(of: MembersSimulation.Outcome.self) { group in
            var next = first
            func begin() {
                guard next < first + seeds else { return }
                let seed = next
                next += 1
                group.addTask { try await MembersSimulation.run(seed: seed) }
            }
            for _ in 0..<jobs { begin() }
            while let outcome = try await group.next() {
                sum += outcome
                begin()
            }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print("\(seeds) seeds from \(first) on, \(Int(seconds)) s:")
        print(
            "\(sum.commits) commits held, \(sum.discounted) of them not counting, \(sum.members) members, \(sum.revoked) revoked, "
                + "\(sum.waiting) waiting, \(sum.strangers) strangers, \(sum.copies) copies, \(sum.forks) forks, \(sum.voids) void, "
                + "\(sum.admissions) admitted, \(sum.exchanges) exchanges, \(sum.erasures) erasures, \(sum.takenBack) taken back, "
                + "\(sum.late) erased late, \(sum.fallen) of them shown again with what it was late for, "
                + "\(sum.holes) holes")
        print("All well.")
    }
}
