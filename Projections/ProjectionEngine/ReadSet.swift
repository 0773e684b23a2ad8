/// What a query read, by view: its answer can change only when a key of these does.
public struct ReadSet: Sendable, Hashable {
    /// Keys of a view.
    public enum Part: Sendable, Hashable {
        /// One key, whether or not there was a row.
        case key([UInt8])
        /// Every key with a prefix.
        case prefix([UInt8])
        /// The keys from the first up to, and without, the end; to the last if that is nil.
        case stretch([UInt8], end: [UInt8]?)
    }

    public private(set) var parts: [String: [Part]] = [:]
    /// Bytes of the keys that are remembered: what the set itself costs.
    private(set) var byteCount = 0

    public init() {}

    public mutating func add(_ part: Part, of view: String) {
        parts[view, default: []].append(part)
        byteCount += part.byteCount
    }

    /// Whether a batch changed a key of the set. O(parts · log(keys changed)).
    public func isHit(by invalidation: Invalidation) -> Bool {
        guard let changed = invalidation.keys else { return true }
        return parts.contains { view, parts in
            guard let keys = changed[view], !keys.isEmpty else { return false }
            return parts.contains { $0.isHit(by: keys) }
        }
    }
}

extension ReadSet.Part {
    var byteCount: Int {
        switch self {
        case .key(let key), .prefix(let key): key.count + 32
        case .stretch(let first, let end): first.count + (end?.count ?? 0) + 64
        }
    }

    /// Whether one of some keys, which are in order, is of this part.
    func isHit(by keys: [[UInt8]]) -> Bool {
        let index = keys.firstIndex(atOrAfter: lowerBound)
        guard index < keys.count else { return false }
        return contains(keys[index])
    }

    private var lowerBound: [UInt8] {
        switch self {
        case .key(let key), .prefix(let key): key
        case .stretch(let first, _): first
        }
    }

    func contains(_ key: [UInt8]) -> Bool {
        switch self {
        case .key(let own): key == own
        case .prefix(let prefix): key.starts(with: prefix)
        case .stretch(let first, let end):
            !key.lexicographicallyPrecedes(first) && end.map { key.lexicographicallyPrecedes($0) } ?? true
        }
    }
}

extension [[UInt8]] {
    /// The place of the first key that is not below `key`, in an array in order. O(log n).
    fileprivate func firstIndex(atOrAfter key: [UInt8]) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
