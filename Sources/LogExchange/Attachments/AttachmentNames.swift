package import EventLog
package import Events

/// The fields by which events name contents, as the exchange's format fixes them: known here, so that a server without views verifies the
/// names of contents that are requested.
package enum AttachmentNames {
    /// The first bytes of the ids of entities that name contents.
    package static let prefix: [UInt8] = [0xBD, 0xB4, 0x0E, 0xC8, 0x36, 16]
    /// The field of a `ContentID`.
    package static let field: UInt64 = 3
    /// The field that says that the bytes were given up for ever.
    package static let discarding: UInt64 = 7

    package static func isAttachment(_ entity: EntityReference) -> Bool {
        entity.kind.rawValue == 7 && entity.id.bytes.starts(with: prefix)
    }

    /// What an event says of an attachment's bytes.
    package struct Change {
        package fileprivate(set) var content: ContentID?
        /// Whether it gives them up, or, if it is false, takes that back; nil if it says nothing of it.
        package fileprivate(set) var isDiscarding: Bool?
        /// The event's index in its commit.
        package let event: Int
    }

    /// Calls `body` with each attachment of whose bytes a commit says something: if the commit counts, or, with `all`, whether it does or
    /// not.
    package static func forEach(
        in commit: StoredCommit, all: Bool = false, _ body: (EntityReference, Change) throws -> Void
    ) rethrows {
        try (all ? commit.asCounting : commit).forEachEvent { event, index in
            guard isAttachment(event.entity) else { return }
            var said = Change(event: index)
            // The payload was validated as a whole.
            try? event.forEachChange { change in
                if change.field == field, change.key.isEmpty, let value = change.value {
                    said.content = ContentID(value)
                }
                if change.field == discarding, change.key.isEmpty { said.isDiscarding = change.value != nil }
            }
            if said.content != nil || said.isDiscarding != nil { try body(event.entity, said) }
        }
    }
}

extension LogSnapshot {
    /// What a commit names that counts; nothing if it is not here. O(the commit).
    package func contents(namedBy commit: CommitID) throws -> Set<ContentID> {
        guard let position = try position(of: commit, in: journal()), let commit = try self.commit(at: position) else {
            return []
        }
        var found: Set<ContentID> = []
        AttachmentNames.forEach(in: commit) { if let content = $1.content { found.insert(content) } }
        return found
    }

    /// Whether a commit that counts names the bytes for an attachment. O(the commit).
    package func names(_ content: NamedContent) throws -> Bool {
        try contents(namedBy: content.commit).contains(content.content)
    }
}
