import Foundation
import Testing

@testable import FaultTesting

#if os(Linux)
    @Suite("Kills and failing disks")
    struct FaultTrialTests {
        @Test("Nothing acknowledged is lost by killed writers, exchanges and rebuilds, of one process or two")
        func kills() async throws {
            let place = ScratchFolder()
            var options = KillTrial.Options(kills: 24, seed: 1)
            options.killsPerStore = 8
            let outcome = try await KillTrial(in: place.path, options).run()
            #expect(outcome.kills >= 24)
            #expect(outcome.acknowledged > 0)
            #expect(outcome.failures == [])
        }

        @Test(
            "Stores that are moved, restored, copied, used at two homes and by wrong clocks between kills lose nothing")
        func handling() async throws {
            let place = ScratchFolder()
            var options = KillTrial.Options(kills: 30, seed: 5, kinds: [.writers, .exchanges])
            options.killsPerStore = 15
            let outcome = try await KillTrial(in: place.path, options).run()
            #expect(outcome.acknowledged > 0)
            #expect(outcome.acts.values.reduce(0, +) > 0)
            #expect(outcome.failures == [], "\(outcome.handling)")
        }

        @Test("Beside a process that lives on, the log grows no more because another one was killed")
        func growth() async throws {
            let place = ScratchFolder()
            let outcome = try await GrowthTrial.run(in: place.path, commits: 600)
            #expect(outcome.isBounded, "\(outcome.afterKill) bytes after a kill, \(outcome.afterClose) without")
        }

        @Test(
            "Where the disk fails, the error is clear, nothing acknowledged is lost, and the store goes on once it is sound",
            arguments: DiskTrial.Kind.allCases)
        func disk(kind: DiskTrial.Kind) async throws {
            let place = ScratchFolder()
            let trial = DiskTrial(in: place.path, images: 2)
            let count = try await trial.operations(kind)
            try #require(count > 20)
            let runs = try await trial.runs(kind, Array(stride(from: 3, through: count, by: count / 5)), jobs: 2)
            #expect(runs.contains { !$0.refusals.isEmpty })
            #expect(runs.filter { !$0.faults.isEmpty }.map(\.description) == [])
        }

        @Test(
            "Where the disk fails while a log's file is rewritten, nothing acknowledged is lost, and the bytes go later",
            arguments: DiskTrial.Kind.allCases)
        func rewrites(kind: DiskTrial.Kind) async throws {
            let place = ScratchFolder()
            let trial = DiskTrial(in: place.path, .rewrite, images: 2)
            let count = try await trial.operations(kind)
            // One sync is the rename's.
            let step = kind == .badSync ? 1 : max(1, count / 5)
            let runs = try await trial.runs(kind, Array(stride(from: 1, through: count, by: step)), jobs: 2)
            #expect(runs.filter { !$0.faults.isEmpty }.map(\.description) == [])
        }
    }
#endif
