import Foundation

/// An LMDB data file read with plain reads, so that damage in it cannot lead LMDB astray.
struct DataFile {
    let path: String
}
extension DataFile {
    func checkMetaPages() throws(LMDBError) {}
}
