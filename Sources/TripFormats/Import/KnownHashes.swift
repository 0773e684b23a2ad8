/// A set of values of which only hashes of 64 bits are kept, for files of millions of records: at most about 20 bytes for each value.
///
/// Two of five million values have the same hash with a probability of one in a million.
struct KnownHashes {
    /// The most records of a file, so that their hashes fit into memory.
    static let mostRecords = 5_000_000

    // Many small sets, so that growing copies one of them, and not everything.
    private var parts = [Set<UInt64>](repeating: [], count: 256)

    /// Returns whether the value was not there.
    mutating func insert(_ value: some Hashable) -> Bool {
        let hash = Self.hash(value)
        return parts[Int(hash >> 56)].insert(hash).inserted
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

/// A set of hashes that is filled first and asked afterwards: eight bytes for each value.
struct SortedHashes: Sendable {
    private var hashes: [UInt64] = []

    mutating func append(_ value: some Hashable) { append(hash: KnownHashes.hash(value)) }

    mutating func append(hash: UInt64) { hashes.append(hash) }

    /// Must be called between the last `append` and the first `contains`.
    mutating func sort() { hashes.sort() }

    func contains(_ value: some Hashable) -> Bool { contains(hash: KnownHashes.hash(value)) }

    func contains(hash: UInt64) -> Bool {
        var (low, high) = (0, hashes.count)
        while low < high {
            let middle = (low + high) / 2
            if hashes[middle] < hash { low = middle + 1 } else { high = middle }
        }
        return low < hashes.count && hashes[low] == hash
    }
}
