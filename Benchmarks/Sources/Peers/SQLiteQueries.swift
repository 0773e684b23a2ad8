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

    /// The items of a trip, in the order of time.
    public func items(of trip: UUID) throws -> [ItemRecord] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(ItemRecord.columns) FROM items WHERE trip = ? ORDER BY start_at")
            return try ItemRecord.fetchAll(statement, arguments: [trip])
        }
    }
}
