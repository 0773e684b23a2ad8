internal import CLMDB

extension MDB_val {
    /// LMDB reads through the pointer and never writes to it: keys and values are copied into pages.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}
