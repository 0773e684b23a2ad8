import Platform

/// A snapshot whose structure was checked, for callers that trust neither the file nor LMDB: its rows are read page by
/// page, with plain reads, so that nothing in the file can end the process.
///
/// It is valid inside the closure that it was given to: a read transaction keeps its pages in place meanwhile.
public struct CheckedSnapshot {
    package let file: DataFile
    package let meta: MetaPage

    /// Faults that do not prevent reading.
    public let faults: [StructureFault]

    package init(file: DataFile, meta: MetaPage, faults: [StructureFault] = []) {
        self.file = file
        self.meta = meta
        self.faults = faults
    }

    /// The number of the transaction whose state this is.
    public var number: Int { Int(meta.transaction) }

    /// The names of the tables.
    public func tables() throws -> Set<String> {
        var names: Set<String> = []
        try walk(meta.main) { page, node in
            guard node.flags == PageLayout.NodeFlags.subData else { return }
            names.insert(String(decoding: page[node.keyOffset..<node.valueOffset], as: UTF8.self))
        }
        return names
    }

    /// Calls `body` with key and value of each row of a table in the order of keys; with none if there is no such table.
    /// The bytes are valid during the call. O(pages of the table).
    ///
    /// Throws `StorageError` (`.damaged`, `.inputOutput`), and what `body` throws.
    public func forEachRow(
        of table: String, _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let record = try record(of: table) else { return }
        try walk(record) { page, node in
            let key = UnsafeRawBufferPointer(rebasing: page[node.keyOffset..<node.valueOffset])
            let size = Int(node.payload)
            guard node.flags == PageLayout.NodeFlags.bigData else {
                return try body(key, UnsafeRawBufferPointer(rebasing: page[node.valueOffset..<node.valueOffset + size]))
            }
            // A value that is too large for the page lies in pages of its own, after the header of the first.
            let start = page.number(at: node.valueOffset, as: UInt.self)
            let value = try bytes(size, after: PageLayout.header, inPage: start)
            try value.withUnsafeBytes { try body(key, $0) }
        }
    }

    private func record(of table: String) throws -> TreeRecord? {
        guard let node = try file.find(Array(table.utf8)[...], meta), node.flags == PageLayout.NodeFlags.subData,
            node.size == PageLayout.treeRecord
        else { return nil }
        return try file.bytes(node.size, at: node.offset).withUnsafeBytes { TreeRecord($0) }
    }

    /// Calls `body` with every row of a tree, in order, and the leaf that holds it.
    private func walk(
        _ tree: TreeRecord, _ body: (UnsafeRawBufferPointer, PageView.Node) throws -> Void
    ) throws {
        guard !tree.isEmpty else { return }
        guard (1...PageLayout.maximumDepth).contains(tree.depth) else { throw damaged(tree.root) }
        try walk(from: tree.root, levels: tree.depth, body)
    }

    private func walk(
        from number: UInt, levels: Int, _ body: (UnsafeRawBufferPointer, PageView.Node) throws -> Void
    ) throws {
        let page = try bytes(meta.pageSize, inPage: number)
        let view: PageView
        do { view = try PageView(page, isLeaf: levels == 1) } catch { throw damaged(number) }
        guard levels == 1 else {
            for node in view.nodes { try walk(from: node.payload, levels: levels - 1, body) }
            return
        }
        try page.withUnsafeBytes { page in for node in view.nodes { try body(page, node) } }
    }

    private func bytes(_ count: Int, after offset: Int = 0, inPage number: UInt) throws -> [UInt8] {
        guard number <= meta.lastPage else { throw damaged(number) }
        let bytes = try file.bytes(count, at: Int(number) * meta.pageSize + offset)
        guard bytes.count == count else { throw damaged(number) }
        return bytes
    }

    /// Checked data has changed since, or is read after the snapshot ended.
    private func damaged(_ page: UInt) -> StorageError {
        StorageError(
            .damaged,
            "Page \(page) of \(file.path) is not what it was when the file was checked. Check the medium; restore the file "
                + "from a replica or a backup.")
    }
}

/// Thrown where reading a snapshot would be dangerous: at least one of the faults makes it so.
public struct StructureDamage: Error, CustomStringConvertible {
    /// All faults found, at most 1,000, dangerous or not.
    public let faults: [StructureFault]

    package init(faults: [StructureFault]) { self.faults = faults }

    public var description: String {
        "The file is not intact; restore it from a replica or a backup: "
            + faults.prefix(3).map(\.description).joined(separator: "; ")
    }
}
