import EventLog
import Events
import LogExchange
import ProjectionEngine
import Trips

/// What a range of commits names as attachments' bytes, and what has become of the attachments.
struct NamedAttachments {
    /// How long the bytes of deleted attachments are kept, in milliseconds: 30 days.
    static let keepingTime: Int64 = 30 * 86_400_000

    struct Entry {
        let content: NamedContent
        let position: Position
        let entity: EntityReference
    }

    let entries: [Entry]
    /// Contents that no attachment which is there names now, with the newest time at which one was deleted, or named others.
    private(set) var unnamedSince: [ContentID: Int64] = [:]
    /// Contents that were given up for ever.
    private(set) var discarded: Set<ContentID> = []

    /// What the commits of a range name that count, and whether they give bytes up. O(commits there).
    static func entries(
        after start: Position, upTo end: Position, in log: borrowing LogSnapshot
    ) throws -> (entries: [Entry], discards: Bool) {
        var (entries, discards): ([Entry], Bool) = ([], false)
        try log.forEachCommit(after: start, upTo: end) { commit in
            let name = CommitID(
                replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
            AttachmentNames.forEach(in: commit) { entity, content in
                guard let content else {
                    discards = true
                    return
                }
                entries.append(
                    Entry(content: NamedContent(content, in: name), position: commit.position, entity: entity))
            }
            return true
        }
        return (entries, discards)
    }

    /// O(entries).
    init(_ entries: [Entry], _ views: borrowing ViewSnapshot) throws {
        self.entries = entries
        // What is not discarded may come back, deleted or not.
        var (named, kept): (Set<ContentID>, Set<ContentID>) = ([], [])
        for entry in entries {
            let content = entry.content.content
            guard let record = try views.record(of: entry.entity), record.isCreated else { continue }
            let attachment = try AttachedFile(id: AttachedFile.ID(entry.entity.id), record: record)
            if attachment.discardedAt == nil { kept.insert(content) } else { discarded.insert(content) }
            if try record.isPresent(), attachment.content == content, attachment.discardedAt == nil {
                named.insert(content)
            } else {
                let changed = Int64(try record.newestTimestamp()?.milliseconds ?? 0)
                unnamedSince[content] = max(unnamedSince[content] ?? 0, changed)
            }
        }
        for content in named { unnamedSince[content] = nil }
        discarded.subtract(kept)
    }

    /// Every content that a commit of the log names, whether it counts or not: a revocation takes nothing away from what was written.
    /// O(commits).
    static func everNamed(in log: borrowing LogSnapshot) throws -> Set<ContentID> {
        var found: Set<ContentID> = []
        try log.forEachCommit(after: .start) { commit in
            AttachmentNames.forEach(in: commit, all: true) { if let content = $1 { found.insert(content) } }
            return true
        }
        return found
    }

    /// Whether nobody needs the bytes any more at a time, in milliseconds.
    func isExpired(_ content: ContentID, at now: Int64) -> Bool {
        unnamedSince[content].map { $0 < now - Self.keepingTime } ?? false
    }

    /// Each content once, by the first commit that names it, without those that were given up.
    var contents: [NamedContent] {
        var seen = discarded
        return entries.filter { seen.insert($0.content.content).inserted }.map(\.content)
    }

    /// The position of the first commit that names one of some contents. O(entries).
    func firstPosition(of contents: Set<ContentID>) -> Position? {
        entries.first { contents.contains($0.content.content) }?.position
    }
}
