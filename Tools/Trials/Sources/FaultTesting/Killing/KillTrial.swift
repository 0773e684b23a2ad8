import Foundation
import TripStoreTestSupport

/// Kills processes that work on a store at random moments, and compares the remains with their output.
public struct KillTrial: Sendable {
    /// The work of the killed processes.
    public enum Kind: String, CaseIterable, Sendable {
        case writers, importers, exchanges, rebuilds
    }

    public struct Options: Sendable {
        public var kills: Int
        public var seed: UInt64
        public var kinds: [Kind]
        /// Exports for importers; without any, importers are left out.
        public var exports: [String]
        /// Kills after which a new store is begun, so that checks stay fast.
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
        /// Trips whose presence was required, over all checks.
        public var acknowledged = 0
        public var failures: [String] = []
        var acts: [StoreHandling.Act: Int] = [:]

        /// What was done to stores between the rounds, in words.
        public var handling: String {
            StoreHandling.Act.allCases.map { "\(acts[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
        }
    }

    private let folder: String
    private let options: Options
    private let checkers = CheckerPool()

    public init(in folder: String, _ options: Options) {
        self.folder = folder
        self.options = options
    }

    /// Runs it. `progress` is called for every finished store. Throws what prevents running it.
    public func run(progress: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Outcome {
        var outcome = Outcome()
        var random = SeededRandom(seed: options.seed)
        var references: [ImportPlan: ImportReference] = [:]
        var number = 0
        while outcome.kills < options.kills {
            let kind = options.kinds[number % options.kinds.count]
            let root = "\(folder)/\(number)-\(kind.rawValue)"
            number += 1
            let failures = outcome.failures.count
            var words = kind.rawValue
            if kind == .importers {
                let plan = ImportPlan(of: options.exports, &random)
                words = plan.words
                let known = references[plan]
                let reference = if let known { known } else { try await self.reference(of: plan) }
                references[plan] = reference
                try await tryImports(ImportTrial(in: root, plan), reference, &outcome, &random)
            } else {
                try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
                var store = TriedStore(root: root, kind: kind)
                try await kill(in: &store, &outcome, &random) { seed, circumstances in
                    try KillRound(root: root, kind: kind, seed: seed, circumstances: circumstances).run()
                }
            }
            progress("\(words): \(outcome.kills) kills, \(outcome.failures.count) failures")
            // A failing store is kept.
            if outcome.failures.count == failures { Self.remove(root) }
        }
        return outcome
    }

    /// A store in which processes are killed.
    private struct TriedStore {
        let root: String
        let kind: Kind
        var kills = 0
        var expectations = Expectations()
        var handling: StoreHandling

        init(root: String, kind: Kind) {
            (self.root, self.kind) = (root, kind)
            handling = StoreHandling(root: root, kind: kind)
        }

        func words(_ failures: [String]) -> [String] {
            failures.map { "\(root): \(kind.rawValue), after \(kills) kills: \($0)" }
        }
    }

    /// Runs rounds until there were enough kills, the store has a fault, or nothing is left to be killed in.
    private func kill(
        in store: inout TriedStore, _ outcome: inout Outcome, _ random: inout SeededRandom,
        round: @escaping @Sendable (UInt64, Circumstances) throws -> KillRound.Result
    ) async throws {
        var isComplete = false
        while !isComplete, store.kills < options.killsPerStore, outcome.kills < options.kills {
            let seed = random.next()
            let circumstances = try store.handling.next(&store.expectations, &outcome.acts, &random)
            let result = try await Task.onThread { try round(seed, circumstances) }
            for line in result.lines { store.expectations.note(line) }
            store.kills += result.kills
            outcome.kills += result.kills
            outcome.failures += store.words(result.failures)
            if try await !isSound(store, &outcome) { return }
            isComplete = result.isComplete
        }
    }

    private func tryImports(
        _ trial: ImportTrial, _ reference: ImportReference, _ outcome: inout Outcome, _ random: inout SeededRandom
    ) async throws {
        var store = TriedStore(root: trial.folder.root, kind: .importers)
        let lines = try await Task.onThread { try trial.begin() }
        for line in lines { store.expectations.note(line) }
        let failures = outcome.failures.count
        try await kill(in: &store, &outcome, &random) { seed, _ in try trial.round(seed, reference) }
        guard outcome.failures.count == failures else { return }
        do {
            outcome.failures += store.words(try await Task.onThread { try trial.end(reference, lines) })
        } catch let error as FaultTestingError {
            outcome.failures += store.words(["the last import: \(error)"])
        }
        _ = try await isSound(store, &outcome)
    }

    private func reference(of plan: ImportPlan) async throws -> ImportReference {
        let trial = ImportTrial(in: "\(folder)/reference", plan)
        defer { Self.remove(trial.folder.root) }
        return try await Task.onThread { try trial.reference() }
    }

    /// Whether the killed processes left the store as it must be.
    private func isSound(_ store: TriedStore, _ outcome: inout Outcome) async throws -> Bool {
        outcome.acknowledged += store.expectations.acknowledged
        let check = StoreCheck(root: store.root, expectations: store.expectations, marks: FileOrigins())
        let faults = try await checkers.faults(check)
        outcome.failures += store.words(faults.map(\.description))
        return faults.isEmpty
    }

    private static func remove(_ root: String) {
        StoreCheck(root: root, expectations: Expectations(), marks: FileOrigins()).remove()
    }
}
