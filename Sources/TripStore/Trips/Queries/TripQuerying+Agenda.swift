import ProjectionEngine
import TripProjections
public import Trips

/// Agendas: what happens on some days.
extension TripQuerying where Self: ~Copyable {
    /// The agenda of a day: what happens in all trips.
    public func agenda(_ day: Day) throws -> Agenda { try agenda(day...day) }

    /// The agenda of some days: what happens in all trips, items by the calendar of the place where those who travel are then, trips on their first and
    /// last day, and what cannot work. Templates are left out; items whose trip never arrived here are not.
    ///
    /// Throws `TripStoreError.Code.invalidValue`, with a `ValidationError` of `invalidRange`, for more than `Agenda.mostDays` days.
    /// O(log n + items of the trips that have something then).
    public func agenda(_ days: ClosedRange<Day>) throws -> Agenda {
        try read { views in
            try Agenda.check(days)
            var plans: [Trip.ID: Agenda.Plan] = [:]
            var unfiled: [TripItem.ID: TripItem] = [:]
            // Local time is at most a day and two hours from UTC.
            let widened = days.lowerBound.advanced(by: -2)...days.upperBound.advanced(by: 2)
            for trip in try views.fetch(.overlapping(widened)) {
                plans[trip.id] = (trip, try views.items(of: trip.id).rows)
            }
            for item in try views.items(reaching: widened) {
                if let trip = item.trip, plans[trip] != nil { continue }
                if let id = item.trip, let trip = try views.entity(id) {
                    if !trip.isTemplate { plans[id] = (trip, try views.items(of: id).rows) }
                } else {
                    unfiled[item.id] = item
                }
            }
            let byID = plans.sorted { $0.key < $1.key }.map(\.value)
            // No journey of theirs leads anywhere: each has its own zone.
            return try Agenda(days, of: byID + unfiled.values.map { (nil, [$0]) })
        }
    }

    /// The agenda of a range without its last day. Throws as well for a range without any.
    public func agenda(_ days: Range<Day>) throws -> Agenda { try read { try $0.agenda(days.withLastDay()) } }

    /// The agenda of some days in one trip; empty days if it is not there. O(items of the trip + days).
    public func agenda(_ days: ClosedRange<Day>, of trip: Trip.ID) throws -> Agenda {
        try read { try Agenda(days, of: $0.plan(of: trip).map { [$0] } ?? []) }
    }

    /// The agenda of a trip, from its first day or the first of its items on, up to `Agenda.mostDays` days; no days if it is not there, or has
    /// none. O(items of the trip + days).
    public func agenda(of trip: Trip.ID) throws -> Agenda {
        try read { Agenda(of: try $0.plan(of: trip) ?? (nil, [])) }
    }
}

extension TripViews {
    fileprivate func plan(of trip: Trip.ID) throws -> Agenda.Plan? {
        try entity(trip).map { ($0, try items(of: trip).rows) }
    }

    /// The items that may be on days in UTC: those that start then or shortly before, and those that a view has by their length.
    func items(reaching days: ClosedRange<Day>) throws -> [TripItem] {
        // An item that takes longer has a row in the view.
        let first = Moment(milliseconds: days.lowerBound.advanced(by: -1).milliseconds, zone: "UTC")
        let last = Moment(milliseconds: days.upperBound.advanced(by: 1).milliseconds, zone: "UTC")
        var found = try starting(Activity.self, first, last).map { TripItem.activity($0) }
        found += try starting(Lodging.self, first, last).map { .lodging($0) }
        found += try starting(Transportation.self, first, last).map { .transportation($0) }
        for reference in try ItemsBySpan.items(overlapping: days, in: snapshot) {
            if try shownRecord(of: reference) != nil, let item = try item(at: reference) { found.append(item) }
        }
        return found
    }

    private func starting<Kind: ItemKind>(
        _ type: Item<Kind>.Type, _ first: Moment, _ last: Moment
    ) throws -> [Item<Kind>] {
        try fetch(Query<Item<Kind>>().where { $0.start >= first && $0.start < last }).rows
    }
}

extension Range<Day> {
    /// The range with its last day; throws `ValidationError` with `invalidRange` if it has none.
    fileprivate func withLastDay() throws(ValidationError) -> ClosedRange<Day> {
        guard lowerBound < upperBound else {
            throw ValidationError(
                .invalidRange,
                "The range from \(lowerBound) until before \(upperBound) has no day. Ask for one at least: \(lowerBound)...\(lowerBound)."
            )
        }
        return lowerBound...upperBound.advanced(by: -1)
    }
}

/// The costs of trips, in detail.
extension TripQuerying where Self: ~Copyable {
    /// The costs of a trip by kind, day, category, paid status and traveller, what is left of its budgets, and who owes whom; zero if it is
    /// missing. `totals(of:)` is quicker, and has the number of items and their costs alone. O(items · participants + budgets · items).
    ///
    /// In a currency, if one is named, by the rates of the trip; what has no rate stays in its own, and is among the totals.
    public func detailedTotals(of trip: Trip.ID, in currency: Currency? = nil) throws -> DetailedTotals {
        try read { views in
            try views.detailedTotals(of: try views.part(trip).map { [$0] } ?? [], in: currency)
        }
    }

    /// The costs of all trips together, those with days first, by these; without templates and items whose trip never arrived. As long as to
    /// read all items. In a currency, if one is named, each trip by its own rates.
    public func detailedTotals(in currency: Currency? = nil) throws -> DetailedTotals {
        try read { views in
            var parts: [DetailedTotals.Part] = []
            for query in [Query<Trip>.dated, .undated] {
                for trip in try views.fetch(query) { try views.part(trip.id).map { parts.append($0) } }
            }
            return try views.detailedTotals(of: parts, in: currency)
        }
    }
}

extension TripViews {
    fileprivate func detailedTotals(of parts: [DetailedTotals.Part], in currency: Currency?) throws -> DetailedTotals {
        guard let currency else { return DetailedTotals(of: parts) }
        var rates: [Trip.ID: [CurrencyRate]] = [:]
        for part in parts { rates[part.trip.id] = try entities(CurrencyRate.self, in: part.trip.id).rows }
        return DetailedTotals(of: parts, in: currency, by: rates)
    }

    fileprivate func part(_ trip: Trip.ID) throws -> DetailedTotals.Part? {
        guard let found = try entity(trip) else { return nil }
        return (found, try items(of: trip).rows, try entities(Budget.self, in: trip).rows)
    }
}

/// The trips that are on some days, and what else is.
package struct TripsOnDays: Sendable, Hashable {
    /// Those with a day of their own then or an item, but no templates: by their first day; those without days last.
    package let trips: [Trip.ID]
    /// How many items are then whose trip never arrived here.
    package let unfiledItems: Int
}

extension TripViews {
    /// The trips with a day in a range, or with an item on one of its days by the clocks of those who travel.
    ///
    /// O(log n + items of the trips that have some near the range).
    package func trips(on days: ClosedRange<Day>) throws -> TripsOnDays {
        var firsts: [Trip.ID: Day?] = [:]
        for trip in try fetch(.overlapping(days)) { firsts[trip.id] = .some(trip.startDay ?? trip.endDay) }
        var unfiled: Set<TripItem.ID> = []
        // Local time is at most a day and two hours from UTC.
        let widened = days.lowerBound.advanced(by: -2)...days.upperBound.advanced(by: 2)
        var clocks: [Trip.ID: TripClocks] = [:]
        for item in try items(reaching: widened) {
            if let trip = item.trip, firsts[trip] != nil { continue }
            guard let id = item.trip, let trip = try entity(id) else {
                if ItemCourse(item).span?.overlaps(days) == true { unfiled.insert(item.id) }
                continue
            }
            if trip.isTemplate { continue }
            let known = try clocks[id] ?? TripClocks(self.items(of: id).rows)
            clocks[id] = known
            if ItemCourse(item, known).span?.overlaps(days) == true { firsts[id] = .some(trip.startDay ?? trip.endDay) }
        }
        let sorted = firsts.sorted { ($0.value ?? .last, $0.key) < ($1.value ?? .last, $1.key) }
        return TripsOnDays(trips: sorted.map(\.key), unfiledItems: unfiled.count)
    }
}
