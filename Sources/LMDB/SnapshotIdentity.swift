import Foundation
import LMDBFormat
internal import LMDBLibrary
import Platform

/// Distinguishes one committed state of an environment from every other: a row that each commit rewrites, with the
/// environment's random id and a nonce, and a checksum of the pages that lead there.
///
/// Transaction numbers identify nothing: two environments with equally many writes have the same.
struct SnapshotIdentity: Hashable {
    /// The row's key, in the table of tables.
    static let name = "environment"
    private static let key = Array(name.utf8)
    /// Bytes of the row: id and nonce.
    static let rowSize = 32

    /// The environment's id, then the nonce of the commit.
    let row: [UInt8]
    /// Over the pages from the root of the table of tables to the row.
    let checksum: UInt64

    init(row: [UInt8], checksum: UInt64) {
        self.row = row
        self.checksum = checksum
    }

    /// Of the state that a meta page names in the data file; nil if there is no such row, or if the path to it is not
    /// as LMDB leaves it.
    init?(in file: DataFile, _ meta: MetaPage) throws(StorageError) {
        var checksum = WriteAheadChecksum(seed: 0)
        let node: DataFile.NodeLocation?
        do throws(StorageError) {
            node = try file.find(Self.key[...], meta) { page in page.withUnsafeBytes { checksum.add($0) } }
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
        guard let node, node.flags == 0, node.size == Self.rowSize else { return nil }
        row = try file.bytes(Self.rowSize, at: node.offset)
        guard row.count == Self.rowSize else { return nil }
        self.checksum = checksum.value
    }

    /// Gives the commits of an open environment their nonces: a random number per handle, and a count.
    struct NonceWriter {
        private static let countOffset = 24
        /// The row of the previous commit; empty before the first.
        private var row: [UInt8] = []
        private var count: UInt64 = 0

        /// Rewrites the row; returns LMDB's number.
        mutating func write(_ transaction: OpaquePointer) -> Int32 {
            let tableOfTables: MDB_dbi = 1
            if row.isEmpty { row = Self.first(transaction, tableOfTables) }
            count += 1
            return row.withUnsafeMutableBytes { row in
                row.storeBytes(of: count.littleEndian, toByteOffset: Self.countOffset, as: UInt64.self)
                var value = MDB_val(UnsafeRawBufferPointer(row))
                return SnapshotIdentity.key.withUnsafeBytes { name in
                    var key = MDB_val(name)
                    return mdb_put(transaction, tableOfTables, &key, &value, 0)
                }
            }
        }

        /// A row with the environment's id, or a new id if it has none.
        private static func first(_ transaction: OpaquePointer, _ table: MDB_dbi) -> [UInt8] {
            var row = (0..<SnapshotIdentity.rowSize).map { _ in UInt8.random(in: .min ... .max) }
            SnapshotIdentity.key.withUnsafeBytes { name in
                var key = MDB_val(name)
                var held = MDB_val()
                guard mdb_get(transaction, table, &key, &held) == MDB_SUCCESS, held.mv_size == rowSize else { return }
                row.replaceSubrange(0..<16, with: UnsafeRawBufferPointer(start: held.mv_data, count: 16))
            }
            return row
        }
    }
}
