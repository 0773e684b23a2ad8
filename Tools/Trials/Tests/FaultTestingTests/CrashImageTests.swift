import FaultTesting
import Foundation
import Testing

#if os(Linux)
    @Suite("Crash images")
    struct CrashImageTests {
        @Test(
            "What a power cut leaves of a workload holds everything acknowledged, and can be used further",
            arguments: Workload.all)
        func images(workload: Workload) async throws {
            let place = ScratchFolder()
            let recording = try await Recording.make(workload, in: place.path)
            let outcome = try await CrashImages.check(
                recording, in: place.path, CrashImages.Options(images: 34, seed: 1))
            #expect(outcome.images == 34)
            #expect(outcome.failures.map(\.description) == [])
        }

        @Test(
            "With a sync left out a power cut is found to lose what was acknowledged",
            arguments: [(IgnoredSyncs.record, "record"), (.header, "header"), (.folder, "folder")])
        func leftOut(sync: IgnoredSyncs, name: String) async throws {
            let place = ScratchFolder()
            let workload = try #require(Workload.all.first { $0.name == "small commits" })
            let recording = try await Recording.make(workload, in: place.path)
            let outcome = try await CrashImages.check(
                recording, in: place.path, CrashImages.Options(images: 60, seed: 1, ignoring: sync))
            let found = outcome.byKind.map { "\($0.failures.count) \($0.kind)" }
            // Where a folder was not synced, the log is new and another replica writes; so that alone is no loss.
            #expect(outcome.byKind.contains { $0.kind == .lost }, "without the sync of \(name): \(found)")
        }

        @Test("What a power cut leaves of a rewrite, wherever it comes, becomes the same store without erased bytes")
        func rewrites() async throws {
            let place = ScratchFolder()
            let recording = try await Recording.make(.rewrite, in: place.path)
            var options = CrashImages.Options(images: 120, seed: 3)
            options.cuts = .each
            let outcome = try await CrashImages.check(recording, in: place.path, options)
            #expect(outcome.images == 120 && outcome.acknowledged > 120)
            #expect(outcome.failures.map(\.description) == [])
        }

        @Test(
            "With a sync of a rewrite left out a power cut is found to lose what was acknowledged",
            arguments: [(IgnoredSyncs.folder, "folder"), (.data, "data file")])
        func leftOutOfRewrite(sync: IgnoredSyncs, name: String) async throws {
            let place = ScratchFolder()
            let recording = try await Recording.make(.rewrite, in: place.path)
            let outcome = try await CrashImages.check(
                recording, in: place.path, CrashImages.Options(images: 40, seed: 1, ignoring: sync))
            let found = outcome.byKind.map { "\($0.failures.count) \($0.kind)" }
            let isFound = outcome.byKind.contains { $0.kind == .lost || $0.kind == .refused }
            #expect(isFound, "without the sync of the \(name): \(found)")
        }
    }
#endif
