internal import CLMDB

/// Something that lends its bytes: keys and values go to LMDB without a copy.
public protocol ByteSource {
    /// Calls `body` with the bytes, which are valid during the call alone.
    func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T
}

extension Array: ByteSource where Element == UInt8 {
    public func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T { withUnsafeBytes(body) }
}

extension ArraySlice: ByteSource where Element == UInt8 {
    public func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T { withUnsafeBytes(body) }
}

extension UnsafeRawBufferPointer: ByteSource {
    public func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T { body(self) }
}

/// An unsigned number as a key: 8 bytes, most significant first, so that rows lie in numeric order.
extension UInt64: ByteSource {
    public func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
        withUnsafeBytes(of: bigEndian, body)
    }
}

extension MDB_val {
    /// LMDB reads through the pointer and never writes to it: keys and values are copied into pages.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}

/// The part of the map that holds a snapshot's pages.
///
/// LMDB takes lengths from the file as they stand. A damaged one must not lead to an access beyond the file, which the
/// system answers with a signal; so every row is held against these bounds before it is handed out.
struct MapBounds {
    private let start: UInt
    private let end: UInt

    /// Of the newest committed state of an environment. The caller is a reader inside the gate: the map stays.
    init(_ environment: Environment) throws(LMDBError) {
        var info = MDB_envinfo()
        try environment.check(mdb_env_info(environment.handle, &info), "inspect")
        start = UInt(bitPattern: info.me_mapaddr)
        // Another process may just have committed more pages than are mapped here.
        let mappedPages = UInt(bitPattern: info.me_mapsize) / UInt(environment.pageSize)
        end = start + min(UInt(bitPattern: info.me_last_pgno) &+ 1, mappedPages) * UInt(environment.pageSize)
    }

    func contain(_ value: MDB_val) -> Bool {
        let address = UInt(bitPattern: value.mv_data)
        return address >= start && address <= end && UInt(value.mv_size) <= end - address
    }
}

/// The bytes that LMDB points to. `bounds` is nil in write transactions, whose new pages lie outside the map.
func checkedBytes(
    _ value: MDB_val, _ bounds: MapBounds?, _ environment: Environment
) throws(LMDBError) -> UnsafeRawBufferPointer {
    if let bounds, !bounds.contain(value) {
        throw LMDBError(
            .damaged,
            "A row in \(environment.path) claims \(value.mv_size) bytes and reaches beyond the file. "
                + "The file is not intact; restore it from a replica or a backup.")
    }
    return UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
}
