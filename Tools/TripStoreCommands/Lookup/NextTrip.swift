import TripStore

extension TripStore {
    /// The first trips of a query that are to happen.
    func tripsToHappen(_ query: Query<Trip>) throws -> [Trip] {
        try trips(query, limit: 20).rows.map(\.trip).filter { $0.archivedAt == nil && $0.stage != .cancelled }
    }

    /// The trip that people most likely plan: the one under way, or else the next to come, the newest without days, or the last.
    func nextTrip() throws -> Trip? {
        let today = try WhenContext.current().today
        let queries: [Query<Trip>] = [
            .overlapping(today...today), .starting(in: today...Day.last), .undated.reversed,
            .starting(in: Day.first...today).reversed,
        ]
        for query in queries {
            if let trip = try tripsToHappen(query).first { return trip }
        }
        return nil
    }
}
