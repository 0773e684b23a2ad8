import EventLog
import Events
import Foundation
import LogExchange
import ProjectionEngine
import Trips

/// What a range of commits names as attachments' bytes, and what has become of the attachments.
struct NamedAttachments {
    struct Entry {
        let content: NamedContent
        let position: Position
        let entity: EntityReference
    }

    let entries: [Entry]
    /// Contents that no attachment which is there names now, with the newest time at which one was deleted, or what it belongs to, or
    /// named others.
    private(set) var unnamedSince: [ContentID: Int64] = [:]
    /// Contents that were given up for ever.
    private(set) var discarded: Set<ContentID> = []

    /// What commits name that count, and whether they give bytes up.
    struct Entries {
        private(set) var list: [Entry] = []
        private(set) var discards = false

        /// O(commits). It blocks; no read lasts longer than some thousands of commits.
        init(after start: Position, upTo end: Position, in log: Log) throws {
            try log.forEachCommitInBatches(after: start, upTo: end) { add($0) }
        }

        /// Adds what single commits name. O(positions).
        mutating func add(at positions: [Position], in log: Log) throws {
            try log.read { log in
                for position in positions { if let commit = try log.commit(at: position) { add(commit) } }
            }
        }

        private mutating func add(_ commit: StoredCommit) {
            let name = CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
            AttachmentNames.forEach(in: commit) { entity, change in
                if let content = change.content {
                    list.append(
                        Entry(content: NamedContent(content, in: name), position: commit.position, entity: entity))
                }
                if change.isDiscarding == true { discards = true }
            }
        }
    }

    /// O(entries).
    init(_ entries: [Entry], _ views: borrowing ViewSnapshot, in known: KnownSchema?) throws {
        self.entries = entries
        // What is not discarded may come back, deleted or not.
        var (named, kept): (Set<ContentID>, Set<ContentID>) = ([], [])
        for entry in entries {
            let content = entry.content.content
            guard let record = try views.record(of: entry.entity), record.isCreated else {
                // The views are behind.
                kept.insert(content)
                named.insert(content)
                continue
            }
            let attachment = try AttachedFile(id: AttachedFile.ID(entry.entity.id), record: record)
            if attachment.discardedAt == nil { kept.insert(content) } else { discarded.insert(content) }
            let isNaming = try record.isPresent() && attachment.content == content && attachment.discardedAt == nil
            if let since = try isNaming ? Self.hiddenSince(entry.entity, views, in: known) : Self.changed(record) {
                unnamedSince[content] = max(unnamedSince[content] ?? 0, since)
            } else {
                named.insert(content)
            }
        }
        for content in named { unnamedSince[content] = nil }
        discarded.subtract(kept)
    }

    /// In milliseconds.
    private static func changed(_ record: borrowing RecordView) throws -> Int64 {
        Int64(try record.newestTimestamp()?.milliseconds ?? 0)
    }

    /// Since when an attachment is hidden with what it belongs to; nil if it is not.
    private static func hiddenSince(
        _ entity: EntityReference, _ views: borrowing ViewSnapshot, in known: KnownSchema?
    ) throws -> Int64? {
        var since: Int64?
        let isHidden = try views.ancestry(of: entity).hides(entity, in: known) { ancestor in
            guard let record = try views.record(of: ancestor), record.isCreated, try !record.isPresent() else {
                return false
            }
            since = try changed(record)
            return true
        }
        return isHidden ? since : nil
    }

    /// Every content that a commit of the log names, whether it counts or not, also in what is hidden: a revocation takes nothing away from
    /// what was written, and an erasure may be taken back. O(commits).
    static func everNamed(in log: Log) throws -> Set<ContentID> {
        var found: Set<ContentID> = []
        try log.forEachCommitInBatches(after: .start, asStored: true) { commit in
            AttachmentNames.forEach(in: commit, all: true) { if let content = $1.content { found.insert(content) } }
        }
        return found
    }

    /// Whether nobody needs the bytes any more at a time, in milliseconds.
    func isExpired(_ content: ContentID, at now: Int64) -> Bool {
        unnamedSince[content].map { $0 < now - ContentFolder.keepingTime } ?? false
    }

    /// Each content once, by the first commit that names it, without those that were given up.
    var contents: [NamedContent] {
        var seen = discarded
        return entries.filter { seen.insert($0.content.content).inserted }.map(\.content)
    }

    /// The positions of the commits that name some contents, ascending. O(entries).
    func positions(of contents: Set<NamedContent>) -> [Position] {
        Set(entries.filter { contents.contains($0.content) }.map(\.position)).sorted()
    }
}

/// Media types by the endings of files' names, of what people attach most.
enum MediaTypes {
    private static let byEnding: [String: String] = [
        "pdf": "application/pdf", "pkpass": "application/vnd.apple.pkpass", "ics": "text/calendar", "txt": "text/plain",
        "md": "text/markdown", "html": "text/html", "htm": "text/html", "eml": "message/rfc822",
        "json": "application/json",
        "gpx": "application/gpx+xml", "kml": "application/vnd.google-earth.kml+xml", "jpg": "image/jpeg",
        "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "heic": "image/heic", "webp": "image/webp",
        "tif": "image/tiff", "tiff": "image/tiff", "svg": "image/svg+xml", "mov": "video/quicktime", "mp4": "video/mp4",
        "m4a": "audio/mp4", "mp3": "audio/mpeg", "zip": "application/zip",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]

    /// Empty if it is not known.
    static func type(of name: String) -> String {
        byEnding[URL(fileURLWithPath: name).pathExtension.lowercased()] ?? ""
    }
}
