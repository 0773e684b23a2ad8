public import Foundation
import GRDB

/// Activities and their trips in SQLite, for holding answers to questions against: only what is there.
public final class SQLiteQuestions: Sendable {
    private let queue: DatabaseQueue

    /// An activity as a row.
    public struct Row: Sendable {
        public let id: UUID
        public let trip: UUID
        public let name: String
        public let start: Int64?
        public let cost: Int64?
        public let currency: String?
        public let paid: Int

        public init(
            id: UUID, trip: UUID, name: String, start: Int64?, cost: Int64?, currency: String?, paid: Int
        ) {
            self.id = id
            self.trip = trip
            self.name = name
            self.start = start
            self.cost = cost
            self.currency = currency
            self.paid = paid
        }
    }

    /// With the indexes that SQLite's guide to its planner advises for such questions.
    public init() throws {
        queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE trips (id BLOB PRIMARY KEY NOT NULL, name TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE activities (
                        id BLOB PRIMARY KEY NOT NULL, trip BLOB NOT NULL, name TEXT NOT NULL, start INTEGER, cost INTEGER,
                        currency TEXT, paid INTEGER NOT NULL) WITHOUT ROWID;
                    CREATE INDEX activities_by_trip ON activities (trip, paid);
                    CREATE INDEX activities_by_name ON activities (name);
                    CREATE INDEX activities_by_start ON activities (start, name);
                    CREATE INDEX activities_by_cost ON activities (currency, cost);
                    CREATE INDEX activities_by_paid ON activities (paid, start);
                    """)
        }
    }

    public func insert(trips: [(id: UUID, name: String)], _ rows: [Row]) throws {
        try queue.write { database in
            for trip in trips {
                try database.execute(
                    sql: "INSERT INTO trips VALUES (?, ?)", arguments: [Self.bytes(trip.id), trip.name])
            }
            for row in rows {
                try database.execute(
                    sql: "INSERT INTO activities VALUES (?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        Self.bytes(row.id), Self.bytes(row.trip), row.name, row.start, row.cost, row.currency, row.paid,
                    ])
            }
            try database.execute(sql: "ANALYZE")
        }
    }

    /// The ids that a statement selects, in its order.
    public func ids(_ statement: String) throws -> [UUID] {
        try queue.read { database in
            try Data.fetchAll(database, sql: statement).map { data in
                data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            }
        }
    }

    /// The rows of numbers that a statement selects, in its order.
    public func numbers(_ statement: String) throws -> [[Int64?]] {
        try queue.read { database in
            try GRDB.Row.fetchAll(database, sql: statement).map { row in
                (0..<row.count).map { row[$0] as Int64? }
            }
        }
    }

    private static func bytes(_ id: UUID) -> Data { withUnsafeBytes(of: id.uuid) { Data($0) } }
}
