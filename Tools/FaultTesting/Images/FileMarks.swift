import Foundation
import LMDB
import Platform

/// Which recorded files those of an image stand for: a store knows its file by inode and birth time, which a disk keeps
/// over a power cut and a copy does not.
struct FileMarks: Sendable {
    private var recordedOfPresent: [FileMark: FileMark] = [:]

    init() {}

    /// The mark that a file would have on the medium that was recorded.
    func recorded(_ present: FileMark) -> FileMark { recordedOfPresent[present] ?? present }

    mutating func set(_ recorded: FileMark, of path: String) {
        if let present = FileMark(path: path) { recordedOfPresent[present] = recorded }
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
            recordedOfPresent[FileMark(inode: from, birthTime: fromTime)] = FileMark(inode: to, birthTime: toTime)
        }
    }
}
