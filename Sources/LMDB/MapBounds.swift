import Foundation
import LMDBFormat
internal import LMDBLibrary
import Platform

/// The part of the map that holds a snapshot's pages.
///
/// LMDB does not check lengths in the file. A damaged one must not lead to an access beyond the file, which the system
/// answers with a signal; so every row is checked against these bounds before it is returned. They also locate pages:
/// the start of the map must be right, and is verified when it is found.
struct MapBounds {
    private let start: UInt
    private let end: UInt
    /// The number of the newest transaction when these bounds were taken.
    let newestTransaction: Int

    /// The bounds for the newest committed state of an environment, whose map begins at `start`. The caller is a reader
    /// inside the lock, so the map stays.
    init(_ environment: Environment, start: UInt) throws(StorageError) {
        var info = MDB_envinfo()
        try environment.check(mdb_env_info(environment.handle, &info), "inspect")
        self.start = start
        newestTransaction = info.me_last_txnid
        // Another process may just have committed more pages than are mapped here; and the number may be damaged.
        let pages = UInt(bitPattern: info.me_last_pgno) &+ 1
        let (used, overflow) = pages.multipliedReportingOverflow(by: UInt(environment.pageSize))
        let mapped = UInt(bitPattern: info.me_mapsize)
        end = start + (overflow ? mapped : min(used, mapped))
    }

    /// The part of the map that holds the snapshot's pages.
    var pages: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: start), count: Int(end - start))
    }

    @inline(__always)
    func contain(_ value: MDB_val) -> Bool {
        let address = UInt(bitPattern: value.mv_data)
        return address >= start && address <= end && UInt(value.mv_size) <= end &- address
    }
}

extension Environment {
    /// The bounds for a read transaction; nil while the environment has no table, and so no row.
    func bounds(for raw: OpaquePointer, _ permit: MapLock.ReadPermit) throws(StorageError) -> MapBounds? {
        if let start = permit.mapStart { return try MapBounds(self, start: start) }
        guard let start = try findMapStart(raw) else { return nil }
        mapLock.note(mapStart: start)
        return try MapBounds(self, start: start)
    }

    /// LMDB does not report where its map begins. But any row of the table of tables leads to the start of its page,
    /// which holds its page number.
    private func findMapStart(_ raw: OpaquePointer) throws(StorageError) -> UInt? {
        // Pages larger than the system's do not begin at multiples of their size.
        guard pageSize <= sysconf(Int32(_SC_PAGESIZE)) else { return nil }
        let tableOfTables: MDB_dbi = 1
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(raw, tableOfTables, &cursor), "read")
        defer { mdb_cursor_close(cursor) }
        var key = MDB_val()
        var value = MDB_val()
        let number = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        if number == MDB_NOTFOUND { return nil }
        try check(number, "read")
        let address = UInt(bitPattern: key.mv_data)
        let pageStart = address & ~UInt(pageSize - 1)
        // Sound: LMDB has just read this page, and the number lies at its start.
        guard let page = UnsafeRawPointer(bitPattern: pageStart) else { return nil }
        let (offset, overflow) = page.load(as: UInt.self).multipliedReportingOverflow(by: UInt(pageSize))
        // A damaged page number would move the map, and every page with it: so the file must hold the same number
        // there. Uses LMDB's descriptor: the folder may have been moved or deleted meanwhile.
        let file = DataFile(path: path, descriptor: try fileDescriptor())
        guard !overflow, offset < pageStart, let position = Int(exactly: offset),
            try file.bytes(pageSize, at: position).elementsEqual(UnsafeRawBufferPointer(start: page, count: pageSize))
        else {
            throw StorageError(
                .damaged,
                "A page of \(path) has a wrong number. The file is not intact; restore it from a replica or a backup.")
        }
        return pageStart - offset
    }
}

/// The bytes that LMDB points to. `bounds` is nil in write transactions, whose new pages lie outside the map.
@inline(__always)
func checkedBytes(
    _ value: MDB_val, _ bounds: MapBounds?, _ owner: Environment
) throws(StorageError) -> UnsafeRawBufferPointer {
    if let bounds {
        if !bounds.contain(value) { throw beyondFile(value, owner) }
        try owner.mapLock.checkReadMayGoOn()
    }
    return UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
}

@inline(never)
private func beyondFile(_ value: MDB_val, _ owner: Environment) -> StorageError {
    StorageError(
        .damaged,
        "A row in \(owner.path) claims \(value.mv_size) bytes and reaches beyond the file. "
            + "The file is not intact; restore it from a replica or a backup.")
}
