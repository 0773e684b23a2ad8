public import LMDBFormat
internal import LMDBLibrary
public import Platform

/// The one write transaction of an environment, valid inside the closure it was given to.
public struct WriteTransaction: ~Copyable {
    /// This transaction for reading: it sees what was written so far.
    public let reading: ReadTransaction
    /// Where changes are recorded; nil if they are not.
    let changes: RecordedChanges?

    init(_ raw: OpaquePointer, _ environment: Environment, _ changes: RecordedChanges?) {
        reading = ReadTransaction(raw, environment)
        self.changes = changes
    }

    /// How a row is put.
    public enum Placement: Sendable {
        /// Adds the row or replaces its value.
        case anywhere
        /// Adds the row after all others; throws if an equal or greater key exists. Fills pages completely and skips
        /// the search.
        case atEnd

        @usableFromInline var flags: UInt32 {
            switch self {
            case .anywhere: 0
            case .atEnd: UInt32(MDB_APPEND)
            }
        }
    }

    /// Writes a row. The bytes must not be those of a row of this same transaction: the write may move them.
    @inlinable
    public func put(
        _ key: some ByteSource, _ value: some ByteSource, in table: Table, _ placement: Placement = .anywhere
    ) throws(StorageError) {
        let flags = placement.flags
        try checkChange(key.withBytes { key in value.withBytes { put(bytes: key, $0, in: table, flags: flags) } })
    }

    /// Writes a row whose value comes in two parts, without joining them.
    public func put(
        _ key: some ByteSource, _ first: [UInt8], _ second: [UInt8], in table: Table, _ placement: Placement = .anywhere
    ) throws(StorageError) {
        let number = key.withBytes { key in
            let mark = first.withUnsafeBytes { first in
                second.withUnsafeBytes { changes?.put(key, first, $0, in: table) }
            }
            var value = MDB_val(mv_size: first.count + second.count, mv_data: nil)
            let number = table.withKey(key) { key in
                var key = key
                return mdb_put(reading.raw, table.handle, &key, &value, placement.flags | UInt32(MDB_RESERVE))
            }
            if number != MDB_SUCCESS, let mark { changes?.truncate(to: mark) }
            guard number == MDB_SUCCESS, let address = value.mv_data else { return number }
            // LMDB returns the address for the value, which is filled before anything else is written.
            first.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: address, count: $0.count).copyMemory(from: $0)
            }
            second.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: address + first.count, count: $0.count).copyMemory(from: $0)
            }
            return number
        }
        try reading.owner.checkChange(number)
    }

    /// Writes a row unless one with that key exists; returns whether it did.
    public func putIfAbsent(
        _ key: some ByteSource, _ value: some ByteSource, in table: Table
    ) throws(StorageError) -> Bool {
        let number = key.withBytes { key in
            value.withBytes { put(bytes: key, $0, in: table, flags: UInt32(MDB_NOOVERWRITE)) }
        }
        if number == MDB_KEYEXIST { return false }
        try checkChange(number)
        return true
    }

    @usableFromInline
    func put(
        bytes keyBytes: UnsafeRawBufferPointer, _ valueBytes: UnsafeRawBufferPointer, in table: Table, flags: UInt32
    ) -> Int32 {
        // Before the change: a key or value may lie in memory that it moves.
        let mark = changes?.put(keyBytes, valueBytes, in: table)
        var value = MDB_val(valueBytes)
        let number = table.withKey(keyBytes) { key in
            var key = key
            return mdb_put(reading.raw, table.handle, &key, &value, flags)
        }
        if number != MDB_SUCCESS, let mark { changes?.truncate(to: mark) }
        return number
    }

    @usableFromInline
    func checkChange(_ number: Int32) throws(StorageError) {
        if number != MDB_SUCCESS { try reading.owner.checkChange(number) }
    }

    /// Removes a row; returns whether there was one.
    @discardableResult @inlinable
    public func delete(_ key: some ByteSource, in table: Table) throws(StorageError) -> Bool {
        try isDeleted(key.withBytes { delete(bytes: $0, in: table) })
    }

    @usableFromInline
    func delete(bytes: UnsafeRawBufferPointer, in table: Table) -> Int32 {
        let mark = changes?.delete(bytes, in: table)
        let number = table.withKey(bytes) { key in
            var key = key
            return mdb_del(reading.raw, table.handle, &key, nil)
        }
        if number != MDB_SUCCESS, let mark { changes?.truncate(to: mark) }
        return number
    }

    /// Interprets LMDB's number: the row existed, or did not.
    @usableFromInline
    func isDeleted(_ number: Int32) throws(StorageError) -> Bool {
        if number == MDB_NOTFOUND { return false }
        try checkChange(number)
        return true
    }

    /// Removes every row of a named table.
    public func clear(_ table: Table) throws(StorageError) {
        changes?.markNotReplayable()
        try reading.owner.checkChange(mdb_drop(reading.raw, table.handle, 0))
    }
}
