import EventLog
import Events

/// The rows of one journal's attachments, over a connection.
struct ContentRows {
    struct State {
        let nextPart: Int
        private let leaves: [UInt8]

        init(_ row: DatabaseRow) throws(DatabaseError) {
            nextPart = Int(clamping: try row.integer(0))
            leaves = try row.needed(1)
        }

        func isWhole(_ content: ContentID) -> Bool { nextPart >= content.partCount }

        func outline(of content: ContentID) -> ContentOutline? {
            ContentOutline(short: content)
                ?? ContentOutline(
                    content,
                    leaves: leaves.withUnsafeBytes { raw in
                        stride(from: 0, to: raw.count - raw.count % Digest.size, by: Digest.size).compactMap {
                            Digest(UnsafeRawBufferPointer(rebasing: raw[$0..<$0 + Digest.size]))
                        }
                    })
        }
    }

    let connection: DatabaseConnection
    let journal: JournalID

    private func key(_ content: ContentID) -> [DatabaseValue] {
        [.bytes(journal.bytes), .bytes(content.root.bytes), .integer(content.size)]
    }

    /// Nil if the bytes were not begun.
    func state(of content: ContentID) throws -> State? {
        try connection.run(
            "SELECT next_part, leaves FROM tripstore.content WHERE journal = $1::uuid AND root = $2::bytea AND size = $3::bigint",
            key(content)
        ).first.map { try State($0) }
    }

    func part(_ index: Int, of content: ContentID) throws -> [UInt8]? {
        try connection.run(
            """
            SELECT body FROM tripstore.content_part
            WHERE journal = $1::uuid AND root = $2::bytea AND size = $3::bigint AND part = $4::bigint
            """, key(content) + [.integer(index)]
        ).first?.bytes(0)
    }

    /// The bytes of contents that were begun and of which no part came: `content_bytes` counts them, and they keep no room from others.
    private static let unsent = """
        (SELECT coalesce(sum(size), 0) FROM tripstore.content WHERE content.journal = journal.journal AND next_part = 0)
        """

    /// Begins bytes, if they are not. Returns the first part that is missing; nil if there would be too many bytes in the journal.
    func begin(_ outline: ContentOutline, at now: Int64, most: Int64) throws -> Int? {
        let content = outline.content
        if let state = try state(of: content) { return state.nextPart }
        let leaves = content.partCount > 1 ? outline.leaves.flatMap(\.bytes) : []
        return try connection.transaction {
            try lockJournal()
            let room = try connection.run(
                """
                UPDATE tripstore.journal SET content_bytes = content_bytes + $2::bigint
                WHERE journal = $1::uuid AND content_bytes - \(Self.unsent) + $2::bigint <= $3::bigint
                """, [.bytes(journal.bytes), .integer(content.size), .integer(most)]
            ).changed
            if let state = try state(of: content) {
                // Another hub was first.
                if room == 1 { try giveBack(content.size) }
                return state.nextPart
            }
            guard room == 1 else { return nil }
            try connection.run(
                """
                INSERT INTO tripstore.content (journal, root, size, leaves, next_part, written_at)
                VALUES ($1::uuid, $2::bytea, $3::bigint, $4::bytea, 0, $5::bigint)
                """, key(content) + [.bytes(leaves), .integer(now)])
            return 0
        }
    }

    /// Locks the journal's row until the end of the transaction. The sums of the statements that follow are then right: a statement that waits for the lock itself
    /// would go on with the contents as they were before it waited.
    private func lockJournal() throws {
        try connection.run(
            "SELECT 1 FROM tripstore.journal WHERE journal = $1::uuid FOR UPDATE", [.bytes(journal.bytes)])
    }

    private func giveBack(_ size: Int64) throws {
        try connection.run(
            "UPDATE tripstore.journal SET content_bytes = content_bytes - $2::bigint WHERE journal = $1::uuid",
            [.bytes(journal.bytes), .integer(size)])
    }

    /// Stores the next part, unless another hub did. Returns false if it is the first one, and there would be too many bytes in the
    /// journal.
    func store(_ part: [UInt8], at index: Int, of content: ContentID, _ now: Int64, most: Int64) throws -> Bool {
        try connection.transaction {
            let isNext = try connection.run(
                """
                UPDATE tripstore.content SET next_part = next_part + 1, written_at = $5::bigint
                WHERE journal = $1::uuid AND root = $2::bytea AND size = $3::bigint AND next_part = $4::bigint
                """, key(content) + [.integer(index), .integer(now)]
            ).changed
            guard isNext == 1 else { return true }
            if try index == 0 && !hasRoom(most) {
                try connection.run(
                    """
                    UPDATE tripstore.content SET next_part = 0
                    WHERE journal = $1::uuid AND root = $2::bytea AND size = $3::bigint
                    """, key(content))
                return false
            }
            try connection.run(
                """
                INSERT INTO tripstore.content_part (journal, root, size, part, body)
                VALUES ($1::uuid, $2::bytea, $3::bigint, $4::bigint, $5::bytea)
                """, key(content) + [.integer(index), .bytes(part)])
            return true
        }
    }

    /// Whether the contents of which a part came fit. Called after the content's row was locked: a removal locks in that order too.
    private func hasRoom(_ most: Int64) throws -> Bool {
        try lockJournal()
        return try !connection.run(
            "SELECT 1 FROM tripstore.journal WHERE journal = $1::uuid AND content_bytes - \(Self.unsent) <= $2::bigint",
            [.bytes(journal.bytes), .integer(most)]
        ).isEmpty
    }

    /// Contents in an order that is the same for all hubs, so that none waits for another that waits for it.
    private static func ordered(_ contents: some Sequence<ContentID>) -> [ContentID] {
        contents.sorted { $0.root.bytes.lexicographicallyPrecedes($1.root.bytes) }
    }

    /// Notes that clients rely on some contents, in one transaction.
    func noteKept(_ contents: [ContentID], at now: Int64) throws {
        guard !contents.isEmpty else { return }
        try connection.transaction {
            for content in Self.ordered(contents) {
                try connection.run(
                    """
                    UPDATE tripstore.content SET written_at = greatest(written_at, $4::bigint)
                    WHERE journal = $1::uuid AND root = $2::bytea AND size = $3::bigint
                    """, key(content) + [.integer(now)])
            }
        }
    }

    // MARK: Removing

    /// Every content that was begun.
    func contents() throws -> [ContentID] {
        try connection.run(
            "SELECT root, size FROM tripstore.content WHERE journal = $1::uuid", [.bytes(journal.bytes)]
        ).map { row in
            let (root, size) = (try row.needed(0), try row.integer(1))
            return root.withUnsafeBytes { Digest($0) }.flatMap { ContentID(root: $0, size: size) }
        }.compactMap(\.self)
    }

    /// Whether there is anything, and a day has passed since a hub tidied up, or bytes of commits were removed since.
    func isTidyingDue(at now: Int64) throws -> Bool {
        try !connection.run(
            """
            SELECT 1 FROM tripstore.journal WHERE journal = $1::uuid AND tidied_at < $2::bigint - 86400000
                AND EXISTS (SELECT FROM tripstore.content WHERE content.journal = journal.journal)
            """, [.bytes(journal.bytes), .integer(now)]
        ).isEmpty
    }

    /// Removes contents, each if it was written before a time, and transfers that were given up before one, and notes
    /// that this hub has tidied up. Returns false, and removes nothing, if the journal is not where a cursor says, or
    /// another hub was first: so no commit that the caller does not know names a content.
    func tidy(
        _ limits: [ContentID: Int64], unfinishedBefore limit: Int64, at now: Int64, _ cursor: DatabaseCursor
    ) throws -> Bool {
        do {
            try connection.transaction {
                // The contents are locked first, and the journal then, as where a part is stored.
                var freed = try deleteUnfinished(writtenBefore: limit)
                for content in Self.ordered(limits.keys) {
                    freed += try delete(
                        where: "root = $2::bytea AND size = $3::bigint AND written_at < $4::bigint",
                        key(content) + [.integer(limits[content] ?? 0)])
                }
                let isNoted = try connection.run(
                    """
                    UPDATE tripstore.journal SET tidied_at = $2::bigint, content_bytes = content_bytes - $3::bigint
                    WHERE journal = $1::uuid AND tidied_at < $2::bigint - 86400000 AND next_entry = $4::bigint
                        AND EXISTS (SELECT FROM tripstore.hub WHERE epoch = $5::uuid)
                    """,
                    [
                        .bytes(journal.bytes), .integer(now), .integer(freed), .integer(cursor.nextEntry),
                        .bytes(cursor.epoch),
                    ])
                guard isNoted.changed == 1 else { throw LedgerConflict() }
            }
            return true
        } catch is LedgerConflict { return false } catch let error as DatabaseError where error.isSerialisation {
            return false
        }
    }

    /// Removes transfers that were given up.
    func removeUnfinished(writtenBefore limit: Int64) throws {
        try connection.transaction {
            let freed = try deleteUnfinished(writtenBefore: limit)
            if freed > 0 { try giveBack(freed) }
        }
    }

    private func deleteUnfinished(writtenBefore limit: Int64) throws -> Int64 {
        // All parts but the last one have `ContentID.partSize` bytes.
        try delete(
            where: "next_part * $2::bigint < size AND written_at < $3::bigint",
            [.bytes(journal.bytes), .integer(ContentID.partSize), .integer(limit)])
    }

    /// Deletes contents with their parts, which go with the row, and returns the number of their bytes.
    private func delete(where condition: String, _ parameters: [DatabaseValue]) throws -> Int64 {
        try connection.run(
            "DELETE FROM tripstore.content WHERE journal = $1::uuid AND \(condition) RETURNING size", parameters
        ).map { try $0.integer(0) }.reduce(0, +)
    }
}
