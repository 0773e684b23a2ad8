package import EventLog
package import Events

/// How events name the bytes of attachments: known here, so that a server without views verifies what it is asked for.
package enum AttachmentNames {
    /// What the ids of attachments begin with: the kind 16 of the namespace `tripstore`, see `OwnKind`.
    package static let prefix: [UInt8] = [0xBD, 0xB4, 0x0E, 0xC8, 0x36, 16]
    /// The field of a `ContentID`.
    package static let field: UInt64 = 3
    /// The field that says that the bytes were given up for ever.
    package static let discarding: UInt64 = 7

    package static func isAttachment(_ entity: EntityReference) -> Bool {
        entity.kind.rawValue == 7 && entity.id.bytes.starts(with: prefix)
    }

    /// Calls `body` with each attachment that a commit names bytes for, and, without bytes, with each whose bytes it gives up: if the
    /// commit counts, or, with `all`, whether it does or not.
    package static func forEach(
        in commit: StoredCommit, all: Bool = false, _ body: (EntityReference, ContentID?) throws -> Void
    ) rethrows {
        try (all ? commit.asCounting : commit).forEachEvent { event, _ in
            guard isAttachment(event.entity) else { return }
            var (named, isDiscarding): (ContentID?, Bool) = (nil, false)
            // The payload was validated as a whole.
            try? event.forEachChange { change in
                if change.field == field, change.key.isEmpty, let value = change.value { named = ContentID(value) }
                if change.field == discarding { isDiscarding = true }
            }
            if named != nil || isDiscarding { try body(event.entity, named) }
        }
    }
}

extension LogSnapshot {
    /// Whether a commit that counts names the bytes for an attachment. O(the commit).
    package func names(_ content: NamedContent) throws -> Bool {
        guard let position = try position(of: content.commit, in: journal()), let commit = try commit(at: position)
        else { return false }
        var isNamed = false
        AttachmentNames.forEach(in: commit) { if $1 == content.content { isNamed = true } }
        return isNamed
    }
}
