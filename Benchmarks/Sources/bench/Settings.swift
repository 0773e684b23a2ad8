/// How much is measured, and where.
struct Settings: Sendable {
    /// The events of rows of full size.
    let events: Int
    /// How often each measurement is made.
    let repeats: Int
    let isQuick: Bool
    let onlyOurs: Bool
    /// One iteration of ours alone, for a profiler.
    let isSingle: Bool
    /// The parent of scratch directories.
    let folder: String

    /// The sizes of rows whose cost depends on size, the full one last.
    var sizes: [Int] { isSingle ? [events] : [events / 100, events / 10, events].filter { $0 >= 1_000 } }

    /// Fewer repetitions of long measurements.
    func repeats(atMost limit: Int) -> Int { min(repeats, limit) }

    /// How many times something small is done.
    func count(_ full: Int) -> Int { isSingle || isQuick ? max(1, full / 10) : full }
}
