import Foundation
package import Platform

/// Walks every tree of a snapshot by plain reads and notes what is not as LMDB leaves it.
///
/// Every number is checked against the file, the page or the tree before it is used, and no page is read twice: so the
/// walk ends, whatever the file holds. Needs one bit a page, and the pages from a root to a leaf.
package struct StructureCheck {
    /// The walk stops after this many faults.
    package static let mostFaults = 1000

    package let file: DataFile
    package let meta: MetaPage
    package let filePages: UInt
    package private(set) var faults: [StructureFault] = []
    package var used: PageSet

    /// A check of the snapshot that starts at `meta`, whose content `DataFile` found no fault in.
    package init(_ file: DataFile, _ meta: MetaPage, filePages: UInt) {
        self.file = file
        self.meta = meta
        self.filePages = filePages
        used = PageSet(below: meta.lastPage + 1)
        _ = used.insert(0)
        _ = used.insert(1)
    }

    /// Walks everything.
    package mutating func run() throws(StorageError) {
        try walkFreeList()
        try walk(Tree(.main, meta.main))
        // After other faults, whole trees may not have been walked: then most pages seem lost.
        guard faults.isEmpty, used.missing > 0 else { return }
        if let page = used.firstMissing(from: filePages) {
            note(.fileTooShort, nil, page, "used, but the file ends at \(filePages) of \(meta.lastPage + 1) pages")
        } else if let page = used.firstMissing(from: 0) {
            note(.lostPages, nil, page, "the first of \(used.missing) pages that are neither used nor listed as free")
        }
    }

    /// Walks the free list alone.
    package mutating func walkFreeList() throws(StorageError) {
        try walk(Tree(.freeList, meta.freeList))
    }

    /// The first page from `start` on that no walked tree has named.
    package func firstUnusedPage(from start: UInt) -> UInt? { used.firstMissing(from: start) }

    /// A tree and what was found of it so far.
    package struct Tree {
        package enum Role: Hashable {
            case freeList
            case main
            case named(String)
        }

        package let role: Role
        package let record: TreeRecord
        package var branchPages: UInt = 0
        package var leafPages: UInt = 0
        package var overflowPages: UInt = 0
        package var entries: UInt = 0

        package init(_ role: Role, _ record: TreeRecord) {
            self.role = role
            self.record = record
        }

        package var order: KeyOrder { role == .freeList ? .numbers : .bytes }
    }

    /// Bounds of a page's keys: at or after the first, before the second.
    private struct KeyRange {
        var lower: ArraySlice<UInt8>?
        var upper: ArraySlice<UInt8>?
    }

    package mutating func note(_ kind: StructureFault.Kind, _ role: Tree.Role?, _ page: UInt?, _ words: String) {
        guard faults.count < Self.mostFaults else { return }
        var table: String?
        var location: [String] = []
        switch role {
        case .freeList: location = ["free list"]
        case .main: location = ["main table"]
        case .named(let name):
            location = ["table '\(name)'"]
            table = name
        case nil: break
        }
        if let page { location.append("page \(page)") }
        faults.append(
            StructureFault(
                kind: kind, table: table, page: page, description: location.joined(separator: ", ") + ": " + words))
    }

    package mutating func walk(_ tree: Tree) throws(StorageError) {
        var tree = tree
        let record = tree.record
        let faultsBefore = faults.count
        if case .named = tree.role, record.flags != 0 {
            return note(.tableFlags, tree.role, nil, "flags 0x\(String(record.flags, radix: 16))")
        }
        if !record.isEmpty {
            guard (1...PageLayout.maximumDepth).contains(record.depth) else {
                return note(.treeDepth, tree.role, record.root, "a depth of \(record.depth)")
            }
            try visit(record.root, 1, KeyRange(), &tree)
        } else if record.depth != 0 {
            note(.treeDepth, tree.role, nil, "a depth of \(record.depth) without a page")
        }
        // After other faults the counts differ for that reason alone.
        guard faults.count == faultsBefore else { return }
        let counts = [
            ("rows", record.entries, tree.entries), ("branch pages", record.branchPages, tree.branchPages),
            ("leaf pages", record.leafPages, tree.leafPages),
            ("overflow pages", record.overflowPages, tree.overflowPages),
        ]
        for (what, claimed, found) in counts where claimed != found {
            note(.treeCounts, tree.role, record.isEmpty ? nil : record.root, "\(claimed) \(what), \(found) found")
        }
    }

    private mutating func visit(
        _ number: UInt, _ level: Int, _ range: KeyRange, _ tree: inout Tree
    ) throws(StorageError) {
        guard faults.count < Self.mostFaults, claim(number, tree.role) else { return }
        let isLeaf = level == tree.record.depth
        guard let page = try page(number, isLeaf: isLeaf, tree.role) else { return }
        // Only the free list may have a branch with one child; LMDB stops the program over any other.
        let fewest = isLeaf || tree.role == .freeList ? 1 : 2
        guard page.nodes.count >= fewest else {
            return note(.pageLayout, tree.role, number, "\(page.nodes.count) rows")
        }
        guard checkKeys(page, number, isLeaf: isLeaf, range, tree) else { return }
        if isLeaf {
            tree.leafPages += 1
            tree.entries += UInt(page.nodes.count)
            for index in page.nodes.indices { try visitRow(index, of: page, number, &tree) }
            return
        }
        tree.branchPages += 1
        for (index, node) in page.nodes.enumerated() {
            let lower = index == 0 ? range.lower : page.key(index)
            let upper = index + 1 < page.nodes.count ? page.key(index + 1) : range.upper
            try visit(node.payload, level + 1, KeyRange(lower: lower, upper: upper), &tree)
        }
    }

    /// Claims a page as used; returns false if it cannot be.
    package mutating func claim(_ number: UInt, _ role: Tree.Role) -> Bool {
        guard number >= 2, number <= meta.lastPage, number < filePages else {
            note(.pageOutOfRange, role, number, "the file has \(filePages) pages, \(meta.lastPage + 1) are in use")
            return false
        }
        guard used.insert(number) else {
            note(.pageUsedTwice, role, number, "used in another place too")
            return false
        }
        return true
    }

    /// A page of a tree, or nil after its fault was noted.
    private mutating func page(_ number: UInt, isLeaf: Bool, _ role: Tree.Role) throws(StorageError) -> PageView? {
        let bytes = try file.bytes(meta.pageSize, at: Int(number) * meta.pageSize)
        guard bytes.count == meta.pageSize else {
            note(.fileTooShort, role, number, "\(bytes.count) of \(meta.pageSize) bytes")
            return nil
        }
        let expected = isLeaf ? PageLayout.PageFlags.leaf : PageLayout.PageFlags.branch
        guard checkHeader(bytes, number, flags: expected, role) else { return nil }
        do {
            return try PageView(bytes, isLeaf: isLeaf)
        } catch {
            note(error.kind, role, number, error.words)
            return nil
        }
    }

    package mutating func checkHeader(_ bytes: [UInt8], _ number: UInt, flags: UInt16, _ role: Tree.Role) -> Bool {
        let (ownNumber, ownFlags) = bytes.withUnsafeBytes { page in
            (page.number(at: 0, as: UInt.self), page.number(at: PageLayout.word + 2, as: UInt16.self))
        }
        guard ownNumber == number else {
            note(.pageHeader, role, number, "calls itself page \(ownNumber)")
            return false
        }
        guard ownFlags == flags else {
            let kinds = [PageLayout.PageFlags.branch, PageLayout.PageFlags.leaf]
            let isOtherLevel = kinds.contains(ownFlags) && kinds.contains(flags)
            note(
                isOtherLevel ? .treeDepth : .pageHeader, role, number,
                "flags 0x\(String(ownFlags, radix: 16)) where 0x\(String(flags, radix: 16)) belongs")
            return false
        }
        return true
    }

    private mutating func checkKeys(
        _ page: PageView, _ number: UInt, isLeaf: Bool, _ range: KeyRange, _ tree: Tree
    ) -> Bool {
        // The first key of a branch is never compared.
        let first = isLeaf ? 0 : 1
        if tree.order == .numbers,
            let index = page.nodes.indices.dropFirst(first).first(where: { page.nodes[$0].keySize != PageLayout.word })
        {
            note(.keySize, tree.role, number, "row \(index) has a key of \(page.nodes[index].keySize) bytes")
            return false
        }
        if let index = page.firstOutOfOrder(from: first, tree.order) {
            note(.keyOrder, tree.role, number, "row \(index) is not above the one before it")
            return false
        }
        guard page.nodes.count > first else { return true }
        if let lower = range.lower, tree.order.isAscending(page.key(first), lower) {
            note(.keyOrder, tree.role, number, "begins below the key that leads here")
            return false
        }
        if let upper = range.upper, !tree.order.isAscending(page.key(page.nodes.count - 1), upper) {
            note(.keyOrder, tree.role, number, "ends above the key that follows in its branch")
            return false
        }
        return true
    }
}
