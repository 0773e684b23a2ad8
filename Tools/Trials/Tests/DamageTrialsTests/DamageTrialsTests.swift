import DamageTrials
import Foundation
import StoreSupport
import Testing

@Suite("Damaged files of a store")
struct DamageTrialsTests {
    @Test("No command ends by a signal, and wrong results are detected", arguments: Series.all)
    func trials(series: Series) throws {
        let folder = TemporaryFolder()
        let trials = Trials(
            areas: series.areas, first: series.first, count: series.count, scratch: folder.url.path,
            executable: try Self.executable, arguments: ["damage"])
        let summary = try trials.run()
        #expect(summary.failures == [])
        #expect(summary.total == Int(series.count), "\(summary.counts)")
        // Each outcome occurs, or the damage is not what it is meant to be.
        for outcome in series.outcomes { #expect(summary.counts[outcome] ?? 0 > 0, "\(summary.counts)") }
    }

    struct Series: Sendable {
        let areas: [String]
        let first: UInt64
        let count: UInt64
        let outcomes: [String]

        static let all = [
            Series(areas: ["views"], first: 1, count: 24, outcomes: ["views right", "views rebuilt"]),
            Series(areas: ["marks"], first: 1, count: 10, outcomes: ["marks right"]),
            Series(
                areas: ["log", "writeAhead", "identity", "bundle"], first: 1, count: 20,
                outcomes: ["log foundByVerify", "bundle refused"]),
        ]
    }

    /// The executable lies beside the tests.
    private static var executable: URL {
        get throws {
            let places =
                [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()].compactMap { $0 }
                + ProcessInfo.processInfo.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            let found = places.map { $0.appendingPathComponent("soak") }.first {
                FileManager.default.isExecutableFile(atPath: $0.path)
            }
            return try #require(found)
        }
    }
}
