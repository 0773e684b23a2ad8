extension DataFile {
    /// Where in the file the record of a named table lies, in the snapshot of a meta page; nil if there is no such table.
    ///
    /// Throws `LMDBError` `.damaged` if the way there is not as LMDB leaves it.
    func recordOffset(of name: String, _ meta: MetaPage) throws(LMDBError) -> Int? {
        guard !meta.main.isEmpty else { return nil }
        let name = Array(name.utf8)[...]
        var number = meta.main.root
        for level in 1...max(meta.main.depth, 1) {
            let isLeaf = level == meta.main.depth
            let page: PageView
            let bytes = try bytes(meta.pageSize, at: Int(number) * meta.pageSize)
            let flags = isLeaf ? PageLayout.PageFlags.leaf : PageLayout.PageFlags.branch
            guard bytes.count == meta.pageSize, bytes.withUnsafeBytes({ $0.isPage(number, flags: flags) }) else {
                throw damaged(number, "it is no page of that table")
            }
            do { page = try PageView(bytes, isLeaf: isLeaf) } catch { throw damaged(number, error.words) }
            // In a branch the last page that does not begin after the name; the first has no key of its own.
            let first = isLeaf ? 0 : 1
            let after =
                (first..<max(first, page.nodes.count)).first { KeyOrder.bytes.isAscending(name, page.key($0)) }
                ?? page.nodes.count
            guard after > 0 else { return nil }
            let node = page.nodes[after - 1]
            if isLeaf {
                guard page.key(after - 1) == name, node.flags == PageLayout.NodeFlags.subData else { return nil }
                return Int(number) * meta.pageSize + node.valueOffset
            }
            number = node.payload
        }
        return nil
    }

    private func damaged(_ page: UInt, _ words: String) -> LMDBError {
        LMDBError(
            .damaged,
            "The table of tables of \(path) cannot be read at page \(page): \(words). The file is not intact; restore it from "
                + "a replica or a backup, or delete its folder if it can be made anew.")
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a whole page bears a number and is of a kind.
    fileprivate func isPage(_ page: UInt, flags: UInt16) -> Bool {
        number(at: 0, as: UInt.self) == page && number(at: PageLayout.word + 2, as: UInt16.self) == flags
    }
}
