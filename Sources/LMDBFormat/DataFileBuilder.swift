import Foundation
package import Platform

/// Writes a whole data file, for LMDB to open when it is finished: as `mdb_copy -c` leaves one, without free pages.
///
/// The file has one tree, whose rows come in parts: the rows whose keys begin with the same byte. Rows of a part come
/// in key order; rows of different parts may alternate. A page is written once, when it is full: the leaves of the
/// parts lie mixed in the file, and the branches above them last. O(1) a row; memory: a page a part, two a level of
/// branches, 1 MiB of output, and the first key of each leaf.
///
/// Until `finish` it is no data file: LMDB refuses to open one that was cut off. Not thread-safe.
package final class DataFileBuilder {
    /// The file's path.
    package let path: String
    private let output: PageOutput
    private var parts: [UInt8: PartWriter] = [:]
    private var isFinished = false

    /// Creates the file `data.mdb` in a folder, where none is, with LMDB's page size: the system's, up to a limit.
    /// Throws `StorageError`.
    package convenience init(in folder: String) throws(StorageError) {
        try self.init(in: folder, pageSize: min(Int(getpagesize()), PageLayout.pageSizes.upperBound))
    }

    package init(in folder: String, pageSize: Int) throws(StorageError) {
        path = folder + "/data.mdb"
        output = try PageOutput(path: path, pageSize: pageSize)
    }

    /// The writer for rows of a part.
    package func part(_ number: UInt8) -> PartWriter {
        if let part = parts[number] { return part }
        let part = PartWriter(number, output)
        parts[number] = part
        return part
    }

    /// The number of rows of a part so far.
    package func count(ofPart number: UInt8) -> Int { parts[number]?.count ?? 0 }

    /// Writes the remaining rows, and then the meta pages. Call it once; nothing is synced.
    ///
    /// Throws `StorageError` as the medium does: the file is then to be deleted.
    package func finish() throws(StorageError) {
        guard !isFinished else { throw StorageError(.other, "\(path) was finished before. Begin another file.") }
        isFinished = true
        var record = TreeRecord.empty
        var leaves: [LeafList] = []
        for (_, part) in parts.sorted(by: { $0.key < $1.key }) {
            leaves.append(try part.finish())
            record.entries += UInt(part.count)
            record.overflowPages += part.overflowPages
        }
        record.leafPages = UInt(leaves.reduce(0) { $0 + $1.count })
        if record.leafPages > 0 { try writeBranches(above: leaves, &record) }
        let lastPage = output.next - 1
        try output.flush()
        for number in 0..<2 {
            let page = MetaPage.initial(
                number, pageSize: output.pageSize, lastPage: number == 1 ? lastPage : 1,
                main: number == 1 ? record : .empty, transaction: UInt(number))
            try output.write(page, at: number * output.pageSize)
        }
    }

    private func writeBranches(above lists: [LeafList], _ record: inout TreeRecord) throws(StorageError) {
        record.depth = 1
        if record.leafPages == 1 {
            record.root = lists.first { $0.count > 0 }?.page(0) ?? PageLayout.noPage
            return
        }
        var levels = [BranchLevel(pageSize: output.pageSize)]
        for list in lists {
            for index in 0..<list.count { try add(list.page(index), list.key(index), to: 0, &levels, &record) }
        }
        var level = 0
        while true {
            record.depth += 1
            let (before, last) = levels[level].finish()
            if let before { try write(before, of: level, &levels, &record) }
            guard level + 1 < levels.count else {
                record.root = try output.append(last.page.finished())
                record.branchPages += 1
                return
            }
            try write(last, of: level, &levels, &record)
            level += 1
        }
    }

    /// Adds a page to the branches of a level, the lowest being 0.
    private func add(
        _ page: UInt, _ key: [UInt8], to level: Int, _ levels: inout [BranchLevel], _ record: inout TreeRecord
    ) throws(StorageError) {
        if level == levels.count { levels.append(BranchLevel(pageSize: output.pageSize)) }
        guard let full = levels[level].add(page, key) else { return }
        try write(full, of: level, &levels, &record)
    }

    private func write(
        _ branch: BranchLevel.Branch, of level: Int, _ levels: inout [BranchLevel], _ record: inout TreeRecord
    ) throws(StorageError) {
        let number = try output.append(branch.page.finished())
        record.branchPages += 1
        try add(number, branch.firstKey, to: level + 1, &levels, &record)
    }
}
