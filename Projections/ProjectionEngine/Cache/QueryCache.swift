import Events

/// Decoded query results with what each was read from, bounded in bytes; the least recently used one is evicted.
///
/// A batch of changes drops exactly the results that read a changed key. Keys and prefixes are looked up, so that a
/// small batch does not visit every result; key ranges are few, because only pages have them.
struct QueryCache {
    struct Entry {
        let key: CacheKey
        let value: KeptAnswer
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
        var stretches: [Int: Int] = [:]
    }

    /// The most bytes that the results may take, by their costs.
    let limit: Int
    private(set) var byteCount = 0
    private var slots: [Entry?] = []
    private var free: [Int] = []
    private var places: [CacheKey: Int] = [:]
    /// Keys and prefixes of all views.
    private var index = PlaceIndex()
    private var viewNumbers: [String: Int] = [:]
    private var views: [ViewIndex] = []
    private var newest: Int?
    private var oldest: Int?

    init(limit: Int) { self.limit = limit }

    var count: Int { places.count }

    /// The cached result for a key, which becomes the most recently used.
    mutating func value(for key: CacheKey) -> KeptAnswer? {
        guard let place = places[key], let entry = slots[place] else { return nil }
        if newest != place {
            unlink(place)
            link(place)
        }
        return entry.value
    }

    /// Caches a result, unless it alone is larger than a quarter of the limit.
    mutating func insert(_ value: KeptAnswer, for key: CacheKey, _ readSet: ReadSet, cost: Int) {
        if let place = places[key] { remove(place) }
        guard cost <= limit / 4 else { return }
        while byteCount + cost > limit, let oldest { remove(oldest) }
        let place = free.popLast() ?? slots.count
        if place == slots.count { slots.append(nil) }
        slots[place] = Entry(key: key, value: value, readSet: readSet, cost: cost)
        places[key] = place
        byteCount += cost
        link(place)
        enter(place, readSet)
    }

    /// Drops the results that a batch may have changed; returns how many.
    mutating func apply(_ invalidation: Invalidation) -> Int {
        guard let changed = invalidation.keys else { return removeAll() }
        var hit: Set<Int> = []
        for (view, keys) in changed {
            guard let number = viewNumbers[view] else { continue }
            // Looking up many keys costs more than visiting every result.
            if keys.count > 4 * places.count {
                for (place, entry) in slots.enumerated() where entry?.readSet.isHit(by: keys, of: view) == true {
                    hit.insert(place)
                }
            } else {
                for key in keys { key.withUnsafeBytes { find($0, view, number, &hit) } }
            }
        }
        for place in hit { remove(place) }
        return hit.count
    }

    private func find(_ key: UnsafeRawBufferPointer, _ view: String, _ number: Int, _ hit: inout Set<Int>) {
        func look(_ place: Int) {
            guard !hit.contains(place), slots[place]?.readSet.contains(key, of: view) == true else { return }
            hit.insert(place)
        }
        index.forEach(KeyHash.of(key, .key, view: number), look)
        for length in views[number].prefixLengths.keys where length <= key.count {
            index.forEach(KeyHash.of(key.part(0..<length), .prefix, view: number), look)
        }
        for place in views[number].stretches.keys { look(place) }
    }

    /// Drops everything; returns how many results there were.
    @discardableResult
    mutating func removeAll() -> Int {
        defer { self = QueryCache(limit: limit) }
        return places.count
    }

    // MARK: Bookkeeping

    private mutating func remove(_ place: Int) {
        guard let entry = slots[place] else { return }
        unlink(place)
        unindex(place, entry.readSet)
        slots[place] = nil
        free.append(place)
        places[entry.key] = nil
        byteCount -= entry.cost
    }

    private mutating func enter(_ place: Int, _ readSet: ReadSet) {
        for view in readSet.views where viewNumbers[view] == nil {
            viewNumbers[view] = views.count
            views.append(ViewIndex())
        }
        let numbers = readSet.views.map { viewNumbers[$0] ?? 0 }
        readSet.forEachPart { view, part in
            let number = numbers[view]
            switch part.kind {
            case .key: index.insert(place, KeyHash.of(part.first, .key, view: number))
            case .prefix:
                index.insert(place, KeyHash.of(part.first, .prefix, view: number))
                views[number].prefixLengths[part.first.count, default: 0] += 1
            case .stretch, .openStretch: views[number].stretches[place, default: 0] += 1
            }
        }
    }

    private mutating func unindex(_ place: Int, _ readSet: ReadSet) {
        let numbers = readSet.views.map { viewNumbers[$0] ?? 0 }
        readSet.forEachPart { view, part in
            let number = numbers[view]
            switch part.kind {
            case .key: index.remove(place, KeyHash.of(part.first, .key, view: number))
            case .prefix:
                index.remove(place, KeyHash.of(part.first, .prefix, view: number))
                let left = (views[number].prefixLengths[part.first.count] ?? 1) - 1
                views[number].prefixLengths[part.first.count] = left == 0 ? nil : left
            case .stretch, .openStretch: views[number].stretches[place] = nil
            }
        }
    }

    private mutating func link(_ place: Int) {
        slots[place]?.older = newest
        slots[place]?.newer = nil
        if let newest { slots[newest]?.newer = place }
        newest = place
        if oldest == nil { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        guard let entry = slots[place] else { return }
        if let newer = entry.newer { slots[newer]?.older = entry.older } else { newest = entry.older }
        if let older = entry.older { slots[older]?.newer = entry.newer } else { oldest = entry.newer }
        slots[place]?.newer = nil
        slots[place]?.older = nil
    }
}
