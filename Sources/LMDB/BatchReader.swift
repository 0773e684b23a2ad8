extension ReadTransaction {
    /// Calls `body` with the value under each of several keys, in their order, or with nil where there is none.
    ///
    /// The keys lie one after the other and have `size` bytes each. O(keys × log n), but sooner than one by one where the
    /// table does not lie in the processor's cache: what each waits for comes from memory at the same time.
    ///
    /// Throws `LMDBError`, and what `body` throws.
    public func forEachValue(
        of keys: UnsafeRawBufferPointer, size: Int, in table: Table,
        _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        guard size > 0 else { return }
        let count = keys.count / size
        func key(_ index: Int) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: keys[index * size..<(index + 1) * size])
        }
        var start = 0
        while start < count, let tree = TreeReader(self, table) {
            let end = min(start + TreeReader.largestBatch, count)
            let found = try withUnsafeTemporaryAllocation(of: TreeReader.Probe.self, capacity: end - start) { probes in
                for index in start..<end {
                    probes.initializeElement(at: index - start, to: TreeReader.Probe(key(index)))
                }
                guard tree.find(probes) else { return false }
                for index in start..<end { try body(index, probes[index - start].value) }
                return true
            }
            guard found else { break }
            start = end
        }
        for index in start..<count { try body(index, try get(key(index), in: table)) }
    }
}

extension TreeReader {
    /// How many keys are looked for at once.
    static let largestBatch = 128

    /// One of several keys that are looked for side by side.
    struct Probe {
        fileprivate let key: SearchKey?
        fileprivate var page: PageReader?
        /// The last row that is known not to be above the key, and how many rows from there on may be that.
        fileprivate var row = 0
        fileprivate var left = 0
        fileprivate(set) var value: UnsafeRawBufferPointer?

        init(_ key: UnsafeRawBufferPointer) { self.key = SearchKey(key) }

        /// Halves what is left; answers whether there is more to do, and nil if LMDB is to be asked.
        @inline(__always)
        fileprivate mutating func step() -> Bool? {
            guard left > 1 else { return false }
            guard let page, let key else { return nil }
            let half = left / 2
            guard let other = page.key(row + half) else { return nil }
            if key.order(to: other) >= 0 { row += half }
            left -= half
            guard left > 1 else { return false }
            page.prefetchRow(row + left / 2)
            return true
        }
    }

    /// Finds the values of all; answers false if LMDB is to be asked.
    func find(_ probes: UnsafeMutableBufferPointer<Probe>) -> Bool {
        guard let top = PageReader(pages, root) else { return false }
        for index in probes.indices { probes[index].page = top }
        for _ in 0..<PageLayout.maximumDepth {
            guard let kind = probes.first?.page?.kind, search(probes, kind) else { return false }
            if kind == PageLayout.PageFlags.leaf { return take(probes) }
            guard descend(probes) else { return false }
        }
        return false
    }

    /// Searches the page of each, all in step.
    private func search(_ probes: UnsafeMutableBufferPointer<Probe>, _ kind: UInt16) -> Bool {
        for index in probes.indices {
            guard let page = probes[index].page, page.kind == kind else { return false }
            probes[index].row = 0
            probes[index].left = page.count
        }
        var isSearching = true
        while isSearching {
            isSearching = false
            for index in probes.indices {
                guard let more = probes[index].step() else { return false }
                if more { isSearching = true }
            }
        }
        return true
    }

    /// Goes on to the pages below.
    private func descend(_ probes: UnsafeMutableBufferPointer<Probe>) -> Bool {
        for index in probes.indices {
            guard let child = probes[index].page?.child(probes[index].row) else { return false }
            pages.prefetch(child)
            // Until all are on their way it is only known where the page is.
            probes[index].left = Int(bitPattern: child)
        }
        for index in probes.indices {
            guard let page = PageReader(pages, UInt(bitPattern: probes[index].left)) else { return false }
            probes[index].page = page
        }
        return true
    }

    /// Takes the values where the keys are those that are looked for.
    private func take(_ probes: UnsafeMutableBufferPointer<Probe>) -> Bool {
        for index in probes.indices {
            let probe = probes[index]
            guard let page = probe.page, let key = probe.key, let other = page.key(probe.row) else { return false }
            guard key.order(to: other) == 0 else { continue }
            guard let row = page.row(probe.row) else { return false }
            row.value.prefetch()
            probes[index].value = row.value
        }
        return true
    }
}
