import EventLog

/// The tables of a hub in a database: `RunningHubsOverPostgreSQL` in the documentation describes them.
///
/// Everything lies in the schema `tripstore`, so that a database can hold other tables beside it.
enum DatabaseSchema {
    /// The version that this hub makes, and the newest that it uses.
    static let version: Int64 = 2

    /// Held while the schema is made or changed, by any hub.
    private static let lock: Int64 = 0x7472_6970_7374_6f72

    /// The steps to each version from the one before it. A step is never changed once it was released.
    private static let steps: [[String]] = [
        [
            """
            CREATE TABLE tripstore.hub (
                one boolean PRIMARY KEY DEFAULT true CHECK (one),
                schema_version bigint NOT NULL,
                commit_format bigint NOT NULL,
                epoch uuid NOT NULL,
                secret bytea NOT NULL CHECK (octet_length(secret) = 32),
                system_id text NOT NULL,
                timeline text NOT NULL)
            """,
            """
            CREATE TABLE tripstore.journal (
                journal uuid PRIMARY KEY,
                next_entry bigint NOT NULL DEFAULT 1,
                next_position bigint NOT NULL DEFAULT 1,
                begun boolean NOT NULL DEFAULT false,
                content_bytes bigint NOT NULL DEFAULT 0,
                tidied_at bigint NOT NULL DEFAULT 0)
            """,
            """
            CREATE TABLE tripstore.entry (
                journal uuid NOT NULL,
                entry bigint NOT NULL,
                operation uuid NOT NULL,
                kind bigint NOT NULL,
                position bigint NOT NULL,
                commits bigint NOT NULL,
                replica uuid,
                first_sequence bigint,
                first_hash bytea,
                last_hash bytea,
                stored_at bigint NOT NULL,
                continued boolean NOT NULL,
                set_aside text,
                body bytea NOT NULL,
                PRIMARY KEY (journal, entry))
            """,
            // Bodies do not get smaller, and are read as wholes.
            "ALTER TABLE tripstore.entry ALTER COLUMN body SET STORAGE EXTERNAL",
            """
            CREATE UNIQUE INDEX entry_commit ON tripstore.entry (journal, replica, first_sequence, first_hash)
                WHERE kind = 1 AND set_aside IS NULL
            """,
            """
            CREATE TABLE tripstore.content (
                journal uuid NOT NULL,
                root bytea NOT NULL,
                size bigint NOT NULL,
                leaves bytea NOT NULL,
                next_part bigint NOT NULL,
                written_at bigint NOT NULL,
                PRIMARY KEY (journal, root, size))
            """,
            """
            CREATE TABLE tripstore.content_part (
                journal uuid NOT NULL,
                root bytea NOT NULL,
                size bigint NOT NULL,
                part bigint NOT NULL,
                body bytea NOT NULL,
                PRIMARY KEY (journal, root, size, part),
                FOREIGN KEY (journal, root, size) REFERENCES tripstore.content ON DELETE CASCADE)
            """,
            "ALTER TABLE tripstore.content_part ALTER COLUMN body SET STORAGE EXTERNAL",
        ],
        // Entries of kind 3: a hub of version 1 would not know what they restore.
        [],
    ]

    /// Makes the schema, or brings an older one up to date; one hub at a time. Durable when it returns.
    ///
    /// Throws `DatabaseError.newerSchema` if a newer hub made it, `.denied`, or what the database says.
    static func prepare(_ connection: DatabaseConnection, secret: [UInt8], epoch: [UInt8]) throws {
        if try isCurrent(connection) { return }
        // A server that refuses to say would fail the transaction.
        let instance = try DatabaseInstance(connection)
        try connection.transaction {
            try connection.runOnce("SELECT pg_advisory_xact_lock($1::bigint)", [.integer(lock)])
            try connection.runOnce("CREATE SCHEMA IF NOT EXISTS tripstore")
            var found: Int64 = 0
            if try exists(connection) {
                found = try connection.runOnce("SELECT schema_version FROM tripstore.hub").first?.integer(0) ?? 0
            }
            try refuse(newer: found)
            for (index, step) in steps.enumerated() where Int64(index) >= found {
                for statement in step { try connection.runOnce(statement) }
            }
            let format = DatabaseValue.integer(Int64(CommitHeader.currentFormat))
            if found == 0 {
                try connection.runOnce(
                    """
                    INSERT INTO tripstore.hub (schema_version, commit_format, epoch, secret, system_id, timeline)
                    VALUES ($1::bigint, $2::bigint, $3::uuid, $4::bytea, $5::text, $6::text)
                    """,
                    [
                        .integer(version), format, .bytes(epoch), .bytes(secret), .text(instance.system),
                        .text(instance.timeline),
                    ])
            } else {
                try connection.runOnce(
                    "UPDATE tripstore.hub SET schema_version = $1::bigint, commit_format = greatest(commit_format, $2::bigint)",
                    [.integer(version), format])
            }
        }
    }

    /// Whether there is nothing to do.
    private static func isCurrent(_ connection: DatabaseConnection) throws -> Bool {
        guard try exists(connection),
            let row = try connection.runOnce("SELECT schema_version, commit_format FROM tripstore.hub").first
        else { return false }
        let (found, format) = (try row.integer(0), try row.integer(1))
        try refuse(newer: found)
        guard format <= Int64(CommitHeader.currentFormat) else {
            throw DatabaseError(
                .newerSchema,
                "Commits of format \(format) are stored in the database, and this hub reads up to \(CommitHeader.currentFormat). Use a newer version; nothing was changed."
            )
        }
        return found == version && format == Int64(CommitHeader.currentFormat)
    }

    private static func exists(_ connection: DatabaseConnection) throws -> Bool {
        try connection.runOnce("SELECT to_regclass('tripstore.hub') IS NOT NULL").first?.boolean(0) ?? false
    }

    private static func refuse(newer found: Int64) throws {
        guard found > version else { return }
        throw DatabaseError(
            .newerSchema,
            "The tables in the database are of version \(found), and this hub knows up to \(version). Use a newer version; nothing was changed."
        )
    }
}

/// Which server a connection leads to, and which of its histories: a standby that was promoted, and a server that was restored from a
/// backup to an earlier point, have another timeline; another server has another id.
struct DatabaseInstance: Hashable {
    let system: String
    let timeline: String

    init(_ connection: DatabaseConnection) throws {
        // Servers that only speak the protocol may have neither.
        let row = try? connection.runOnce(
            """
            SELECT (SELECT system_identifier::text FROM pg_control_system()),
                substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
            """
        ).first
        system = row?.text(0) ?? ""
        timeline = row?.text(1) ?? ""
    }
}
