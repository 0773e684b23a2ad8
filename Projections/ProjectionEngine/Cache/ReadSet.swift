import Events

/// The keys that a query read, by view: its result can change only when one of them does.
public struct ReadSet: Sendable, Hashable {
    /// Keys of a view.
    public enum Part: Sendable, Hashable {
        /// One key, whether or not there was a row.
        case key([UInt8])
        /// Every key with a prefix.
        case prefix([UInt8])
        /// The keys from the first up to, and without, the end; to the last if that is nil.
        case range([UInt8], end: [UInt8]?)
    }

    enum Kind: UInt8, Sendable {
        case key
        case prefix
        case range
        /// A range to the last key.
        case openRange
    }

    /// A part, whose bytes lie with those of all others: a page reads a hundred keys, and an array each would cost more
    /// than reading them.
    private struct StoredPart: Sendable, Hashable {
        let view: Int
        let kind: Kind
        let start: Int
        let count: Int
        /// Bytes of the end, which follows.
        let endCount: Int
    }

    /// With as many parts, some 3 MB, the views count as read whole: what walked through so many rows is hit by many changes anyway.
    static let mostParts = 49_152

    /// The views that were read.
    private(set) var views: [String] = []
    /// Which of them count as read whole.
    private var isWhole: [Bool] = []
    private var stored: [StoredPart] = []
    private var bytes: [UInt8] = []

    public init() {}

    /// The set's own memory.
    var byteCount: Int { bytes.count + stored.count * MemoryLayout<StoredPart>.stride }

    /// The parts, as values.
    public var parts: [String: [Part]] {
        var found: [String: [Part]] = [:]
        forEachPart { view, part in
            let first = [UInt8](part.first)
            let shown: Part =
                switch part.kind {
                case .key: .key(first)
                case .prefix: .prefix(first)
                case .range: .range(first, end: [UInt8](part.end))
                case .openRange: .range(first, end: nil)
                }
            found[views[view], default: []].append(shown)
        }
        return found
    }

    public mutating func add(_ part: Part, of view: String) {
        switch part {
        case .key(let key): key.withUnsafeBytes { add(.key, $0, of: view) }
        case .prefix(let prefix): prefix.withUnsafeBytes { add(.prefix, $0, of: view) }
        case .range(let first, let end):
            first.withUnsafeBytes { first in
                guard let end else { return add(.openRange, first, of: view) }
                end.withUnsafeBytes { add(.range, first, end: $0, of: view) }
            }
        }
    }

    mutating func add(
        _ kind: Kind, _ first: UnsafeRawBufferPointer, end: UnsafeRawBufferPointer = .init(start: nil, count: 0),
        of view: String
    ) {
        // A query reads one to four views.
        let number = views.firstIndex(of: view) ?? views.count
        if number == views.count {
            views.append(view)
            isWhole.append(false)
        }
        if isWhole[number] { return }
        stored.append(StoredPart(view: number, kind: kind, start: bytes.count, count: first.count, endCount: end.count))
        bytes.append(contentsOf: first)
        bytes.append(contentsOf: end)
        if stored.count == Self.mostParts { widen() }
    }

    /// Lets all views that were read so far count as read whole.
    mutating func widen() {
        bytes = []
        stored = views.indices.map { StoredPart(view: $0, kind: .openRange, start: 0, count: 0, endCount: 0) }
        isWhole = views.map { _ in true }
    }

    /// Reserves room for that many parts.
    mutating func reserve(_ count: Int) {
        stored.reserveCapacity(count)
        bytes.reserveCapacity(count * 20)
    }

    /// A part in place; valid during the call that it was passed to.
    struct PartView {
        let kind: Kind
        let first: UnsafeRawBufferPointer
        let end: UnsafeRawBufferPointer
    }

    /// Calls `body` with each part and the number of its view, in the order in which they were read.
    func forEachPart(_ body: (Int, PartView) -> Void) {
        _ = contains { view, part in
            body(view, part)
            return false
        }
    }

    /// Whether any part fulfils a condition.
    private func contains(_ condition: (_ view: Int, PartView) -> Bool) -> Bool {
        bytes.withUnsafeBytes { bytes in
            stored.contains { part in
                let middle = part.start + part.count
                return condition(
                    part.view,
                    PartView(
                        kind: part.kind, first: bytes.part(part.start..<middle),
                        end: bytes.part(middle..<middle + part.endCount)))
            }
        }
    }

    /// Whether a key of a view is in the set. O(parts).
    func contains(_ key: UnsafeRawBufferPointer, of view: String) -> Bool {
        guard let number = views.firstIndex(of: view) else { return false }
        return contains { $0 == number && $1.contains(key) }
    }

    /// Whether a batch changed a key of the set. O(parts · log(keys changed)).
    public func isHit(by invalidation: Invalidation) -> Bool {
        guard let changed = invalidation.keys else { return true }
        let keys = views.map { changed[$0] ?? [] }
        guard keys.contains(where: { !$0.isEmpty }) else { return false }
        return contains { view, part in part.isHit(by: keys[view]) }
    }

    /// The first key of a batch that is in the set; nil if there is none, or it is not named. O(parts · keys).
    func firstHit(by invalidation: Invalidation) -> ChangedKey? {
        for view in views {
            let key = invalidation.keys?[view]?.first { key in key.withUnsafeBytes { contains($0, of: view) } }
            if let key { return ChangedKey(view: view, key: key) }
        }
        return nil
    }

    /// As `isHit(by:)`, for one view and its changed keys, in order.
    func isHit(by keys: [[UInt8]], of view: String) -> Bool {
        guard let number = views.firstIndex(of: view) else { return false }
        return contains { $0 == number && $1.isHit(by: keys) }
    }
}

extension ReadSet.PartView {
    /// Whether one of some ordered keys is in this part.
    func isHit(by keys: [[UInt8]]) -> Bool {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].withUnsafeBytes({ $0.isBelow(first) }) { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low].withUnsafeBytes { contains($0) }
    }

    func contains(_ key: UnsafeRawBufferPointer) -> Bool {
        switch kind {
        case .key: key.count == first.count && key.begins(with: first)
        case .prefix: key.begins(with: first)
        case .range: !key.isBelow(first) && key.isBelow(end)
        case .openRange: !key.isBelow(first)
        }
    }
}
