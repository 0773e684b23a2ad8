public import Trips

/// The costs of trips, in detail.
extension TripQuerying where Self: ~Copyable {
    /// The costs of a trip by kind, day, category, paid status and traveller, what is left of its budgets, and who owes whom; zero if it is
    /// missing. `totals(of:)` is quicker, and has the number of items and their costs alone. O(items · participants + budgets · items).
    public func detailedTotals(of trip: Trip.ID) throws -> DetailedTotals {
        try read { DetailedTotals(of: try $0.part(trip).map { [$0] } ?? []) }
    }

    /// The costs of all trips together, those with days first, by these; without templates and items whose trip never arrived. As long as to
    /// read all items.
    public func detailedTotals() throws -> DetailedTotals {
        try read { views in
            var parts: [DetailedTotals.Part] = []
            for query in [Query<Trip>.dated, .undated] {
                for trip in try views.fetch(query) { try views.part(trip.id).map { parts.append($0) } }
            }
            return DetailedTotals(of: parts)
        }
    }
}

extension TripViews {
    fileprivate func part(_ trip: Trip.ID) throws -> DetailedTotals.Part? {
        guard let found = try entity(trip) else { return nil }
        return (found, try items(of: trip).rows, try entities(Budget.self, in: trip).rows)
    }
}
