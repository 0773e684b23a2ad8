@testable import LMDB

extension TreeReader {
    /// The value under a key: of the outer optional nil if LMDB would have to be asked, of the inner if there is none.
    func value(of key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?? {
        guard let key = SearchKey(key), let leaf = leaf(for: key) else { return nil }
        return value(of: key, in: leaf)
    }
}
