/// Chunks that wait to be loaded: which may come in, and in which order they go out, those with a number in the order of
/// the numbers.
///
/// However slowly they are loaded, there are no more than twice the limit.
struct LoadQueue<Chunk> {
    /// How many chunks may wait, or be loaded, before others do.
    private let limit: Int
    /// The number whose turn it is, and what came before its turn.
    private var next = 0
    private var early: [Int: Chunk] = [:]
    /// Those whose turn has come, and how many were taken out and are not loaded yet.
    private var ready: [Chunk] = []
    private var loading = 0

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { ready.isEmpty && loading == 0 && early.isEmpty }

    /// Whether a chunk may come in. The one whose turn it is waits for the loading alone, for those that came early wait
    /// for that one.
    func hasRoom(for number: Int?) -> Bool {
        ready.count + loading + (number == next ? 0 : early.count) < limit
    }

    /// Takes a chunk, and answers how many more there are to be loaded now. The turn of one without a number has come.
    mutating func add(_ chunk: Chunk, number: Int?) -> Int {
        let before = ready.count
        if let number { early[number] = chunk } else { ready.append(chunk) }
        while let chunk = early.removeValue(forKey: next) {
            next += 1
            ready.append(chunk)
        }
        return ready.count - before
    }

    /// Takes out the chunk that is to be loaded next; nil if there is none.
    mutating func takeNext() -> Chunk? {
        guard !ready.isEmpty else { return nil }
        loading += 1
        return ready.removeFirst()
    }

    /// One that was taken out is loaded, or was given up.
    mutating func finishOne() { loading -= 1 }

    /// Forgets those whose turn has not come.
    mutating func forgetEarly() { early = [:] }
}
