/// A page of a tree, in the map; valid as long as the snapshot.
///
/// Sound: the page lies within those in use, and every offset in it is held against its end before it is followed.
struct PageReader {
    // Numbers as narrow as the format has them, so that a page is handed on in two words.
    private let start: UnsafeRawPointer
    private let pageSize: UInt16
    let kind: UInt16
    private let rows: UInt16

    /// Nil where no page of a tree with that number begins.
    @inline(__always)
    init?(_ pages: MapBounds, _ number: UInt) {
        guard let start = pages.page(number), start.load(as: UInt.self) == number else { return nil }
        let lower = Int(start.load(fromByteOffset: PageLayout.word + 4, as: UInt16.self))
        let kind = start.load(fromByteOffset: PageLayout.word + 2, as: UInt16.self)
        guard lower > PageLayout.header, lower <= pages.pageSize,
            kind == PageLayout.PageFlags.leaf || kind == PageLayout.PageFlags.branch
        else { return nil }
        self.start = start
        self.kind = kind
        // `PageLayout.pageSizes` ends below what 16 bits hold.
        pageSize = UInt16(truncatingIfNeeded: pages.pageSize)
        rows = UInt16(truncatingIfNeeded: (lower - PageLayout.header) / 2)
    }

    /// How many rows it has; at least one.
    var count: Int { Int(rows) }
    var isLeaf: Bool { kind == PageLayout.PageFlags.leaf }
    private var size: Int { Int(pageSize) }

    @inline(__always)
    private func offset(_ index: Int) -> Int {
        Int(start.load(fromByteOffset: PageLayout.header &+ index &<< 1, as: UInt16.self))
    }

    /// The key of a row by its number below `count`; nil if it does not lie within the page.
    @inline(__always)
    func key(_ index: Int) -> UnsafeRawBufferPointer? {
        let offset = offset(index)
        let end = offset &+ PageLayout.nodeHeader
        // Rows begin at even places.
        guard offset & 1 == 0, end <= size else { return nil }
        let count = Int(start.load(fromByteOffset: offset &+ 6, as: UInt16.self))
        guard end &+ count <= size else { return nil }
        return UnsafeRawBufferPointer(start: start + end, count: count)
    }

    /// The first row from `first` on whose key is not below one that is looked for, and whether it is that; `count` if all
    /// are below. Nil if a row is not as it should be.
    @inline(__always)
    func search(_ key: SearchKey, from first: Int = 0) -> (index: Int, isEqual: Bool)? {
        var low = first
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            guard let other = self.key(middle) else { return nil }
            let order = key.order(to: other)
            if order == 0 { return (middle, true) }
            if order > 0 { low = middle &+ 1 } else { high = middle }
        }
        return (low, false)
    }

    /// The page below a branch where a key lies or would lie. The first key of a branch stands for all below the second.
    @inline(__always)
    func child(for key: SearchKey) -> UInt? {
        guard let found = search(key, from: 1) else { return nil }
        return child(found.isEqual ? found.index : found.index - 1)
    }

    /// The page below a row of a branch.
    @inline(__always)
    func child(_ index: Int) -> UInt? {
        let offset = offset(index)
        guard offset & 1 == 0, offset + PageLayout.nodeHeader <= size else { return nil }
        let low = UInt((start + offset).loadUnaligned(as: UInt32.self))
        // On machines of 64 bits the upper part of the page's number is where a leaf has flags.
        guard PageLayout.word == 8 else { return low }
        return low | UInt(start.load(fromByteOffset: offset + 4, as: UInt16.self)) &<< 32
    }

    /// A row of a leaf; nil if it is no key with a value.
    @inline(__always)
    func row(_ index: Int, _ pages: MapBounds) -> Cursor.Row? {
        guard let key = key(index), let end = key.baseAddress.map({ $0 + key.count }) else { return nil }
        let left = size - (end - start)
        let node = offset(index)
        let count = UInt((start + node).loadUnaligned(as: UInt32.self))
        switch start.load(fromByteOffset: node + 4, as: UInt16.self) {
        case 0:
            guard count <= UInt(left) else { return nil }
            return Cursor.Row(key: key, value: UnsafeRawBufferPointer(start: end, count: Int(count)))
        case PageLayout.NodeFlags.bigData:
            guard left >= PageLayout.word, let value = pages.overflow(end.loadUnaligned(as: UInt.self), size: count)
            else { return nil }
            return Cursor.Row(key: key, value: value)
        default: return nil
        }
    }

    /// Whether a key, if it is anywhere, is here: between the first and the last.
    func spans(_ key: SearchKey) -> Bool {
        guard let first = self.key(0), let last = self.key(count - 1) else { return false }
        return key.order(to: first) >= 0 && key.order(to: last) <= 0
    }
}
