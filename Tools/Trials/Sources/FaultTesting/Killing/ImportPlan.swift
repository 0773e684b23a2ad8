import TripStoreTestSupport

/// What killed importers import into a store.
struct ImportPlan: Hashable, Sendable {
    /// Exports that are imported completely before.
    let before: [String]
    /// Exports whose imports are killed; several of them concurrently.
    let killed: [String]

    init(before: [String] = [], killed: [String]) {
        self.before = before
        self.killed = killed
    }

    /// A random one: an export into an empty store, one as a later export into a store that has the others, or all at
    /// once.
    init(of exports: [String], _ random: inout SeededRandom) {
        let index = Int.random(in: 0..<exports.count, using: &random)
        let others = Array(exports[..<index] + exports[(index + 1)...])
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where !others.isEmpty: self.init(killed: exports)
        case 1, 2: self.init(before: others, killed: [exports[index]])
        default: self.init(killed: [exports[index]])
        }
    }

    var words: String {
        func names(_ files: [String]) -> String {
            files.map { $0.split(separator: "/").last.map(String.init) ?? $0 }.joined(separator: " and ")
        }
        return "imports of \(names(killed))" + (before.isEmpty ? "" : " after \(names(before))")
    }
}

/// A plan's result without kills.
struct ImportReference: Sendable {
    let contents: StoreContents
    /// Seconds that the last import took.
    let duration: Double
}
