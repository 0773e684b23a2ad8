import Foundation
import Testing
import TripStore
import TripStoreTestSupport

@testable import FaultTesting

#if os(Linux)
    @Suite("Killed imports")
    struct ImportTrialTests {
        private let place = ScratchFolder()
        private let samples = ["planned", "actual"].map { name in
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../samples/flights-day-\(name).json").standardized.path
        }

        @Test("An import continues where a killed one ended, with the same result as one that ran undisturbed")
        func kills() async throws {
            var options = KillTrial.Options(kills: 6, seed: 2, kinds: [.importers], exports: samples)
            options.killsPerStore = 3
            let outcome = try await KillTrial(in: place.path, options).run()
            #expect(outcome.kills >= 6)
            #expect(outcome.failures == [])
        }

        @Test("An import that has not come to the same is found, by the entities and fields that differ")
        func differences() async throws {
            let plan = ImportPlan(killed: [samples[0]])
            let reference = try await Task.onThread {
                try ImportTrial(in: place.path + "/reference", plan).reference()
            }
            let trial = ImportTrial(in: place.path + "/tried", plan)
            let lines = try await Task.onThread {
                let lines = try trial.begin()
                _ = try trial.folder.importToEnd(samples[0])
                return lines
            }
            #expect(try await Task.onThread { try trial.end(reference, lines) } == [])

            // What a person changes is kept by an import that was made before: so it is found.
            var options = TripStore.Options()
            options.dependencies = .faulty(state: trial.folder.root + "/state", marks: FileOrigins())
            let url = URL(fileURLWithPath: trial.folder.root + "/s")
            let store = try await TripStore.open(at: url, options: options)
            let imported = try store.trips(limit: 700).rows.map(\.id)
            try await store.edit(imported[0]) { $0.notes = "Otherwise" }
            try await store.delete(imported[1])
            try await store.create(Trip(name: "Porto"))
            await store.close()

            let found = try await Task.onThread { try trial.end(reference, lines) }
            #expect(found.count == 3)
            #expect(found.contains { $0.contains("2 of ") && $0.contains("are missing") }, "\(found)")
            #expect(found.contains { $0.contains("1 entities should not be there") }, "\(found)")
            #expect(found.contains { $0.contains("1 entities differ") && $0.contains("'Otherwise'") }, "\(found)")
        }
    }
#endif
