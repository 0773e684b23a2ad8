/// The record of one tree in the file.
package struct TreeRecord: Hashable {
    package var flags: UInt16
    package var depth: Int
    package var branchPages: UInt
    package var leafPages: UInt
    package var overflowPages: UInt
    package var entries: UInt
    package var root: UInt

    /// From `PageLayout.treeRecord` bytes.
    package init(_ bytes: UnsafeRawBufferPointer) {
        let word = PageLayout.word
        flags = bytes.number(at: 4)
        depth = Int(bytes.number(at: 6, as: UInt16.self))
        branchPages = bytes.number(at: 8)
        leafPages = bytes.number(at: 8 + word)
        overflowPages = bytes.number(at: 8 + 2 * word)
        entries = bytes.number(at: 8 + 3 * word)
        root = bytes.number(at: 8 + 4 * word)
    }

    package var isEmpty: Bool { root == PageLayout.noPage }

    private init() {
        (flags, depth, branchPages, leafPages, overflowPages, entries) = (0, 0, 0, 0, 0, 0)
        root = PageLayout.noPage
    }

    /// A table without rows.
    package static let empty = TreeRecord()

    /// The bytes that `init` reads.
    package func encoded() -> [UInt8] {
        let numbers = [branchPages, leafPages, overflowPages, entries, root]
        var bytes: [UInt8] = [0, 0, 0, 0]
        for half in [flags, UInt16(depth)] { withUnsafeBytes(of: half) { bytes += $0 } }
        for number in numbers { withUnsafeBytes(of: number) { bytes += $0 } }
        return bytes
    }
}

/// One of the two pages that a snapshot starts from. Transaction n writes page n mod 2.
///
/// A commit writes everything from `mapSize` on, in one write; the fields before it are constant once the file is made.
/// So a crash leaves those of both pages intact, and at worst the rest of the older page torn, which LMDB then
/// overwrites unread.
package struct MetaPage: Hashable {
    package let isMeta: Bool
    package let magic: UInt32
    package let version: UInt32
    package let pageSize: Int
    package let mapSize: UInt
    package let freeList: TreeRecord
    package let main: TreeRecord
    package let lastPage: UInt
    package let transaction: UInt

    /// Bytes to read: the header of the page and what follows.
    package static let size = PageLayout.header + PageLayout.meta

    /// The page as LMDB lays it out in a new file, with an existing tree.
    package static func initial(
        _ number: Int, pageSize: Int, lastPage: UInt, main: TreeRecord, transaction: UInt
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ value: some FixedWidthInteger & BitwiseCopyable) { withUnsafeBytes(of: value) { bytes += $0 } }
        add(UInt(number))
        for half: UInt16 in [0, PageLayout.PageFlags.meta, 0, 0] { add(half) }
        add(PageLayout.magic)
        add(PageLayout.version)
        // The map's address, which is never fixed, and its size, which each process that opens the file chooses.
        add(UInt(0))
        add((lastPage + 1) * UInt(pageSize))
        var freeList = TreeRecord.empty
        freeList.flags = PageLayout.TreeFlags.integerKey
        // The page size lies where other trees have padding.
        var free = freeList.encoded()
        withUnsafeBytes(of: UInt32(pageSize)) { free.replaceSubrange(0..<4, with: $0) }
        bytes += free
        bytes += main.encoded()
        add(lastPage)
        add(transaction)
        bytes += [UInt8](repeating: 0, count: pageSize - bytes.count)
        return bytes
    }

    /// From `size` bytes.
    package init(_ bytes: UnsafeRawBufferPointer) {
        let word = PageLayout.word
        let flags: UInt16 = bytes.number(at: word + 2)
        isMeta = flags & PageLayout.PageFlags.meta != 0
        let content = UnsafeRawBufferPointer(rebasing: bytes[PageLayout.header...])
        magic = content.number(at: 0)
        version = content.number(at: 4)
        mapSize = content.number(at: 8 + word)
        let trees = 8 + 2 * word
        // The record of the free list has the size of a page where others have padding.
        pageSize = Int(content.number(at: trees, as: UInt32.self))
        freeList = TreeRecord(UnsafeRawBufferPointer(rebasing: content[trees...]))
        main = TreeRecord(UnsafeRawBufferPointer(rebasing: content[(trees + PageLayout.treeRecord)...]))
        lastPage = content.number(at: trees + 2 * PageLayout.treeRecord)
        transaction = content.number(at: trees + 2 * PageLayout.treeRecord + word)
    }
}
