package import EventLog
package import Events
package import Foundation

/// Contents that were given up for ever, by the log alone.
package struct DiscardedContents {
    /// Each with the time of the last commit that gave it up: bytes that came here later were named again, or are about to be.
    package let contents: [ContentID: Date]

    private struct Attachment {
        var named: Set<ContentID> = []
        /// The newest write that counts of the field that says so, and whether it does.
        var newest: (stamp: Stamp, event: Int)?
        var isDiscarded = false
    }

    /// O(commits), in reads of some thousands.
    package init(_ log: Log) throws {
        var attachments: [EntityReference: Attachment] = [:]
        // A revocation takes nothing from what was written, and may itself be taken back.
        var kept: Set<Digest> = []
        try log.forEachCommitInBatches(after: .start) { commit in
            guard commit.counts else {
                AttachmentNames.forEach(in: commit, all: true) {
                    if let content = $1.content { kept.insert(content.root) }
                }
                return
            }
            AttachmentNames.forEach(in: commit) { entity, change in
                if let content = change.content { attachments[entity, default: Attachment()].named.insert(content) }
                guard let isDiscarding = change.isDiscarding else { return }
                let place = (commit.stamp, change.event)
                if let newest = attachments[entity]?.newest, place < (newest.stamp, newest.event) { return }
                attachments[entity, default: Attachment()].newest = place
                attachments[entity]?.isDiscarded = isDiscarding
            }
        }
        var found: [ContentID: Date] = [:]
        for attachment in attachments.values where !attachment.isDiscarded {
            kept.formUnion(attachment.named.map(\.root))
        }
        for attachment in attachments.values where attachment.isDiscarded {
            guard let newest = attachment.newest else { continue }
            let date = Date(timeIntervalSince1970: Double(newest.stamp.timestamp.milliseconds) / 1000)
            for content in attachment.named where !kept.contains(content.root) {
                found[content] = max(found[content] ?? date, date)
            }
        }
        contents = found
    }
}

extension Log {
    /// Passes commits to `body` in the order of their positions, without what is hidden of them unless they are read as they are stored; no
    /// read lasts longer than some thousands of them.
    package func forEachCommitInBatches(
        after start: Position, upTo end: Position? = nil, asStored: Bool = false, _ body: (StoredCommit) throws -> Void
    ) throws {
        let last = try end ?? read { try $0.lastPosition() }
        var start = start
        while start < last {
            let next = min(last, Position(start.rawValue + 4096))
            try read { log in
                let log = asStored ? log.asStored() : log.alias()
                try log.forEachCommit(after: start, upTo: next) { commit in
                    try body(commit)
                    return true
                }
            }
            start = next
        }
    }
}
