import EventLog
import Events

/// The rows of one journal, over a connection.
struct JournalRows {
    /// What is known of a journal at a moment.
    struct State: Sendable {
        let epoch: [UInt8]
        /// 1 for a journal that is not there.
        let nextEntry: Int64
        let nextPosition: Int64
        let isBegun: Bool
        let isThere: Bool
        /// Of the entry before a cursor; nil if there is none.
        let operation: [UInt8]?
    }

    let connection: DatabaseConnection
    let journal: JournalID

    private var key: DatabaseValue { .bytes(journal.bytes) }

    // MARK: Reading

    /// Throws `DatabaseError.newerSchema` once a newer hub has changed what rows may hold.
    func state(at cursor: DatabaseCursor?) throws -> State {
        let row = try connection.run(
            """
            SELECT h.epoch, j.next_entry, j.next_position, j.begun, e.operation, h.schema_version, h.commit_format
            FROM tripstore.hub h
            LEFT JOIN tripstore.journal j ON j.journal = $1::uuid
            LEFT JOIN tripstore.entry e ON e.journal = $1::uuid AND e.entry = $2::bigint
            """,
            [key, .integer((cursor?.nextEntry ?? 0) - 1)]
        ).first
        guard let row else {
            throw DatabaseError(.unsuitable, "The database has lost the row of its hub. Restore it from a backup.")
        }
        guard try row.integer(5) <= DatabaseSchema.version,
            try row.integer(6) <= Int64(CommitHeader.currentFormat)
        else {
            throw DatabaseError(
                .newerSchema, "A newer hub has changed the database meanwhile. Use its version; nothing was changed.")
        }
        let isThere = row.bytes(1) != nil
        return State(
            epoch: try row.needed(0), nextEntry: isThere ? try row.integer(1) : 1,
            nextPosition: isThere ? try row.integer(2) : 1, isBegun: isThere ? try row.boolean(3) : false,
            isThere: isThere, operation: row.bytes(4))
    }

    /// The next entries, whole operations as far as that takes no more than some megabytes.
    func entries(from entry: Int64) throws -> [EntryRow] {
        try connection.run(
            """
            SELECT \(EntryRow.columns) FROM (
                SELECT *, sum(octet_length(body)) OVER (ORDER BY entry) - octet_length(body) AS before FROM (
                    SELECT * FROM tripstore.entry WHERE journal = $1::uuid AND entry >= $2::bigint
                    ORDER BY entry LIMIT 512) AS next) AS sized
            WHERE before < 8388608 ORDER BY entry
            """,
            [key, .integer(entry)]
        ).map { try EntryRow($0) }
    }

    // MARK: Writing

    private static let insertedColumns =
        "journal, entry, position, operation, kind, commits, replica, first_sequence, first_hash, last_hash, stored_at, continued, body"

    private static func values(from index: Int) -> String {
        let types = ["uuid", "bigint", "bigint", "uuid", "bigint", "bytea", "bytea", "bigint", "boolean", "bytea"]
        return types.enumerated().map { "$\(index + $0)::\($1)" }.joined(separator: ", ")
    }

    /// Rows of one `INSERT`.
    private static let insertedAtOnce = 64

    /// Appends rows if the journal is where a cursor says, in one statement if it is one row. Returns false if it is not.
    func append(_ rows: [EntryRow], at cursor: DatabaseCursor) throws -> Bool {
        let commits = rows.reduce(0) { $0 + $1.commits }
        let taking = """
            UPDATE tripstore.journal SET next_entry = next_entry + $4::bigint, next_position = next_position + $5::bigint
            WHERE journal = $1::uuid AND next_entry = $2::bigint
                AND EXISTS (SELECT FROM tripstore.hub WHERE epoch = $3::uuid)
            RETURNING next_position - $5::bigint AS position
            """
        let taken: [DatabaseValue] = [
            key, .integer(cursor.nextEntry), .bytes(cursor.epoch), .integer(rows.count), .integer(commits),
        ]
        if let row = rows.first, rows.count == 1 {
            return try connection.runCommitting(
                """
                WITH taken AS (\(taking))
                INSERT INTO tripstore.entry (\(Self.insertedColumns))
                SELECT $1::uuid, $2::bigint, taken.position, \(Self.values(from: 6)) FROM taken
                """, taken + row.parameters
            ).changed == 1
        }
        guard var position = try connection.run(taking, taken).first?.integer(0) else { return false }
        var entry = cursor.nextEntry
        for start in stride(from: 0, to: rows.count, by: Self.insertedAtOnce) {
            var parameters: [DatabaseValue] = [key]
            var tuples: [String] = []
            for row in rows[start..<min(start + Self.insertedAtOnce, rows.count)] {
                let index = parameters.count + 1
                tuples.append("($1::uuid, $\(index)::bigint, $\(index + 1)::bigint, \(Self.values(from: index + 2)))")
                parameters += [.integer(entry), .integer(position)] + row.parameters
                entry += 1
                position += row.commits
            }
            try connection.runOnce(
                "INSERT INTO tripstore.entry (\(Self.insertedColumns)) VALUES \(tuples.joined(separator: ", "))",
                parameters)
        }
        return true
    }

    /// Makes the row of a journal, if there is none.
    func begin() throws {
        try connection.runCommitting(
            "INSERT INTO tripstore.journal (journal) VALUES ($1::uuid) ON CONFLICT DO NOTHING", [key])
    }

    /// Changes nothing, and returns when everything that was committed before is durable, on standbys as well: a commit that a crash
    /// interrupted while it waited for them is visible and may not be there.
    func confirm() throws {
        try connection.runCommitting(
            "UPDATE tripstore.journal SET next_entry = next_entry WHERE journal = $1::uuid", [key])
    }

    func noteBegun() throws {
        try connection.runCommitting(
            "INSERT INTO tripstore.journal (journal, begun) VALUES ($1::uuid, true) ON CONFLICT (journal) DO UPDATE SET begun = true",
            [key])
    }

    /// The operation of an entry; nil if there is none.
    func operation(of entry: Int64) throws -> [UInt8]? {
        try connection.run(
            "SELECT operation FROM tripstore.entry WHERE journal = $1::uuid AND entry = $2::bigint",
            [key, .integer(entry)]
        ).first?.bytes(0)
    }

    /// Keeps a row that cannot be used, and lets the same commits be stored again.
    func setAside(_ entry: Int64, because reason: String) throws {
        try connection.run(
            """
            UPDATE tripstore.entry SET set_aside = $3::text
            WHERE journal = $1::uuid AND entry = $2::bigint AND set_aside IS NULL
            """, [key, .integer(entry), .text(String(reason.prefix(1000)))])
    }

    /// Sets aside rows that begin with the same commits as others which are about to be appended.
    func setAside(beginningAs rows: [EntryRow], because reason: String) throws {
        for range in rows.compactMap(\.range) {
            try connection.run(
                """
                UPDATE tripstore.entry SET set_aside = $5::text
                WHERE journal = $1::uuid AND replica = $2::uuid AND first_sequence = $3::bigint AND first_hash = $4::bytea
                    AND kind = 1 AND set_aside IS NULL
                """,
                [
                    key, .bytes(range.replica.bytes), .integer(range.firstSequence), .bytes(range.first.bytes),
                    .text(reason),
                ])
        }
    }

    /// The rows with a commit of a replica's: those of each of its branches.
    func rows(with commit: CommitID) throws -> [EntryRow] {
        try connection.run(
            """
            SELECT \(EntryRow.columns) FROM tripstore.entry
            WHERE journal = $1::uuid AND replica = $2::uuid AND kind = 1 AND set_aside IS NULL
                AND first_sequence <= $3::bigint AND first_sequence + commits > $3::bigint
            """, [key, .bytes(commit.replica.bytes), .integer(commit.sequence.rawValue)]
        ).map { try EntryRow($0) }
    }

    /// The rows with commits of which bytes were restored. Few: each is a time that a member mended the journal.
    func restoredRows() throws -> [EntryRow] {
        try connection.run(
            """
            SELECT \(EntryRow.columns) FROM tripstore.entry
            WHERE journal = $1::uuid AND kind = 3 AND set_aside IS NULL ORDER BY entry
            """, [key]
        ).map { try EntryRow($0) }
    }

    /// Empties the bodies of rows that were set aside and have some of these commits: they are not read, and would keep what was erased.
    /// Rows of restored bytes are emptied whatever they have: no column says it. O(entries) of the journal.
    func emptySetAside(with commits: Set<CommitID>) throws {
        try connection.run(
            """
            UPDATE tripstore.entry SET body = ''::bytea
            WHERE journal = $1::uuid AND kind = 3 AND set_aside IS NOT NULL AND octet_length(body) > 0
            """, [key])
        let found = try connection.run(
            """
            SELECT entry, replica, first_sequence, commits FROM tripstore.entry
            WHERE journal = $1::uuid AND kind = 1 AND set_aside IS NOT NULL AND octet_length(body) > 0
            """, [key])
        let sequences = Dictionary(grouping: commits, by: \.replica.bytes).mapValues { $0.map(\.sequence.rawValue) }
        for row in found.map({ $0 }) {
            // Of which branch of its replica's line it is does not follow from numbers: then it is emptied as well.
            let (first, count) = (UInt64(clamping: try row.integer(2)), UInt64(clamping: try row.integer(3)))
            let isErased = sequences[row.bytes(1) ?? []]?.contains { $0 >= first && $0 - first < count }
            if isErased == true { try replaceBody(of: try row.integer(0), []) }
        }
    }

    /// Makes tidying due, whenever a hub did it last: contents may have lost their last name.
    func hastenTidying() throws {
        try connection.run("UPDATE tripstore.journal SET tidied_at = 0 WHERE journal = $1::uuid", [key])
    }

    /// The rows that were set aside, as findings, each with its first commit; nil for erasures.
    func entriesSetAside() throws -> [(finding: EntryFinding, first: CommitID?)] {
        try connection.run(
            """
            SELECT entry, set_aside, replica, first_sequence, first_hash FROM tripstore.entry
            WHERE journal = $1::uuid AND set_aside IS NOT NULL ORDER BY entry
            """, [key]
        ).map { row in
            let finding = EntryFinding(entry: try row.integer(0), "it was set aside: \(row.text(1) ?? "")")
            guard let replica = row.bytes(2).flatMap({ ReplicaID($0) }),
                let hash = row.bytes(4).flatMap({ $0.withUnsafeBytes { Digest($0) } })
            else { return (finding, nil) }
            let sequence = SequenceNumber(UInt64(clamping: try row.integer(3)))
            return (finding, CommitID(replica: replica, sequence: sequence, hash: hash))
        }
    }

    func replaceBody(of entry: Int64, _ body: [UInt8]) throws {
        try connection.run(
            "UPDATE tripstore.entry SET body = $3::bytea WHERE journal = $1::uuid AND entry = $2::bigint",
            [key, .integer(entry), .bytes(body)])
    }
}
