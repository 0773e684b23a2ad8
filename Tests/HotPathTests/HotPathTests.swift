import Foundation
import TestSupport
import Testing

/// How many instructions the hottest paths take. Unlike times these hardly vary, so that a path that became a tenth
/// more expensive is noticed.
///
/// The limits are for the tests' build, which is not optimised: they assert that no path does more than it did. With
/// `TRIPSTORE_HOT_PATHS` naming an optimised `HotPaths`, as `Tools/hot-paths` does, that is compared with limits of its
/// own.
@Suite("The hottest paths", .serialized)
struct HotPathTests {
    struct Path: Sendable, CustomTestStringConvertible {
        let name: String
        /// How often it is run.
        let count: Int
        /// The unit of counting: a run, or an event, of the store or of those in a run.
        var unit = Unit.run
        /// Whether it is counted with every run of the tests, and not with `Tools/test --long` alone.
        var isHottest = false
        /// The most instructions in a debug build, and in an optimised one.
        let debug: Int
        let release: Int

        enum Unit {
            case run, storedEvent
            case event(inRun: Int)
        }

        var testDescription: String { name }
    }

    // The last count, and a tenth on top. Our own code, such as the search in pages, takes more in a debug build than
    // LMDB's, which is optimised in both.
    static let paths = [
        Path(name: "scan", count: 2, unit: .storedEvent, debug: 25_900, release: 1_720),
        Path(name: "rebuild", count: 1, unit: .storedEvent, debug: 512_000, release: 51_800),
        // After those that are counted by the events of the store: it appends some.
        Path(name: "append", count: 20, isHottest: true, debug: 1_720_000, release: 341_000),
        Path(name: "trip", count: 200, isHottest: true, debug: 49_000, release: 8_480),
        Path(name: "page", count: 10, isHottest: true, debug: 2_820_000, release: 309_000),
        Path(name: "query", count: 20, debug: 2_100_000, release: 351_000),
        Path(name: "groups", count: 5, debug: 19_200_000, release: 1_860_000),
        Path(name: "ownEdit", count: 20, debug: 1_980_000, release: 359_000),
        // Many: each process first edits all trips, which takes as much as 500 runs and varies by 50 of them.
        Path(name: "ownTrip", count: 2000, debug: 80_000, release: 14_700),
        Path(name: "load", count: 10, unit: .event(inRun: 100), debug: 197_000, release: 31_000),
    ]

    @Test(
        "A path takes no more instructions than it did",
        .enabled(if: Valgrind.isThere, "valgrind is not there: Tools/set-up tests installs it, on Linux"))
    func instructions() throws {
        let valgrind = try Valgrind()
        for path in Self.paths where path.isHottest || Extent.isLong {
            let limit = valgrind.isOptimised ? path.release : path.debug
            let found = try valgrind.instructions(of: path, limit: limit)
            print("\(path.name): \(found) instructions, limit \(limit)")
            #expect(found <= limit, "\(path.name)")
        }
    }
}
