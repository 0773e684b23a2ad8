import EventLog
public import Events

extension HubDatabase {
    /// The size of a journal in the database.
    public struct JournalSize: Sendable, Hashable {
        public let journal: JournalID
        public let commits: Int64
        public let entries: Int64
        /// The bytes of the journal's entries and attachments.
        public let bytes: Int64
    }

    /// How many entries, and journals, a statement looks at: each statement is short, however much there is.
    private static let page: Int64 = 10_000

    /// The journals in the database with their sizes, in order. O(entries).
    ///
    /// Throws `DatabaseError`.
    public func sizes() async throws -> [JournalSize] {
        var found: [JournalSize] = []
        var last: JournalID?
        while true {
            let rows = try await journalRows(after: last)
            for row in rows {
                var bytes = row.contentBytes
                for start in stride(from: 1, through: row.entries, by: Int(Self.page)) {
                    bytes += try await entryBytes(of: row.journal, from: start)
                }
                found.append(
                    JournalSize(journal: row.journal, commits: row.commits, entries: row.entries, bytes: bytes))
            }
            guard let journal = rows.last?.journal else { return found }
            last = journal
        }
    }

    private struct JournalRow: Sendable {
        let journal: JournalID
        let commits, entries, contentBytes: Int64
    }

    private func journalRows(after last: JournalID?) async throws -> [JournalRow] {
        try await pool.read { connection in
            try connection.run(
                """
                SELECT journal::text, next_position - 1, next_entry - 1, content_bytes FROM tripstore.journal
                WHERE next_entry > 1 AND ($1::uuid IS NULL OR journal > $1::uuid) ORDER BY journal LIMIT $2::bigint
                """, [last.map { .bytes($0.bytes) } ?? .null, .integer(Self.page)]
            ).map { row in
                guard let journal = row.text(0).flatMap({ JournalID($0) }) else {
                    throw DatabaseError(.damaged, "The database has a journal whose id is none.")
                }
                return JournalRow(
                    journal: journal, commits: try row.integer(1), entries: try row.integer(2),
                    contentBytes: try row.integer(3))
            }
        }
    }

    private func entryBytes(of journal: JournalID, from entry: Int64) async throws -> Int64 {
        try await pool.read { connection in
            try connection.run(
                """
                SELECT coalesce(sum(octet_length(body)), 0)::bigint FROM tripstore.entry
                WHERE journal = $1::uuid AND entry >= $2::bigint AND entry < $2::bigint + $3::bigint
                """, [.bytes(journal.bytes), .integer(entry), .integer(Self.page)]
            ).first?.integer(0) ?? 0
        }
    }
}
