import LMDBSupport

@testable import LMDB

extension WriteAheadFile {
    /// Makes the header one of a previous start of the machine: then the data file's unsynced writes may be lost.
    static func loseMemory(in path: String) throws {
        guard let file = try WriteAheadFile(in: path, creating: false), var header = try file.header(), header.isEnabled
        else {
            return
        }
        header.session = "before"
        try file.write(header.bytes, at: 0)
    }
}

extension Sandbox {
    func loseMemory() throws { try WriteAheadFile.loseMemory(in: path) }
}
