package import Platform

extension DataFile {
    /// A row of the table of tables: its flags, and the offset and length of its value in the file.
    package struct NodeLocation {
        package let flags: UInt16
        package let offset: Int
        package let size: Int
    }

    /// Finds a row of the table of tables in the state that a meta page names, by plain reads; nil if there is none.
    /// `visit` is called with each page on the path, from the root on.
    ///
    /// Throws `StorageError` `.damaged` if the path is not as LMDB leaves it.
    package func find(
        _ key: ArraySlice<UInt8>, _ meta: MetaPage, _ visit: ([UInt8]) -> Void = { _ in }
    ) throws(StorageError) -> NodeLocation? {
        guard !meta.main.isEmpty else { return nil }
        let filePages = UInt(try size() / meta.pageSize)
        var number = meta.main.root
        for level in 1...max(1, min(meta.main.depth, PageLayout.maximumDepth)) {
            let isLeaf = level == meta.main.depth
            guard number >= 2, number < filePages else { throw damaged(number, "the file ends before it") }
            let page: PageView
            let bytes = try bytes(meta.pageSize, at: Int(number) * meta.pageSize)
            let flags = isLeaf ? PageLayout.PageFlags.leaf : PageLayout.PageFlags.branch
            guard bytes.count == meta.pageSize, bytes.withUnsafeBytes({ $0.isPage(number, flags: flags) }) else {
                throw damaged(number, "it is no page of that table")
            }
            visit(bytes)
            do { page = try PageView(bytes, isLeaf: isLeaf) } catch { throw damaged(number, error.words) }
            // In a branch: the last page that does not begin after the name; the first has no key of its own.
            let first = isLeaf ? 0 : 1
            let after =
                (first..<max(first, page.nodes.count)).first { KeyOrder.bytes.isAscending(key, page.key($0)) }
                ?? page.nodes.count
            guard after > 0 else { return nil }
            let node = page.nodes[after - 1]
            if isLeaf {
                guard page.key(after - 1) == key else { return nil }
                return NodeLocation(
                    flags: node.flags, offset: Int(number) * meta.pageSize + node.valueOffset, size: Int(node.payload))
            }
            number = node.payload
        }
        return nil
    }

    private func damaged(_ page: UInt, _ words: String) -> StorageError {
        StorageError(
            .damaged,
            "The table of tables of \(path) cannot be read at page \(page): \(words). The file is not intact; restore it from "
                + "a replica or a backup, or delete its folder if it can be made anew.")
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a page has this number and these flags.
    fileprivate func isPage(_ page: UInt, flags: UInt16) -> Bool {
        number(at: 0, as: UInt.self) == page && number(at: PageLayout.word + 2, as: UInt16.self) == flags
    }
}
