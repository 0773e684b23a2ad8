/// The plan of some days, of all trips or of one, and what cannot work in it.
///
/// Days are those of the calendar of the place where those who take part are; see `AgendaEntry` and `AgendaFinding` for the rules.
public struct Agenda: Hashable, Sendable {
    /// The most days of one agenda: ten years.
    public static let mostDays = 3_660

    /// Every day of the range, in order.
    public let days: [AgendaDay]
    /// The problems of these days, in their order.
    public let findings: [AgendaFinding]

    /// The items and the trip that they belong to; without one, items whose trip never arrived.
    package typealias Plan = (trip: Trip?, items: [TripItem])

    /// Throws `ValidationError` with `invalidRange` for too many days. O(items · log items + entries).
    package init(_ days: ClosedRange<Day>, of plans: [Plan]) throws(ValidationError) {
        try Self.check(days)
        var entries: [Day: [AgendaEntry]] = [:]
        var trips: [Day: [AgendaTrip]] = [:]
        var findings: [AgendaFinding] = []
        for (trip, items) in plans {
            let clocks = TripClocks(items)
            let namesZones = clocks.zoneCount > 1
            let courses = items.map { ItemCourse($0, clocks) }.filter { !$0.isOpen }
            for course in courses {
                for (day, role) in course.days(in: days) {
                    entries[day, default: []].append(AgendaEntry(course, day, role, namesZones: namesZones))
                }
            }
            guard let trip else { continue }
            for (day, role) in trip.ends(in: days) {
                trips[day, default: []].append(AgendaTrip(trip: trip, role: role))
            }
            findings += FindingSearch(trip, courses, clocks).findings.filter { $0.days.overlaps(days) }
        }
        self.days = days.map { day in
            AgendaDay(
                day: day, trips: (trips[day] ?? []).sorted { ($0.trip.name, $0.id) < ($1.trip.name, $1.id) },
                entries: AgendaEntry.inOrder(entries[day] ?? []))
        }
        self.findings = findings.sorted(by: AgendaFinding.isBefore)
    }

    /// All days of a trip and of its items, as far as an agenda goes; none for a trip without any.
    ///
    /// An item that takes longer than an agenda, as where a year was mistyped, adds no days: it is on those of the others. Without others its first day
    /// is shown. So one item makes no more entries than the rest of the trip has days.
    package init(of plan: Plan) {
        let spans = ItemCourse.all(of: plan.items).compactMap(\.span)
        var ends = spans.filter { $0.lowerBound.distance(to: $0.upperBound) < Self.mostDays }
            .flatMap { [$0.lowerBound, $0.upperBound] }
        ends += [plan.trip?.startDay, plan.trip?.effectiveEndDay].compactMap { $0 }
        if ends.isEmpty { ends = spans.map(\.lowerBound).min().map { [$0] } ?? [] }
        guard let first = ends.min(), let last = ends.max() else {
            (days, findings) = ([], [])
            return
        }
        // Of items that lie further apart the days from the trip's own on.
        let isTooLong = first.distance(to: last) >= Self.mostDays
        let start = isTooLong ? plan.trip?.startDay ?? plan.trip?.effectiveEndDay ?? first : first
        let shown = start...min(last, start.advanced(by: Self.mostDays - 1))
        do throws(ValidationError) { self = try Agenda(shown, of: [plan]) } catch { (days, findings) = ([], []) }
    }

    /// Whether nothing happens.
    public var isEmpty: Bool { days.allSatisfy(\.isEmpty) }

    /// All entries, by their days.
    public var entries: [AgendaEntry] { days.flatMap(\.entries) }

    package static func check(_ days: ClosedRange<Day>) throws(ValidationError) {
        let count = days.lowerBound.distance(to: days.upperBound) + 1
        guard count > mostDays else { return }
        throw ValidationError(
            .invalidRange,
            "From \(days.lowerBound) to \(days.upperBound) there are \(count) days, and an agenda has at most \(mostDays). Ask for a "
                + "shorter range, as \(days.lowerBound) to \(days.lowerBound.advanced(by: mostDays - 1)).")
    }
}

/// A day of an agenda: the trips that begin or end on it, and its entries.
public struct AgendaDay: Hashable, Sendable, Identifiable {
    public let day: Day
    /// The trips that begin or end on it, by name.
    public let trips: [AgendaTrip]
    /// Entries that go on or have no clock time, then those with one, in the order of real time: over the date line clocks may go back between two.
    public let entries: [AgendaEntry]

    public var id: Day { day }
    public var isEmpty: Bool { trips.isEmpty && entries.isEmpty }
}

/// A trip on its first day, or on its last.
public struct AgendaTrip: Hashable, Sendable, Identifiable {
    public let trip: Trip
    /// `whole` for a trip of one day; none `continues`.
    public let role: AgendaEntry.Role

    public var id: Trip.ID { trip.id }
}

extension Trip {
    fileprivate func ends(in days: ClosedRange<Day>) -> [(Day, AgendaEntry.Role)] {
        if let startDay, startDay == effectiveEndDay { return days.contains(startDay) ? [(startDay, .whole)] : [] }
        let ends: [(Day?, AgendaEntry.Role)] = [(startDay, .starts), (effectiveEndDay, .ends)]
        return ends.compactMap { day, role in day.flatMap { days.contains($0) ? ($0, role) : nil } }
    }
}

extension Trip {
    /// Takes the first and the last day of its items for those of its own ends that follow them. Ideas and what is cancelled do not count; of a
    /// trip without any other day nothing changes. An end that does not follow bounds the other.
    package mutating func follow(_ items: [TripItem], start: Bool, end: Bool) {
        let spans = ItemCourse.all(of: items.filter(\.takesPlace)).compactMap(\.span)
        guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() else { return }
        if start { startDay = end ? first : min(first, endDay ?? first) }
        if end { endDay = max(last, startDay ?? last) }
    }

    /// A day of an item that lies outside of the trip's, the first if it is one; nil if none does. An open end bounds nothing, and ideas and what
    /// is cancelled are nowhere. The one rule for findings and for warnings at entry.
    package func dayOutside(_ course: ItemCourse) -> Day? {
        guard takesPlace, course.item.takesPlace, let span = course.span else { return nil }
        if let startDay, span.lowerBound < startDay { return span.lowerBound }
        if let last = effectiveEndDay, span.upperBound > last { return span.upperBound }
        return nil
    }

    var takesPlace: Bool { stage != .idea && stage != .cancelled }

    /// How many days it has; nil while an end is open.
    package var dayCount: Int? { startDay.flatMap { first in effectiveEndDay.map { first.distance(to: $0) + 1 } } }
}
