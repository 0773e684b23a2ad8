/// Chunks that wait to be loaded. Chunks with a number leave the queue in the order of the numbers.
///
/// However slow the loading, the queue holds no more than twice the limit.
struct LoadQueue<Chunk> {
    /// The maximum number of chunks that wait or are being loaded before others must wait outside.
    private let limit: Int
    /// The next number, and the chunks that were added before their turn.
    private var next = 0
    private var early: [Int: Chunk] = [:]
    /// Chunks that can be loaded now, and the number of those that were taken and are not loaded yet.
    private var ready: [Chunk] = []
    private var loading = 0

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { ready.isEmpty && loading == 0 && early.isEmpty }

    /// Whether a chunk may be added. The chunk with the next number waits only for the loading, because early chunks
    /// wait for it.
    func hasRoom(for number: Int?) -> Bool {
        ready.count + loading + (number == next ? 0 : early.count) < limit
    }

    /// Adds a chunk, and returns how many more chunks can be loaded now. A chunk without a number can be at once.
    mutating func add(_ chunk: Chunk, number: Int?) -> Int {
        let before = ready.count
        if let number { early[number] = chunk } else { ready.append(chunk) }
        while let chunk = early.removeValue(forKey: next) {
            next += 1
            ready.append(chunk)
        }
        return ready.count - before
    }

    /// Takes the chunk to load next; nil if there is none.
    mutating func takeNext() -> Chunk? {
        guard !ready.isEmpty else { return nil }
        loading += 1
        return ready.removeFirst()
    }

    /// Records that a chunk that was taken is loaded or discarded.
    mutating func finishOne() { loading -= 1 }

    /// Discards the chunks whose turn has not come.
    mutating func forgetEarly() { early = [:] }
}
