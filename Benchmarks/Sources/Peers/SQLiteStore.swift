import BenchmarkData
public import Foundation
public import GRDB

/// The same job on SQLite through GRDB, as a sensible app would do it: a table of events, with tables and indexes that
/// correspond to our views; all of it in one transaction.
///
/// It follows GRDB's and SQLite's guides, and goes further where that was faster: WAL, cached prepared statements,
/// arguments bound without a check, one transaction for many rows, ids as blobs in tables without a second tree for
/// their row numbers, a cache of 64 MB.
public final class SQLiteStore: Sendable {
    /// For queries of any kind.
    public let pool: DatabasePool

    /// Opens the database in a folder, creating it on first use. Every transaction waits for the medium.
    public init(_ folder: URL) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -65536")
            try database.execute(sql: "PRAGMA mmap_size = 4294967296")
            // A checkpoint after every 40 MB instead of 4: at least a tenth faster for bulk work.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 10000")
        }
        pool = try DatabasePool(path: folder.appendingPathComponent("trips.sqlite").path, configuration: configuration)
        try setDurable()
        try pool.write { try $0.execute(sql: Self.schema) }
    }

    // The pool sets it to NORMAL when it enables WAL, after the database was prepared.
    private func setDurable() throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        guard try pool.writeWithoutTransaction({ try Int.fetchOne($0, sql: "PRAGMA synchronous") }) == 2,
            try pool.read({ try String.fetchOne($0, sql: "PRAGMA journal_mode") }) == "wal"
        else { throw DatabaseError(message: "WAL with synchronous = FULL did not take effect.") }
    }

    /// Lets `body` write without waiting for the medium: to fill a database before measuring. Everything is on the
    /// medium, and in the database's own file, when this returns.
    public func filling(_ body: () throws -> Void) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        try body()
        try setDurable()
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    /// SQLite's version.
    public static var version: String {
        (try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }) ?? "unknown"
    }

    /// Closes it; bytes in the write-ahead log go into the database.
    public func close() throws { try pool.close() }

    /// Writes in one durable transaction.
    public func write(_ body: (borrowing SQLiteWriter) throws -> Void) throws {
        try pool.write { try body(SQLiteWriter($0)) }
    }

    private static let schema = """
        CREATE TABLE IF NOT EXISTS events (
            position INTEGER PRIMARY KEY, at INTEGER NOT NULL, author TEXT NOT NULL, kind INTEGER NOT NULL,
            entity BLOB NOT NULL, verb INTEGER NOT NULL, change BLOB NOT NULL);
        CREATE INDEX IF NOT EXISTS events_by_entity ON events (entity, position);
        CREATE TABLE IF NOT EXISTS trips (
            id BLOB PRIMARY KEY NOT NULL, name TEXT NOT NULL, destination TEXT NOT NULL, notes TEXT NOT NULL,
            start_day INTEGER, end_day INTEGER, is_protected INTEGER NOT NULL, created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS trips_by_start ON trips (start_day, id) WHERE start_day IS NOT NULL;
        CREATE INDEX IF NOT EXISTS trips_by_span ON trips (end_day, start_day) WHERE start_day IS NOT NULL;
        CREATE INDEX IF NOT EXISTS trips_undated ON trips (created_at, id) WHERE start_day IS NULL;
        CREATE TABLE IF NOT EXISTS items (
            id BLOB PRIMARY KEY NOT NULL, kind INTEGER NOT NULL, trip BLOB NOT NULL, name TEXT NOT NULL,
            start_at INTEGER, start_zone TEXT, end_at INTEGER, end_zone TEXT, cost INTEGER, currency TEXT,
            paid INTEGER NOT NULL, reservation TEXT NOT NULL, notes TEXT NOT NULL, location TEXT NOT NULL,
            hides_location INTEGER NOT NULL, street TEXT, city TEXT, state TEXT, country TEXT, postal_code TEXT,
            latitude REAL, longitude REAL, formatted TEXT, organization BLOB, mode INTEGER NOT NULL,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS items_by_trip ON items (trip, start_at, currency, cost);
        CREATE TABLE IF NOT EXISTS organizations (
            id BLOB PRIMARY KEY NOT NULL, name TEXT NOT NULL, phone TEXT NOT NULL, email TEXT NOT NULL,
            website TEXT NOT NULL, logo_url TEXT NOT NULL) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS organizations_by_name ON organizations (name COLLATE NOCASE);
        """
}
