/// Which chunks may come in, and in which order they are loaded: those with a number in the order of the numbers.
///
/// Memory is bounded by the limit, however slowly they are loaded.
struct LoadQueue<Chunk> {
    /// How many chunks may wait.
    private let limit: Int
    /// The number whose turn it is, and what came before its turn.
    private var next = 0
    private var early: [Int: Chunk] = [:]
    /// How many were let go to be loaded, and are not loaded yet.
    private var loading = 0

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { loading == 0 && early.isEmpty }

    /// Whether a chunk may come in. The one whose turn it is waits for the loading alone, for those that came early wait
    /// for that one.
    func hasRoom(for number: Int?) -> Bool { loading + (number == next ? 0 : early.count) < limit }

    /// Takes a chunk, and answers those to be loaded now, in their order. One without a number is loaded at once.
    mutating func add(_ chunk: Chunk, number: Int?) -> [Chunk] {
        guard let number else {
            loading += 1
            return [chunk]
        }
        early[number] = chunk
        var ready: [Chunk] = []
        while let chunk = early.removeValue(forKey: next) {
            next += 1
            ready.append(chunk)
        }
        loading += ready.count
        return ready
    }

    /// One of those that were to be loaded is loaded, or was given up.
    mutating func finishOne() { loading -= 1 }

    /// Forgets those whose turn has not come.
    mutating func forgetEarly() { early = [:] }
}
