/// Some of the leaves of a payload, by number: 0 is everything before the first event, and *n* + 1 the event with index
/// *n*.
public struct LeafSet: Hashable, Sendable {
    /// One more than the greatest leaf number.
    public static let limit = UInt32(Payload.mostEvents + 1)

    /// Ascending and unique.
    public let leaves: [UInt32]

    /// Drops numbers from `limit` on: there are no such leaves.
    public init(_ leaves: some Sequence<UInt32>) {
        self.leaves = Set(leaves.lazy.filter { $0 < Self.limit }).sorted()
    }

    private init(ascending leaves: [UInt32]) { self.leaves = leaves }

    /// The leaves of events.
    public init(events: some Sequence<Int>) {
        self.init(events.compactMap { UInt32(exactly: $0).map { $0 &+ 1 } })
    }

    /// The indexes of the events among them.
    public var events: [Int] { leaves.filter { $0 > 0 }.map { Int($0) - 1 } }

    public var isEmpty: Bool { leaves.isEmpty }

    public func contains(_ leaf: UInt32) -> Bool {
        let index = leaves.partitioningIndex { $0 >= leaf }
        return index < leaves.count && leaves[index] == leaf
    }

    /// O(both).
    public func union(_ other: LeafSet) -> LeafSet {
        var merged: [UInt32] = []
        merged.reserveCapacity(leaves.count + other.leaves.count)
        var (one, two) = (leaves[...], other.leaves[...])
        while let a = one.first, let b = two.first {
            merged.append(min(a, b))
            if a <= b { one.removeFirst() }
            if b <= a { two.removeFirst() }
        }
        return LeafSet(ascending: merged + one + two)
    }

    /// The leaves that another set lacks. O(both).
    package func subtracting(_ other: LeafSet) -> LeafSet { filtered(by: other, keepingCommon: false) }

    /// The leaves that both have. O(both).
    package func intersection(_ other: LeafSet) -> LeafSet { filtered(by: other, keepingCommon: true) }

    private func filtered(by other: LeafSet, keepingCommon: Bool) -> LeafSet {
        var rest = other.leaves[...]
        return LeafSet(
            ascending: leaves.filter { leaf in
                while let next = rest.first, next < leaf { rest.removeFirst() }
                return (rest.first == leaf) == keepingCommon
            })
    }

    public func isSubset(of other: LeafSet) -> Bool {
        leaves.count <= other.leaves.count && leaves.allSatisfy(other.contains)
    }

    /// Each number as the count of skipped numbers since the previous one: mostly varints of one byte.
    public func encoded() -> [UInt8] {
        var writer = WireWriter()
        var next: UInt32 = 0
        for leaf in leaves {
            writer.rawVarint(UInt64(leaf - next))
            next = leaf + 1
        }
        return writer.bytes
    }

    /// Throws `WireError` if a number is beyond all leaves, or not in its shortest form.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var leaves: [UInt32] = []
        var reader = LeafReader(bytes)
        while let leaf = try reader.next() { leaves.append(leaf) }
        self.leaves = leaves
    }
}

/// Reads the leaves of an encoded set one by one.
package struct LeafReader {
    private var reader: WireReader
    private var least: UInt64 = 0

    package init(_ bytes: UnsafeRawBufferPointer) { reader = WireReader(bytes) }

    package mutating func next() throws(WireError) -> UInt32? {
        guard !reader.isAtEnd else { return nil }
        let start = reader.offset
        let gap = try reader.rawVarint()
        guard reader.offset - start == wireSize(ofVarint: gap), gap < UInt64(LeafSet.limit),
            let leaf = UInt32(exactly: least + gap), leaf < LeafSet.limit
        else { throw WireError("a set of leaves has a number that none has, or not in its shortest form") }
        least = UInt64(leaf) + 1
        return leaf
    }
}

/// Assigns the remaining events of a partly erased payload their original indexes.
struct EventIndexes {
    private var erased: LeafReader?
    /// The next erased leaf.
    private var hole = UInt32.max
    private var leaf: UInt32 = 0

    /// `erased` are the encoded erased leaves; nil if there are none.
    @inline(__always)
    init(without erased: UnsafeRawBufferPointer?) {
        guard let erased else { return }
        self.erased = LeafReader(erased)
        advance()
        // Leaf 0, before the events, has no index.
        if hole == 0 { advance() }
    }

    private mutating func advance() { hole = (try? erased?.next()) ?? .max }

    /// The index of the next event.
    @inline(__always)
    mutating func next() -> Int {
        leaf += 1
        while leaf == hole {
            advance()
            leaf += 1
        }
        return Int(leaf) - 1
    }
}

extension Array {
    /// The first index whose element fulfils a predicate that all elements before it do not and all after it do.
    fileprivate func partitioningIndex(_ predicate: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
