package import EventLog
package import Events
import Foundation
import Platform

extension ContentFolder {
    /// Removes the bytes, whole or in parts, that no commit of the log names any more, if they were here when erased
    /// bytes were last removed from the log's file: no process was about to name them then. With them goes what had
    /// arrived of segments. Does nothing if this was done since. It blocks. O(commits).
    ///
    /// Throws what the medium refuses; the next call tries again.
    package func scrub(_ log: Log) throws { try scrub(log, parts: .beside(log)) }

    /// Scrubs with the folder in which parts of segments lie.
    func scrub(_ log: Log, parts: PartFolder) throws {
        guard let time = try log.scrubTime(of: .contents) else { return }
        let named = try log.namedContents()
        // What has the time itself was here as well.
        let limit = Date(timeIntervalSince1970: Double(time + 1) / 1000)
        for (content, _) in try contents() where !named.contains(content.root) {
            _ = try remove(content, writtenBefore: limit)
        }
        let kept = Set(named.map { "\($0).part" })
        try removeUnfinished(writtenBefore: limit, except: kept.contains)
        parts.removeAll(writtenBefore: time + 1)
        // A power cut would bring names back whose removal is not durable, and without the note they would stay.
        let folders = try Folder.names(in: path).filter { $0.count == 2 || $0 == "incoming" }
        for folder in folders { try Folder.sync("\(path)/\(folder)") }
        try parts.sync()
        try log.noteScrubbed(.contents, upTo: time)
    }
}

extension Log {
    /// The roots of the contents that some held commit names, also one that does not count, or is hidden: it can be
    /// taken back. O(commits).
    package func namedContents() throws -> Set<Digest> {
        var named: Set<Digest> = []
        try forEachCommitInBatches(after: .start, asStored: true) { commit in
            AttachmentNames.forEach(in: commit, all: true) {
                if let content = $1.content { named.insert(content.root) }
            }
        }
        return named
    }
}
