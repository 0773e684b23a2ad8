import Foundation
import LMDB
import Platform

/// Which recorded files those of an image stand for: a store identifies its file by inode and birth time, which a disk
/// keeps over a power cut and a copy does not.
struct FileOrigins: Sendable {
    private var recordedOfPresent: [FileOrigin: FileOrigin] = [:]

    init() {}

    /// The mark that a file would have on the recorded medium.
    func recorded(_ present: FileOrigin) -> FileOrigin { recordedOfPresent[present] ?? present }

    mutating func set(_ recorded: FileOrigin, of path: String) {
        if let present = FileOrigin(path: path) { recordedOfPresent[present] = recorded }
    }

    /// As lines, for another process.
    var text: String {
        recordedOfPresent.map { "\($0.inode) \($0.birthTime) \($1.inode) \($1.birthTime)\n" }.joined()
    }

    init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 4, let from = UInt64(words[0]), let fromTime = Int64(words[1]),
                let to = UInt64(words[2]),
                let toTime = Int64(words[3])
            else { continue }
            recordedOfPresent[FileOrigin(inode: from, birthTime: fromTime)] = FileOrigin(inode: to, birthTime: toTime)
        }
    }
}
