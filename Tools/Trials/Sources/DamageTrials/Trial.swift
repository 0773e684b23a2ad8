import Foundation

@testable import EventLog
@testable import TripStore
@testable import TripStoreTestSupport

/// One damage, and the commands' results.
struct Trial {
    /// Which files are damaged.
    enum Area: String, CaseIterable, Sendable {
        /// The data files of the views and of the app's views.
        case views
        /// The files beside them: marks and locks.
        case marks
        /// The log's data file.
        case log
        /// The log's write-ahead file and locks.
        case writeAhead
        /// The replica's key, the machine's record and the locks of subscriptions.
        case identity
        case bundle

        func contains(_ path: String) -> Bool {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            switch self {
            case .views: return path.hasPrefix("store/views/") && name == "data.mdb"
            case .marks: return path.hasPrefix("store/views/") && name != "data.mdb"
            case .log: return path == "store/log/data.mdb"
            case .writeAhead: return path.hasPrefix("store/log/") && name != "data.mdb"
            case .identity:
                return path.hasPrefix("store/replica.key") || path.hasPrefix("state/")
                    || path.hasPrefix("store/subscriptions/")
            case .bundle: return name == "trips.bundle"
            }
        }
    }

    /// The result, if nothing is wrong.
    enum Result: String, CaseIterable, Sendable {
        /// Every output was right, without a message.
        case right
        /// Every output was right, after views were rebuilt.
        case rebuilt
        /// A command reported the damage, and no output was wrong.
        case refused
        /// An output was wrong, and a comparison with the log finds it, as `replay --verify` does.
        case foundByReplay
        /// Commits were changed or missing, and `audit verify` finds it.
        case foundByVerify
        /// The newest commits are missing, and the rest is intact: nothing in a log says how long it was.
        case shortened
    }

    let number: UInt64
    let damage: Damage
    let area: Area
    let isKilled: Bool
    let version: Sample.Version
    let sample: Sample
    private var generator: SeededRandom

    var description: String { "try \(number), \(isKilled ? "killed" : "closed"), \(damage)" }

    /// How many of the optional reading steps a trial takes.
    private static let drawnReads = 3

    init(_ number: UInt64, of sample: Sample, areas: [Area]) {
        self.number = number
        self.sample = sample
        var generator = SeededRandom(seed: number)
        // Neighbouring seeds begin alike.
        for _ in 0..<4 { _ = generator.next() }
        let area = areas.randomElement(using: &generator) ?? .views
        isKilled = area == .writeAhead ? Int.random(in: 0..<4, using: &generator) > 0 : .random(using: &generator)
        version = isKilled ? sample.killed : sample.closed
        let paths = version.image.files.keys.filter { area.contains($0) }.sorted()
        let path = paths.randomElement(using: &generator) ?? "store/log/data.mdb"
        damage = Damage(to: path, of: version.image, using: &generator)
        self.area = area
        self.generator = generator
    }

    /// Damages the store and uses it. Calls `step` before each step. Throws what is wrong with the store, as `Wrong`.
    mutating func run(_ step: (String) throws -> Void) async throws -> Result {
        try sample.restore(version)
        let path = sample.root + "/" + damage.path
        if let bytes = damage.bytes {
            try StoreImage.write(bytes, to: path, modified: nil)
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
        return try await area == .bundle ? useBundle(step) : useStore(step)
    }

    /// A violated property.
    struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    func run(_ next: TrialStep, _ step: (String) throws -> Void) async throws -> TrialStep.Outcome {
        try step(next.rawValue)
        let outcome = try await next.run(on: sample)
        try await OpenFiles.waitUntilClosed(below: sample.root)
        if !outcome.isSuccess && outcome.complaint.isEmpty {
            throw Wrong(description: "\(next) failed with code \(outcome.code) and said nothing")
        }
        return outcome
    }

    private mutating func useStore(_ step: (String) throws -> Void) async throws -> Result {
        let reads = TrialStep.reads + TrialStep.drawnReads.shuffled(using: &generator).prefix(Self.drawnReads)
        let writes = TrialStep.drawnWrites.shuffled(using: &generator).prefix(Int.random(in: 1...2, using: &generator))
        var answers: [TrialStep: String] = [:]
        var isRefused = false
        for next in reads.shuffled(using: &generator) {
            let outcome = try await run(next, step)
            if outcome.isSuccess {
                answers[next] = next.answer(outcome)
            } else {
                isRefused = true
            }
        }
        let isRebuilt = version.image.files.keys.contains { path in
            Area.views.contains(path) && !FileManager.default.fileExists(atPath: sample.root + "/" + path)
        }
        let views = try await run(.verifyViews, step)
        let appViews = try await run(.verifyAppViews, step)
        let log = try await run(.verifyLog, step)
        let kept = try await kept(log, step)
        // Nothing is wrong with the log.
        let isWhole = kept?.count == version.hashes.count
        let wrong = reads.filter { answers[$0] != nil && answers[$0] != version.answers[$0] }
        let isUnnoticed = wrong.contains { ($0 == .appViews ? appViews : views).isSuccess }
        if isWhole, isUnnoticed {
            throw Wrong(
                description: "\(wrong.map(\.rawValue)) gave other answers, and nothing found anything:\n"
                    + wrong.map { Self.difference(answers[$0] ?? "", version.answers[$0] ?? "") }.joined(
                        separator: "\n"))
        }
        for next in [TrialStep.bundleShow, .bundleWrite, .add] {
            if try await !run(next, step).isSuccess { isRefused = true }
        }
        for next in writes where try await !write(next, keeping: kept, step) && !next.isRefused { isRefused = true }
        let replayed = try await run(.replay, step)
        let viewsAfter = try await run(.verifyViews, step)
        let logAfter = try await run(.verifyLog, step)
        if isWhole {
            guard logAfter.isSuccess else {
                throw Wrong(description: "the log was sound before \(Array(writes)): \(logAfter.complaint)")
            }
            // The result of a rebuild is right, whatever was there before.
            guard !replayed.isSuccess || viewsAfter.isSuccess else {
                throw Wrong(description: "after a replay: \(viewsAfter.complaint)")
            }
            try await checkKept(kept ?? [], at: Sample.store(in: sample.root), after: Array(writes), step)
        }
        if !log.isSuccess, logAfter.isSuccess {
            // A write may replace a damaged page that holds no commit. The finding is gone then, and every commit is
            // there.
            try await checkKept(version.hashes, at: Sample.store(in: sample.root), after: Array(writes), step)
        }
        if !log.isSuccess { return .foundByVerify }
        if !isWhole { return .shortened }
        if !wrong.isEmpty { return .foundByReplay }
        return isRefused ? .refused : isRebuilt ? .rebuilt : .right
    }

    /// The first lines in which two texts differ, cut to a readable length.
    private static func difference(_ text: String, _ expected: String) -> String {
        let lines = [text, expected].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        let line = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
        let parts = lines.map { line < $0.count ? $0[line] : "" }
        let start = max(0, zip(parts[0], parts[1]).prefix { $0 == $1 }.count - 100)
        return parts.map { String($0.dropFirst(start).prefix(600)) }.joined(separator: "\nwhere it was\n")
    }

    /// The remaining commits, if `audit verify` found no fault; otherwise nil. They are the original ones, or the first
    /// of them.
    private func kept(_ verified: TrialStep.Outcome, _ step: (String) throws -> Void) async throws -> [Digest]? {
        guard verified.isSuccess else { return nil }
        let hashes = try await commits(at: Sample.store(in: sample.root), step)
        guard version.hashes.starts(with: hashes) else {
            throw Wrong(
                description: "'audit verify' says: \(verified.out.joined()), and commits are others than before")
        }
        return hashes
    }

    /// The commits of a log that counts as intact.
    func commits(at path: String, _ step: (String) throws -> Void) async throws -> [Digest] {
        try step("commits")
        var hashes: [Digest] = []
        do {
            var options = TripStore.Options.readOnly
            options.waitsForViews = false
            let store = try await TripStore.open(at: URL(fileURLWithPath: path), options: options)
            hashes = try store.commitHashes(after: .start)
        } catch {
            throw Wrong(description: "the log is said to be intact and cannot be read: \(error)")
        }
        try await OpenFiles.waitUntilClosed(below: sample.root)
        return hashes
    }

    /// Throws unless a log still begins with commits.
    func checkKept(
        _ kept: [Digest], at path: String, after writes: [TrialStep], _ step: (String) throws -> Void
    ) async throws {
        guard try await commits(at: path, step).starts(with: kept) else {
            throw Wrong(description: "after \(writes) the store at \(path) lacks commits that it held before")
        }
    }
}
