internal import CLMDB

/// Finds rows of one table in the pages of a snapshot, without LMDB: that takes a third of the instructions.
///
/// It goes the way that LMDB goes, from the root down, by the order of the keys' bytes. It looks at nothing outside of the
/// pages that are in use, and answers nil where something is not as LMDB writes it: then LMDB is to be asked, which knows
/// more, or says what is wrong.
struct TreeReader {
    private let pages: MapBounds
    private let root: UInt

    /// Nil for what LMDB alone can answer: a write transaction, which has pages of its own, and a table without rows.
    init?(_ transaction: borrowing ReadTransaction, _ table: Table) {
        guard let pages = transaction.bounds, let root = Self.root(of: table, transaction) else { return nil }
        self.pages = pages
        self.root = root
    }

    @inline(__always)
    private static func root(of table: Table, _ transaction: borrowing ReadTransaction) -> UInt? {
        if let known = transaction.roots?[table] { return known }
        return lookUp(table, transaction)
    }

    /// A table is a row in the table of tables, whose value says where its tree begins.
    @inline(never)
    private static func lookUp(_ table: Table, _ transaction: borrowing ReadTransaction) -> UInt? {
        let tableOfTables: MDB_dbi = 1
        let raw = transaction.raw
        var name = table.name
        let root: UInt? = name.withUTF8 { name in
            var key = MDB_val(UnsafeRawBufferPointer(name))
            var value = MDB_val()
            guard mdb_get(raw, tableOfTables, &key, &value) == MDB_SUCCESS, transaction.bounds?.contain(value) == true,
                value.mv_size == PageLayout.treeRecord
            else { return nil }
            let record = TreeRecord(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
            return record.isEmpty || record.root == 0 ? nil : record.root
        }
        if let root { transaction.roots?.note(root, of: table) }
        return root
    }

    /// The leaf where a key lies, or would lie.
    func leaf(for key: UnsafeRawBufferPointer) -> LeafReader? {
        guard let key = SearchKey(key) else { return nil }
        var number = root
        for _ in 0..<PageLayout.maximumDepth {
            guard let page = PageReader(pages, number) else { return nil }
            if page.isLeaf { return LeafReader(page, pages) }
            guard page.isBranch, let child = page.child(for: key) else { return nil }
            number = child
        }
        return nil
    }
}

/// A key to look for, with its first bytes at hand.
struct SearchKey {
    fileprivate let start: UnsafeRawPointer
    fileprivate let count: Int
    /// Its first eight bytes as a number of their order, if it has as many.
    fileprivate let head: UInt64

    /// Nil for a key of no bytes, which is none to LMDB.
    @inline(__always)
    init?(_ key: UnsafeRawBufferPointer) {
        guard let start = key.baseAddress, key.count > 0 else { return nil }
        self.start = start
        count = key.count
        head = count < 8 ? 0 : UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
    }

    /// How it lies to a key in a page: below it if negative, equal if 0, else above.
    @inline(never)
    fileprivate func order(to other: UnsafeRawPointer, _ otherCount: Int) -> Int {
        let shared = min(count, otherCount)
        var place = 0
        while place + 8 <= shared {
            let one = UInt64(bigEndian: start.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let two = UInt64(bigEndian: other.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            if one != two { return one < two ? -1 : 1 }
            place += 8
        }
        while place < shared {
            let one = start.load(fromByteOffset: place, as: UInt8.self)
            let two = other.load(fromByteOffset: place, as: UInt8.self)
            if one != two { return one < two ? -1 : 1 }
            place += 1
        }
        return count - otherCount
    }
}

/// A page of a tree, in the map.
///
/// Sound: the page lies within those in use, and every offset in it is held against its end before it is followed.
private struct PageReader {
    let start: UnsafeRawPointer
    let size: Int
    let flags: UInt16
    /// How many rows it has.
    let count: Int

    @inline(__always)
    init?(_ pages: MapBounds, _ number: UInt) {
        guard let start = pages.page(number) else { return nil }
        let lower = Int(start.load(fromByteOffset: PageLayout.word + 4, as: UInt16.self))
        guard start.load(as: UInt.self) == number, lower >= PageLayout.header, lower <= pages.pageSize else { return nil }
        self.start = start
        size = pages.pageSize
        flags = start.load(fromByteOffset: PageLayout.word + 2, as: UInt16.self)
        count = (lower - PageLayout.header) / 2
    }

    var isLeaf: Bool { flags == PageLayout.PageFlags.leaf }
    var isBranch: Bool { flags == PageLayout.PageFlags.branch }

    /// Where a row begins, and how long its key is, which lies within the page.
    @inline(__always)
    func node(_ index: Int) -> (start: UnsafeRawPointer, keySize: Int)? {
        let offset = Int(start.load(fromByteOffset: PageLayout.header + 2 * index, as: UInt16.self))
        // Rows begin at even places.
        guard offset & 1 == 0, offset + PageLayout.nodeHeader <= size else { return nil }
        let keySize = Int(start.load(fromByteOffset: offset + 6, as: UInt16.self))
        guard offset + PageLayout.nodeHeader + keySize <= size else { return nil }
        return (start + offset, keySize)
    }

    /// The first row from `first` on whose key is not below one that is looked for; `count` if all are.
    @inline(__always)
    func search(_ key: SearchKey, from first: Int) -> (index: Int, isEqual: Bool)? {
        var low = first
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            let offset = Int(start.load(fromByteOffset: PageLayout.header &+ middle &<< 1, as: UInt16.self))
            let end = offset &+ PageLayout.nodeHeader
            // Rows begin at even places.
            guard offset & 1 == 0, end <= size else { return nil }
            let other = start + end
            let otherCount = Int(start.load(fromByteOffset: offset &+ 6, as: UInt16.self))
            guard end &+ otherCount <= size else { return nil }
            var isAbove: Bool
            if otherCount >= 8, key.count >= 8,
                case let head = UInt64(bigEndian: other.loadUnaligned(as: UInt64.self)), head != key.head
            {
                isAbove = key.head > head
            } else {
                let order = key.order(to: other, otherCount)
                if order == 0 { return (middle, true) }
                isAbove = order > 0
            }
            if isAbove { low = middle &+ 1 } else { high = middle }
        }
        return (low, false)
    }

    /// The page below a branch where a key lies or would lie. The first key of a branch stands for all below the second.
    @inline(__always)
    func child(for key: SearchKey) -> UInt? {
        guard count > 0, let found = search(key, from: 1), let node = node(found.isEqual ? found.index : found.index - 1)
        else { return nil }
        let low = UInt(node.start.loadUnaligned(as: UInt32.self))
        // On machines of 64 bits the upper part of the page's number is where a leaf has flags.
        guard PageLayout.word == 8 else { return low }
        return low | UInt(node.start.load(fromByteOffset: 4, as: UInt16.self)) << 32
    }
}

/// The rows of one leaf, in the map; valid as long as the snapshot.
struct LeafReader {
    private let page: PageReader
    private let pages: MapBounds

    fileprivate init(_ page: PageReader, _ pages: MapBounds) {
        self.page = page
        self.pages = pages
    }

    var count: Int { page.count }

    /// The first row whose key is not below one that is looked for, and whether it is that; `count` if all are.
    func place(of key: UnsafeRawBufferPointer) -> (index: Int, isEqual: Bool)? {
        SearchKey(key).flatMap { page.search($0, from: 0) }
    }

    /// The value under a key: of the outer optional nil if LMDB is to be asked, of the inner if there is none.
    @inline(__always)
    func value(of key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?? {
        guard let place = place(of: key) else { return nil }
        guard place.isEqual else { return .some(nil) }
        return row(place.index).map { .some($0.value) }
    }

    /// Whether a key, if it is anywhere, is here: between the first and the last.
    func spans(_ key: UnsafeRawBufferPointer) -> Bool {
        guard count > 0, let key = SearchKey(key), let first = page.node(0), let last = page.node(count - 1) else {
            return false
        }
        return key.order(to: first.start + PageLayout.nodeHeader, first.keySize) >= 0
            && key.order(to: last.start + PageLayout.nodeHeader, last.keySize) <= 0
    }

    /// A row, by its number below `count`.
    @inline(__always)
    func row(_ index: Int) -> Cursor.Row? {
        guard let node = page.node(index) else { return nil }
        let key = node.start + PageLayout.nodeHeader
        let size = Int(node.start.loadUnaligned(as: UInt32.self))
        let value = key + node.keySize
        switch node.start.load(fromByteOffset: 4, as: UInt16.self) {
        case 0:
            guard size <= page.size - (page.start.distance(to: value)) else { return nil }
            return Cursor.Row(
                key: UnsafeRawBufferPointer(start: key, count: node.keySize),
                value: UnsafeRawBufferPointer(start: value, count: size))
        case PageLayout.NodeFlags.bigData:
            guard PageLayout.word <= page.size - page.start.distance(to: value),
                let far = pages.overflow(value.loadUnaligned(as: UInt.self), size: size)
            else { return nil }
            return Cursor.Row(key: UnsafeRawBufferPointer(start: key, count: node.keySize), value: far)
        default: return nil
        }
    }
}
