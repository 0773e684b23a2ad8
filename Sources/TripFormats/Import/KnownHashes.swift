/// A set of values of which only hashes of 64 bits are kept, for files of millions of records: some ten bytes for each value.
///
/// Two of five million values have the same hash with a probability of one in a million.
struct KnownHashes {
    /// The most records of a file, so that their hashes fit into memory.
    static let mostRecords = 5_000_000

    /// A sorted list, and what came since it was sorted: a set takes twice the bytes.
    private struct Part {
        private var settled: [UInt64] = []
        private var recent: Set<UInt64> = []

        mutating func insert(_ hash: UInt64) -> Bool {
            guard !settled.sortedContains(hash), recent.insert(hash).inserted else { return false }
            if recent.count > max(32, settled.count / 8) {
                settled.reserveCapacity(settled.count + recent.count)
                settled += recent.sorted()
                settled.sort()
                recent = []
            }
            return true
        }

        func contains(_ hash: UInt64) -> Bool { recent.contains(hash) || settled.sortedContains(hash) }
    }

    // Many, so that growing copies one of them, and not everything.
    private var parts = [Part](repeating: Part(), count: 256)

    /// Returns whether the value was not there.
    mutating func insert(_ value: some Hashable) -> Bool {
        let hash = Self.hash(value)
        return parts[Int(hash >> 56)].insert(hash)
    }

    func contains(_ value: some Hashable) -> Bool {
        let hash = Self.hash(value)
        return parts[Int(hash >> 56)].contains(hash)
    }

    static func hash(_ value: some Hashable) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(value)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

/// The names of a file that is read twice, the second time by the answers of the first: a bit for each in place of a hash.
struct RepeatedNames: Sendable {
    /// Nil when the answers are known.
    private var names: KnownHashes? = KnownHashes()
    private var answers: [UInt64] = []
    private var asked = 0

    /// Returns whether the name was not there. The second time the same names must come in the same order.
    mutating func insert(_ name: String) -> Bool {
        defer { asked += 1 }
        let (word, bit) = (asked / 64, UInt64(1) << UInt64(asked % 64))
        guard let isNew = names?.insert(name) else { return word < answers.count && answers[word] & bit != 0 }
        if word == answers.count { answers.append(0) }
        if isNew { answers[word] |= bit }
        return isNew
    }

    /// The answers, to be given again from the first on.
    mutating func rewind() { (names, asked) = (nil, 0) }
}

/// A set of hashes that is filled first and asked afterwards: eight bytes for each value.
struct SortedHashes: Sendable {
    private var hashes: [UInt64] = []

    mutating func append(_ value: some Hashable) { append(hash: KnownHashes.hash(value)) }

    mutating func append(hash: UInt64) { hashes.append(hash) }

    /// Must be called between the last `append` and the first `contains`.
    mutating func sort() { hashes.sort() }

    func contains(_ value: some Hashable) -> Bool { contains(hash: KnownHashes.hash(value)) }

    func contains(hash: UInt64) -> Bool { hashes.sortedContains(hash) }
}

extension [UInt64] {
    /// Whether a list that is sorted has the number, by halving.
    fileprivate func sortedContains(_ number: UInt64) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == number
    }
}
