/// Decoded answers of queries with what each was read from, under a bound of bytes; the one used longest ago makes
/// room.
///
/// A batch of changes drops exactly the answers that read a key which it changed. Keys and prefixes are looked up, so
/// that a small batch does not look at every answer; stretches are few, for pages have them alone.
struct QueryCache {
    struct Entry {
        let key: CacheKey
        let value: any Sendable
        let readSet: ReadSet
        let cost: Int
        // Neighbours in the order of use.
        var newer: Int?
        var older: Int?
    }

    private struct ViewIndex {
        var keys: [[UInt8]: Set<Int>] = [:]
        var prefixes: [[UInt8]: Set<Int>] = [:]
        /// How many answers depend on prefixes of each length.
        var prefixLengths: [Int: Int] = [:]
        var stretches: [Int: [ReadSet.Part]] = [:]
    }

    /// The most bytes that the answers may take, by their costs.
    let limit: Int
    private(set) var byteCount = 0
    private var slots: [Entry?] = []
    private var free: [Int] = []
    private var places: [CacheKey: Int] = [:]
    private var views: [String: ViewIndex] = [:]
    private var newest: Int?
    private var oldest: Int?

    init(limit: Int) { self.limit = limit }

    var count: Int { places.count }

    /// The answer kept under a key, now the one used last.
    mutating func value(for key: CacheKey) -> (any Sendable)? {
        guard let place = places[key], let entry = slots[place] else { return nil }
        if newest != place {
            unlink(place)
            link(place)
        }
        return entry.value
    }

    /// Keeps an answer, unless it alone is larger than a quarter of what may be kept.
    mutating func insert(_ value: any Sendable, for key: CacheKey, _ readSet: ReadSet, cost: Int) {
        if let place = places[key] { remove(place) }
        guard cost <= limit / 4 else { return }
        while byteCount + cost > limit, let oldest { remove(oldest) }
        let place = free.popLast() ?? slots.count
        if place == slots.count { slots.append(nil) }
        slots[place] = Entry(key: key, value: value, readSet: readSet, cost: cost)
        places[key] = place
        byteCount += cost
        link(place)
        index(place, readSet)
    }

    /// Drops the answers that a batch may have changed; answers how many there were.
    mutating func apply(_ invalidation: Invalidation) -> Int {
        guard let changed = invalidation.keys else { return removeAll() }
        var hit: Set<Int> = []
        for (view, keys) in changed {
            guard let index = views[view] else { continue }
            // A batch of many keys is dearer to look up than the answers are to go through.
            if keys.count > 4 * places.count {
                for (place, entry) in slots.enumerated() {
                    if entry?.readSet.parts[view]?.contains(where: { $0.isHit(by: keys) }) == true { hit.insert(place) }
                }
            } else {
                for key in keys { Self.find(key, index, &hit) }
            }
        }
        for place in hit { remove(place) }
        return hit.count
    }

    private static func find(_ key: [UInt8], _ index: ViewIndex, _ hit: inout Set<Int>) {
        if let places = index.keys[key] { hit.formUnion(places) }
        for length in index.prefixLengths.keys where length <= key.count {
            if let places = index.prefixes[Array(key.prefix(length))] { hit.formUnion(places) }
        }
        for (place, parts) in index.stretches where parts.contains(where: { $0.contains(key) }) { hit.insert(place) }
    }

    /// Drops everything; answers how many answers there were.
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

    private mutating func index(_ place: Int, _ readSet: ReadSet) {
        for (view, parts) in readSet.parts {
            for part in parts {
                switch part {
                case .key(let key): views[view, default: ViewIndex()].keys[key, default: []].insert(place)
                case .prefix(let prefix):
                    views[view, default: ViewIndex()].prefixLengths[prefix.count, default: 0] += 1
                    views[view, default: ViewIndex()].prefixes[prefix, default: []].insert(place)
                case .stretch: views[view, default: ViewIndex()].stretches[place, default: []].append(part)
                }
            }
        }
    }

    private mutating func unindex(_ place: Int, _ readSet: ReadSet) {
        for (view, parts) in readSet.parts {
            for part in parts {
                switch part {
                case .key(let key):
                    views[view]?.keys[key]?.remove(place)
                    if views[view]?.keys[key]?.isEmpty == true { views[view]?.keys[key] = nil }
                case .prefix(let prefix):
                    let left = (views[view]?.prefixLengths[prefix.count] ?? 1) - 1
                    views[view]?.prefixLengths[prefix.count] = left == 0 ? nil : left
                    views[view]?.prefixes[prefix]?.remove(place)
                    if views[view]?.prefixes[prefix]?.isEmpty == true { views[view]?.prefixes[prefix] = nil }
                case .stretch: views[view]?.stretches[place] = nil
                }
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

/// What names a query: any value that tells it from all others.
struct CacheKey: Hashable, Sendable {
    private let base: any Hashable & Sendable

    init(_ base: some Hashable & Sendable) { self.base = base }

    static func == (a: CacheKey, b: CacheKey) -> Bool { AnyHashable(a.base) == AnyHashable(b.base) }

    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}
