public import Trips

/// What trips cost, in detail.
extension TripViews {
    /// What a trip costs by kind, day, category, paid status and traveller, what is left of its budgets, and who owes whom; zero if it is
    /// missing. O(items · participants + budgets · items).
    public func detailedTotals(of trip: Trip.ID) throws -> DetailedTotals {
        DetailedTotals(of: try part(trip).map { [$0] } ?? [])
    }

    /// The same of all trips together, those with days first, by these; without templates and items whose trip never arrived. As long as to
    /// read all items.
    public func detailedTotals() throws -> DetailedTotals {
        var parts: [DetailedTotals.Part] = []
        for query in [TripQuery.dated, .undated] {
            for row in try trips(query, limit: .max).rows { try part(row.id).map { parts.append($0) } }
        }
        return DetailedTotals(of: parts)
    }

    private func part(_ trip: Trip.ID) throws -> DetailedTotals.Part? {
        guard let found = try entity(trip) else { return nil }
        return (found, try items(of: trip), try entities(Budget.self, in: trip))
    }
}

extension TripQuerying {
    /// What a trip costs by kind, day, category, paid status and traveller, what is left of its budgets, and who owes whom; zero if it is
    /// missing. `totals(of:)` is quicker, and has the number of items and their costs alone. O(items · participants + budgets · items).
    public func detailedTotals(of trip: Trip.ID) throws -> DetailedTotals {
        try read { try $0.detailedTotals(of: trip) }
    }

    /// The same of all trips together. As long as to read all items.
    public func detailedTotals() throws -> DetailedTotals { try read { try $0.detailedTotals() } }
}

extension TripStore {
    /// What a trip costs, in detail, live.
    public func live(detailedTotalsOf trip: Trip.ID) -> LiveQuery<DetailedTotals> {
        live { try $0.detailedTotals(of: trip) }
    }
}
