import LMDBSupport

@testable import LMDB

extension WriteAheadFile {
    /// Makes the header of an environment's file one that was written before the machine started anew: what was written to the
    /// data file is not known to be there then.
    static func loseMemory(in path: String) throws {
        guard let file = try WriteAheadFile(in: path, creating: false), var header = try file.header(), header.isOn
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
