import Events

/// Decoded query results with what each was read from, bounded in bytes; the least recently used one is evicted.
///
/// A batch of changes drops exactly the results that read a changed key. Keys and prefixes are looked up, so that a
/// small batch does not visit every result; key ranges are few, because only pages have them.
struct QueryCache {
    struct Entry {
        let key: CacheKey
        let value: CachedResult
        let readSet: ReadSet
        let cost: Int
        // Neighbours in order of use.
        var newer: Int?
        var older: Int?
    }

    /// Parts of a view that were read otherwise than by key.
    private struct ViewIndex {
        /// How many results depend on prefixes of each length.
        var prefixLengths: [Int: Int] = [:]
        /// The slots of results that depend on key ranges, and on how many.
        var ranges: [Int: Int] = [:]
    }

    /// The most bytes that the results may take, by their costs.
    let limit: Int
    private(set) var byteCount = 0
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var slots: [CacheKey: Int] = [:]
    /// Keys and prefixes of all views.
    private var index = SlotIndex()
    private var viewNumbers: [String: Int] = [:]
    private var views: [ViewIndex] = []
    private var newest: Int?
    private var oldest: Int?

    init(limit: Int) { self.limit = limit }

    /// The most bytes of one result.
    var mostOfOne: Int { limit / 4 }

    var count: Int { slots.count }

    /// The cached result for a key, which becomes the most recently used.
    mutating func value(for key: CacheKey) -> CachedResult? {
        guard let slot = slots[key], let entry = entries[slot] else { return nil }
        if newest != slot {
            unlink(slot)
            link(slot)
        }
        return entry.value
    }

    /// Caches a result, unless it alone is larger than a quarter of the limit.
    mutating func insert(_ value: CachedResult, for key: CacheKey, _ readSet: ReadSet, cost: Int) {
        if let slot = slots[key] { remove(slot) }
        guard cost <= mostOfOne else { return }
        while byteCount + cost > limit, let oldest { remove(oldest) }
        let slot = free.popLast() ?? entries.count
        if slot == entries.count { entries.append(nil) }
        entries[slot] = Entry(key: key, value: value, readSet: readSet, cost: cost)
        slots[key] = slot
        byteCount += cost
        link(slot)
        enter(slot, readSet)
    }

    /// Drops the results that a batch may have changed; returns how many.
    mutating func apply(_ invalidation: Invalidation) -> Int {
        guard let changed = invalidation.keys else { return removeAll() }
        var hit: Set<Int> = []
        for (view, keys) in changed {
            guard let number = viewNumbers[view] else { continue }
            // Looking up many keys costs more than visiting every result.
            if keys.count > 4 * slots.count {
                for (slot, entry) in entries.enumerated() where entry?.readSet.isHit(by: keys, of: view) == true {
                    hit.insert(slot)
                }
            } else {
                for key in keys { key.withUnsafeBytes { find($0, view, number, &hit) } }
            }
        }
        for slot in hit { remove(slot) }
        return hit.count
    }

    private func find(_ key: UnsafeRawBufferPointer, _ view: String, _ number: Int, _ hit: inout Set<Int>) {
        func look(_ slot: Int) {
            guard !hit.contains(slot), entries[slot]?.readSet.contains(key, of: view) == true else { return }
            hit.insert(slot)
        }
        index.forEach(KeyHash.of(key, .key, view: number), look)
        for length in views[number].prefixLengths.keys where length <= key.count {
            index.forEach(KeyHash.of(key.part(0..<length), .prefix, view: number), look)
        }
        for slot in views[number].ranges.keys { look(slot) }
    }

    /// Drops everything; returns how many results there were.
    @discardableResult
    mutating func removeAll() -> Int {
        defer { self = QueryCache(limit: limit) }
        return slots.count
    }

    // MARK: Bookkeeping

    private mutating func remove(_ slot: Int) {
        guard let entry = entries[slot] else { return }
        unlink(slot)
        unindex(slot, entry.readSet)
        entries[slot] = nil
        free.append(slot)
        slots[entry.key] = nil
        byteCount -= entry.cost
    }

    private mutating func enter(_ slot: Int, _ readSet: ReadSet) {
        for view in readSet.views where viewNumbers[view] == nil {
            viewNumbers[view] = views.count
            views.append(ViewIndex())
        }
        let numbers = readSet.views.map { viewNumbers[$0] ?? 0 }
        readSet.forEachPart { view, part in
            let number = numbers[view]
            switch part.kind {
            case .key: index.insert(slot, KeyHash.of(part.first, .key, view: number))
            case .prefix:
                index.insert(slot, KeyHash.of(part.first, .prefix, view: number))
                views[number].prefixLengths[part.first.count, default: 0] += 1
            case .range, .openRange: views[number].ranges[slot, default: 0] += 1
            }
        }
    }

    private mutating func unindex(_ slot: Int, _ readSet: ReadSet) {
        let numbers = readSet.views.map { viewNumbers[$0] ?? 0 }
        readSet.forEachPart { view, part in
            let number = numbers[view]
            switch part.kind {
            case .key: index.remove(slot, KeyHash.of(part.first, .key, view: number))
            case .prefix:
                index.remove(slot, KeyHash.of(part.first, .prefix, view: number))
                let left = (views[number].prefixLengths[part.first.count] ?? 1) - 1
                views[number].prefixLengths[part.first.count] = left == 0 ? nil : left
            case .range, .openRange: views[number].ranges[slot] = nil
            }
        }
    }

    private mutating func link(_ slot: Int) {
        entries[slot]?.older = newest
        entries[slot]?.newer = nil
        if let newest { entries[newest]?.newer = slot }
        newest = slot
        if oldest == nil { oldest = slot }
    }

    private mutating func unlink(_ slot: Int) {
        guard let entry = entries[slot] else { return }
        if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
        if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
        entries[slot]?.newer = nil
        entries[slot]?.older = nil
    }
}
