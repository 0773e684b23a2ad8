import TripStore

extension TripStore {
    /// The first trips of a query that are to happen: all of them, or three and perhaps more.
    func tripsToHappen(_ query: Query<Trip>) throws -> [Trip] {
        var (found, next): ([Trip], PageCursor?) = ([], nil)
        repeat {
            let page = try trips(query, limit: 100, after: next)
            found += page.rows.map(\.trip).filter { $0.archivedAt == nil && $0.stage != .cancelled }
            next = page.next
        } while next != nil && found.count < 3
        return found
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
