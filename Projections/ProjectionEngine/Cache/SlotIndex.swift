/// A table from key hashes to cache slots: little more than two arrays, because an entry is added and removed for each
/// key that a cached result read.
///
/// It returns candidates: another key may have the same hash.
struct SlotIndex {
    private struct Node {
        var hash: UInt64
        var slot: Int32
        /// The next node of the bucket, or of the free list; -1 if there is none.
        var next: Int32
    }

    private var buckets: [Int32] = []
    private var nodes: [Node] = []
    private var firstFree: Int32 = -1
    private(set) var count = 0

    mutating func insert(_ slot: Int, _ hash: UInt64) {
        if count >= buckets.count { grow() }
        let bucket = self.bucket(of: hash)
        let node = Node(hash: hash, slot: Int32(truncatingIfNeeded: slot), next: buckets[bucket])
        if firstFree >= 0 {
            let index = firstFree
            firstFree = nodes[Int(index)].next
            nodes[Int(index)] = node
            buckets[bucket] = index
        } else {
            buckets[bucket] = Int32(truncatingIfNeeded: nodes.count)
            nodes.append(node)
        }
        count += 1
    }

    /// Removes one entry of a slot under a hash.
    mutating func remove(_ slot: Int, _ hash: UInt64) {
        guard !buckets.isEmpty else { return }
        let bucket = self.bucket(of: hash)
        var previous: Int32 = -1
        var index = buckets[bucket]
        while index >= 0 {
            let node = nodes[Int(index)]
            if node.hash == hash && Int(node.slot) == slot {
                if previous < 0 { buckets[bucket] = node.next } else { nodes[Int(previous)].next = node.next }
                nodes[Int(index)].next = firstFree
                firstFree = index
                count -= 1
                return
            }
            previous = index
            index = node.next
        }
    }

    /// Calls `body` with each slot under a hash.
    func forEach(_ hash: UInt64, _ body: (Int) -> Void) {
        guard !buckets.isEmpty else { return }
        var index = buckets[bucket(of: hash)]
        while index >= 0 {
            let node = nodes[Int(index)]
            if node.hash == hash { body(Int(node.slot)) }
            index = node.next
        }
    }

    private func bucket(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 7) & (buckets.count - 1) }

    private mutating func grow() {
        let size = max(64, buckets.count * 2)
        var kept = nodes
        // Free nodes are on no bucket's list.
        var isFree = [Bool](repeating: false, count: nodes.count)
        var index = firstFree
        while index >= 0 {
            isFree[Int(index)] = true
            index = nodes[Int(index)].next
        }
        buckets = [Int32](repeating: -1, count: size)
        for number in kept.indices where !isFree[number] {
            let bucket = self.bucket(of: kept[number].hash)
            kept[number].next = buckets[bucket]
            buckets[bucket] = Int32(truncatingIfNeeded: number)
        }
        nodes = kept
    }
}
