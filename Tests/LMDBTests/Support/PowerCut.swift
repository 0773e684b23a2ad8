import Foundation

@testable import LMDB

/// The files of an environment as they would be found after a power cut.
///
/// The test sees what a medium may hold at most: everything that was written. What was synced is there for sure; of the rest
/// any part may be, in any order.
struct PowerCut {
    /// The data file when it was last synced, and what has been written to it since.
    var synced: Data
    var written: Data
    /// The write-ahead file, of which every write is synced.
    var ahead: Data

    /// Each page as it was synced or as it was written since, by chance.
    func dataFile(_ generator: inout SeededGenerator) -> Data {
        let page = 4096
        let end = Bool.random(using: &generator) ? written.count : max(synced.count, page * 2)
        var file = Data(count: end)
        for start in stride(from: 0, to: end, by: page) {
            let isNew = start >= synced.count || Bool.random(using: &generator)
            let source = isNew ? written : synced
            // What extends the file may have got its length before its content.
            if start >= synced.count, Bool.random(using: &generator) { continue }
            let range = start..<min(start + page, end, source.count)
            if !range.isEmpty { file.replaceSubrange(range, with: source[range]) }
        }
        return file
    }

    /// Writes the files into a folder.
    func leave(in path: String, _ generator: inout SeededGenerator) throws {
        try dataFile(&generator).write(to: URL(filePath: path + "/data.mdb"))
        try ahead.write(to: URL(filePath: path + "/" + WriteAheadFile.name))
    }
}

extension Environment {
    /// The data file as all see it.
    func dataFile() throws -> Data { try Data(contentsOf: URL(filePath: path + "/data.mdb")) }

    func aheadFile() throws -> Data { try Data(contentsOf: URL(filePath: path + "/" + WriteAheadFile.name)) }

    /// What the write-ahead file says.
    func aheadHeader() throws -> WriteAheadHeader? { try WriteAheadFile(in: path, creating: false)?.header() }
}
