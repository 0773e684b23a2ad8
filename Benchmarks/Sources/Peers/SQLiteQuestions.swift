public import Foundation
import GRDB
public import RandomQuestions
import TripStore

/// Entities of all kinds in SQLite, for holding answers to questions against: only what is there.
public final class SQLiteQuestions: QuestionDatabase, Sendable {
    private let queue: DatabaseQueue

    /// With the indexes that SQLite's guide to its planner advises for such questions.
    public init(_ rows: QuestionRows) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.add(
                function: DatabaseFunction("meters", argumentCount: 4, pure: true) { values in
                    let numbers = values.compactMap { Double.fromDatabaseValue($0) }
                    guard numbers.count == 4 else { return nil }
                    return QuestionRow.meters(numbers[0], numbers[1], numbers[2], numbers[3])
                })
        }
        queue = try DatabaseQueue(configuration: configuration)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE entities (
                        kind INTEGER NOT NULL, id BLOB NOT NULL, name TEXT NOT NULL, parent BLOB, organization BLOB, start INTEGER,
                        cost INTEGER, currency TEXT, paid INTEGER NOT NULL, mode INTEGER NOT NULL, count INTEGER NOT NULL,
                        latitude REAL, longitude REAL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
                    CREATE INDEX by_parent ON entities (kind, parent, paid);
                    CREATE INDEX by_organization ON entities (kind, organization);
                    CREATE INDEX by_name ON entities (kind, name);
                    CREATE INDEX by_start ON entities (kind, start, name);
                    CREATE INDEX by_cost ON entities (kind, currency, cost);
                    CREATE INDEX by_paid ON entities (kind, paid, start);
                    CREATE INDEX by_count ON entities (kind, count);
                    """)
            for row in rows.all { try Self.insert(row, database) }
            try database.execute(sql: "ANALYZE")
        }
    }

    private static func insert(_ row: QuestionRow, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO entities VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                row.kind.rawValue, bytes(row.id), row.name, row.parent.map(bytes), row.organization.map(bytes),
                row.start, row.cost?.minorUnits, row.cost?.currency.code, Int(row.paid.number),
                Int(row.mode.number), row.count, row.place?.latitude, row.place?.longitude,
            ])
    }

    public func ids(_ statement: String) throws -> [UUID] {
        try queue.read { database in
            try Data.fetchAll(database, sql: statement).map { data in
                data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            }
        }
    }

    public func numbers(_ statement: String) throws -> [[Int64?]] {
        try queue.read { database in
            try Row.fetchAll(database, sql: statement).map { row in (0..<row.count).map { row[$0] as Int64? } }
        }
    }

    private static func bytes(_ id: UUID) -> Data { withUnsafeBytes(of: id.uuid) { Data($0) } }
}
