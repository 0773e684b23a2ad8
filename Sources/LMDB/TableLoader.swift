internal import CLMDB

/// Fills empty tables with rows that come in the order of their keys: several times as quick as putting them.
///
/// The pages of the tables' trees are written one after another at the end of the data file, where nobody looks. In the end
/// their roots are named, all in one turn of the writers; until then the tables are empty, whatever goes wrong: what was written
/// lies beyond the pages that are in use, and LMDB writes over it.
///
/// Only for environments that do not sync their commits, for the end is not one that a power cut leaves whole; and that are its
/// own until then: who had begun to read would find the rows all the same, and what others write at the same time may be lost,
/// which is noticed and not prevented. Not for several threads at once.
package final class TableLoader {
    private let environment: Environment
    private let output: PageOutput
    private var trees: [(table: Table, tree: TreeWriter)] = []
    /// The newest commit when it began, and the page after the last that was in use.
    private let lastTransaction: Int
    private let firstPage: UInt
    private var isEnded = false

    /// The smallest pages in which every branch has room for three keys of any size, as its shape takes for granted.
    private static let smallestPage = 2048

    /// Throws `LMDBError`: `.other` for an environment of another kind.
    package init(_ environment: Environment) throws(LMDBError) {
        guard environment.pageSize >= Self.smallestPage else {
            throw LMDBError(
                .other,
                "\(environment.path) has pages of \(environment.pageSize) bytes, and tables are filled at once from "
                    + "\(Self.smallestPage) on. Put the rows one by one.")
        }
        let options = environment.options
        guard !options.syncsCommits, !options.readOnly, !environment.writesInPlace else {
            throw LMDBError(
                .other,
                "\(environment.path) cannot be filled at once: it was opened for reading, for commits that are synced, or for "
                    + "writing in place. Open it otherwise, or put the rows one by one.")
        }
        let information = try environment.information()
        lastTransaction = information.lastTransaction
        firstPage = UInt(information.usedSize / environment.pageSize)
        self.environment = environment
        output = PageOutput(
            path: environment.path + "/data.mdb", descriptor: try environment.fileDescriptor(),
            pageSize: environment.pageSize, next: firstPage
        ) { [lastTransaction] () throws(LMDBError) in
            guard try environment.lastTransaction() == lastTransaction else { throw Self.wasWrittenTo(environment) }
        }
    }

    private static func wasWrittenTo(_ environment: Environment) -> LMDBError {
        LMDBError(
            .other,
            "\(environment.path) was written to while tables of it were filled. Fill them while nobody else writes.")
    }

    /// What the rows of a table are given to. O(tables). Throws `LMDBError`: `.other` if the table is not empty.
    package func tree(of table: Table) throws -> TreeWriter {
        if let (_, tree) = trees.first(where: { $0.table == table }) { return tree }
        guard try environment.read({ try $0.count(of: table) }) == 0 else { throw isOccupied(table) }
        let tree = TreeWriter(output)
        trees.append((table, tree))
        return tree
    }

    /// Ends the filling: from then on the rows are there. To be called once. Waits for the writer lock.
    ///
    /// Throws `LMDBError`: `.other` if a table is not empty, somebody wrote to the environment meanwhile, or it was called before;
    /// `.missing` if a table is not there; `.mapFull`, if the map cannot grow: then nothing has changed. And as the medium does:
    /// then some of the tables may be filled and others not, and the environment is to be thrown away.
    package func finish() throws(LMDBError) {
        guard !isEnded else {
            throw LMDBError(.other, "The filling of tables of \(environment.path) was ended before. Begin another.")
        }
        isEnded = true
        var records: [(table: Table, record: TreeRecord)] = []
        for (table, tree) in trees { records.append((table, try tree.finish())) }
        try environment.checkNotForked()
        try environment.gate.enterWriting()
        defer { environment.gate.leaveWriting() }
        try environment.growMap(toHold: Int(output.next) * environment.pageSize)
        // It changes nothing, but keeps others from writing; LMDB's next transaction begins with what is written here.
        let turn = try environment.beginWriting("fill")
        defer { mdb_txn_abort(turn) }
        try output.flush()
        try name(records.filter { !$0.record.isEmpty })
    }

    private func name(_ records: [(table: Table, record: TreeRecord)]) throws(LMDBError) {
        let path = environment.path + "/data.mdb"
        let file = DataFile(path: path, descriptor: try environment.fileDescriptor())
        guard case .success(let metas?) = try file.readMetaPages(), metas.newest.transaction == UInt(lastTransaction),
            metas.newest.lastPage + 1 == firstPage
        else { throw Self.wasWrittenTo(environment) }
        var offsets: [Int] = []
        for (table, _) in records {
            guard let offset = try file.recordOffset(of: table.name, metas.newest) else {
                throw LMDBError(.missing, "\(path) has no table '\(table.name)'. Make it before it is filled.")
            }
            guard try file.bytes(PageLayout.treeRecord, at: offset).withUnsafeBytes({ TreeRecord($0) }).isEmpty else {
                throw isOccupied(table)
            }
            offsets.append(offset)
        }
        // First that the pages are in use, then what they are: who is killed in between leaves pages that nobody uses.
        let meta = (lastTransaction & 1) * environment.pageSize
        try write(
            withUnsafeBytes(of: UInt(try environment.information().mapSize)) { Array($0) },
            at: meta + MetaPage.mapSizeOffset)
        try write(withUnsafeBytes(of: output.next - 1) { Array($0) }, at: meta + MetaPage.lastPageOffset)
        for ((_, record), offset) in zip(records, offsets) { try write(record.encoded(), at: offset) }
    }

    private func isOccupied(_ table: Table) -> LMDBError {
        LMDBError(
            .other, "The table '\(table.name)' of \(environment.path) is not empty. Clear it before it is filled.")
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(LMDBError) {
        let written: Result<Void, LMDBError> = bytes.withUnsafeBytes { bytes in
            Result { () throws(LMDBError) in try output.write(bytes, at: offset) }
        }
        try written.get()
    }
}
