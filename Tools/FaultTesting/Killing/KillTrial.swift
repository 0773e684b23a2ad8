import Foundation
import TripStoreTestSupport

/// Kills processes that work on a store at random moments, and holds what is left against what they had said.
public struct KillTrial: Sendable {
    /// What the killed processes do.
    public enum Kind: String, CaseIterable, Sendable {
        case writers, importers, exchanges, rebuilds
    }

    public struct Options: Sendable {
        public var kills: Int
        public var seed: UInt64
        public var kinds: [Kind]
        /// Exports that importers read; without any they are left out.
        public var exports: [String]
        /// Kills after which a new store is begun, so that looking at it stays quick.
        public var killsPerStore = 20

        public init(kills: Int, seed: UInt64 = 1, kinds: [Kind] = Kind.allCases, exports: [String] = []) {
            self.kills = kills
            self.seed = seed
            self.kinds = exports.isEmpty ? kinds.filter { $0 != .importers } : kinds
            self.exports = exports
        }
    }

    public struct Outcome: Sendable {
        public var kills = 0
        /// Trips whose presence was asked for, over all looks.
        public var acknowledged = 0
        public var failures: [String] = []
    }

    private let folder: String
    private let options: Options
    private let checkers = CheckerPool()

    public init(in folder: String, _ options: Options) {
        self.folder = folder
        self.options = options
    }

    /// Runs it. `progress` is told of every store that is finished with. Throws what keeps it from being run.
    public func run(progress: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Outcome {
        var outcome = Outcome()
        var random = SeededRandom(seed: options.seed)
        var number = 0
        while outcome.kills < options.kills {
            let kind = options.kinds[number % options.kinds.count]
            let root = "\(folder)/\(number)-\(kind.rawValue)"
            number += 1
            let failures = outcome.failures.count
            try await tryStore(kind, in: root, &outcome, &random)
            progress("\(kind.rawValue): \(outcome.kills) kills, \(outcome.failures.count) failures")
            // What failed stays.
            if outcome.failures.count == failures {
                StoreCheck(root: root, expectations: Expectations(), marks: FileMarks()).remove()
            }
        }
        return outcome
    }

    private func tryStore(
        _ kind: Kind, in root: String, _ outcome: inout Outcome, _ random: inout SeededRandom
    ) async throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        var expectations = Expectations()
        var kills = 0
        while kills < options.killsPerStore, outcome.kills < options.kills {
            let round = KillRound(
                root: root, kind: kind, isFirst: kills == 0, exports: options.exports, seed: random.next())
            let result = try await Task.onThread { try round.run() }
            for line in result.lines { expectations.note(line) }
            kills += result.kills
            outcome.kills += result.kills
            outcome.failures += result.failures.map { "\(root): \(kind.rawValue), after \(kills) kills: \($0)" }
            outcome.acknowledged += expectations.acknowledged
            let faults = try await checkers.faults(
                StoreCheck(root: root, expectations: expectations, marks: FileMarks()))
            outcome.failures += faults.map { "\(root): \(kind.rawValue), after \(kills) kills: \($0)" }
            if !faults.isEmpty { return }
        }
    }
}
