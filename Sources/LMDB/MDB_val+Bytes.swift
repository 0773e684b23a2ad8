internal import LMDBLibrary

extension MDB_val {
    /// LMDB reads through the pointer and never writes to it: it copies keys and values into pages.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}
