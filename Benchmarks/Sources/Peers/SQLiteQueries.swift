public import Foundation
import GRDB

extension SQLiteStore {
    /// The trips that start on a day or later, by day.
    public func trips(from day: Int, limit: Int) throws -> [TripRecord] {
        try pool.read { try Self.trips($0, day, limit) }
    }

    /// The same, each with the sums over its items, read on one snapshot.
    public func tripRows(from day: Int, limit: Int) throws -> [TripRowRecord] {
        try pool.read { database in
            let trips = try Self.trips(database, day, limit)
            let places = repeatElement("?", count: trips.count).joined(separator: ", ")
            let statement = try database.cachedStatement(
                sql: """
                    SELECT trip, currency, COUNT(*), COALESCE(SUM(cost), 0) FROM items WHERE trip IN (\(places)) \
                    GROUP BY trip, currency
                    """)
            let totals = try TotalRecord.fetchAll(statement, arguments: StatementArguments(trips.map(\.id)))
            let byTrip = Dictionary(grouping: totals, by: \.trip)
            return trips.map { TripRowRecord(trip: $0, totals: byTrip[$0.id] ?? []) }
        }
    }

    private static func trips(_ database: Database, _ day: Int, _ limit: Int) throws -> [TripRecord] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(TripRecord.columns) FROM trips WHERE start_day IS NOT NULL AND start_day >= ? \
                ORDER BY start_day, id LIMIT ?
                """)
        return try TripRecord.fetchAll(statement, arguments: [day, limit])
    }

    /// A trip, or nil.
    public func trip(_ id: UUID) throws -> TripRecord? {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: "SELECT \(TripRecord.columns) FROM trips WHERE id = ?")
            return try TripRecord.fetchOne(statement, arguments: [id])
        }
    }

    /// How many activities cost more than so many minor units of EUR.
    public func activityCount(costing minorUnits: Int) throws -> Int {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT COUNT(*) FROM items WHERE kind = 2 AND currency = 'EUR' AND cost > ?")
            return try Int.fetchOne(statement, arguments: [minorUnits]) ?? 0
        }
    }

    /// The first activities with a text in their name, in the order of time.
    public func activities(named part: String, limit: Int) throws -> [ItemRecord] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(ItemRecord.columns) FROM items WHERE kind = 2 AND name LIKE ? \
                    ORDER BY start_at IS NULL, start_at, id LIMIT ?
                    """)
            return try ItemRecord.fetchAll(statement, arguments: ["%\(part)%", limit])
        }
    }

    /// Indexes for the questions of `IndexedQueryRow`.
    public func addIndexes() throws {
        try pool.write { database in
            try database.execute(
                sql: """
                    CREATE INDEX items_by_start ON items (kind, start_at, id);
                    CREATE INDEX items_by_cost ON items (kind, currency, cost);
                    CREATE INDEX items_by_paid ON items (kind, paid, start_at, id);
                    ANALYZE;
                    """)
        }
    }

    /// The first activities from a time on, in its order.
    public func activities(from time: Int64, limit: Int) throws -> [ItemRecord] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(ItemRecord.columns) FROM items WHERE kind = 2 AND start_at >= ? ORDER BY start_at, id LIMIT ?
                    """)
            return try ItemRecord.fetchAll(statement, arguments: [time, limit])
        }
    }

    /// The first transportations that are paid in some way, from a time on, in its order.
    public func flights(paid: Int, from time: Int64, limit: Int) throws -> [ItemRecord] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(ItemRecord.columns) FROM items WHERE kind = 4 AND paid = ? AND start_at >= ? \
                    ORDER BY start_at, id LIMIT ?
                    """)
            return try ItemRecord.fetchAll(statement, arguments: [paid, time, limit])
        }
    }

    /// The first trips from a day on that have a lodging of which nothing is paid.
    public func tripsWithUnpaidLodging(from day: Int, limit: Int) throws -> [TripRecord] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(TripRecord.columns) FROM trips WHERE start_day IS NOT NULL AND start_day >= ? AND EXISTS \
                    (SELECT 1 FROM items WHERE trip = trips.id AND kind = 3 AND paid = 0) ORDER BY start_day, id LIMIT ?
                    """)
            return try TripRecord.fetchAll(statement, arguments: [day, limit])
        }
    }

    /// The sums of the costs of activities by currency and payment.
    public func costs() throws -> [Int64] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT SUM(cost) FROM items WHERE kind = 2 GROUP BY currency, paid")
            return try Optional<Int64>.fetchAll(statement).map { $0 ?? 0 }
        }
    }

    /// The items of a trip, in the order of time.
    public func items(of trip: UUID) throws -> [ItemRecord] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(ItemRecord.columns) FROM items WHERE trip = ? ORDER BY start_at")
            return try ItemRecord.fetchAll(statement, arguments: [trip])
        }
    }
}
