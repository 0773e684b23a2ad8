/// On which days of the calendar an item is, by the clocks of those who travel.
///
/// - It begins and ends by the zone in which those are who take part: that of their last arrival by then, else its own. A journey ends by the
///   clocks of the place where it arrives. A stay without a start begins with the check-in, and without an end ends with the check-out.
/// - It is on the day of its beginning, on that of its end, and on those between them that the traveller's calendar has. If it ends on an
///   earlier day than it begins, as over the date line, it is on these two.
/// - What ends at midnight ends on the day before; a stay and a journey end when one checks out or arrives.
/// - Without a clock time its whole days count, which have no zone.
struct ItemDays {
    /// Its part on one of its days.
    typealias Role = AgendaEntry.Role

    let item: TripItem
    /// When it begins, in the traveller's zone; nil where no clock time is known.
    let begins: Moment?
    let ends: Moment?
    /// The day on which it begins; nil while that is open.
    let first: Day?
    let last: Day?
    private let zones: TravellerZones
    private let participants: Set<Traveller.ID>
    /// The days between the first and the last that the calendar does not have.
    private var skipped: Set<Day> = []

    /// Nil for an item without any time or day. O(participants · log journeys), however long it is.
    init?(_ item: TripItem, _ zones: TravellerZones) {
        let participants = item.participants
        let start = item.knownStart.map { zones.moment($0, of: participants) }
        let isJourney = item.kind == .transportation
        let end = item.knownEnd.map { isJourney ? $0 : zones.moment($0, of: participants) }
        let first = start?.localDay ?? item.startDay
        // The first day, if a clock time wins over it, bounds nothing.
        var last = item.endDay.map { max($0, first ?? $0) }
        if let end {
            let isPoint = start.map { $0.milliseconds >= end.milliseconds } ?? false
            var moment = end
            if item.kind == .activity, !isPoint, end.milliseconds > .min { moment.milliseconds -= 1 }
            last = moment.localDay
            // A whole day has no clock that another could be behind.
            if start == nil, let first { last = max(first, moment.localDay) }
        }
        guard first != nil || last != nil else { return nil }
        (self.item, self.begins, self.ends, self.first, self.last) = (item, start, end, first, last)
        (self.zones, self.participants) = (zones, participants)
        skipped = findSkipped()
    }

    /// Whole days are all there. Of the others a few in the history of all zones may be missing: those alone are looked at.
    private func findSkipped() -> Set<Day> {
        guard let first, let last, first.distance(to: last) > 1, begins != nil || ends != nil else { return [] }
        var candidates = zones.skippedDays
        for zone in Set([begins, ends].compactMap { $0?.zone }) { candidates.formUnion(SkippedDays.of(zone)) }
        return candidates.filter { day in
            first < day && day < last && (zoneBetween(day).map { SkippedDays.contains(day, in: $0) } ?? false)
        }
    }

    /// From the least to the greatest of its days.
    var span: ClosedRange<Day>? {
        guard let one = first ?? last else { return nil }
        let other = last ?? one
        return min(one, other)...max(one, other)
    }

    /// Its part on a day; nil on days that are none of its own.
    func role(on day: Day) -> Role? {
        guard let first else { return day == last ? .ends : nil }
        guard let last else { return day == first ? .starts : nil }
        if day == first { return first == last ? .whole : .starts }
        if day == last { return .ends }
        return first < day && day < last && !skipped.contains(day) ? .continues : nil
    }

    /// Its days in a range, in order. O(days of both), which for an item of any length are no more than those of the range.
    func days(in range: ClosedRange<Day>) -> [(day: Day, role: Role)] {
        guard let span, span.overlaps(range) else { return [] }
        // Over the date line the days between are nobody's.
        if let first, let last, last < first {
            return [(last, Role.ends), (first, Role.starts)].filter { range.contains($0.0) }
        }
        return span.clamped(to: range).compactMap { day in role(on: day).map { (day, $0) } }
    }

    /// The zone of the traveller on one of its days; nil where neither is known.
    func zone(on day: Day) -> String? {
        if day == first, let begins { return begins.zone }
        if day == last, let ends { return ends.zone }
        return zoneBetween(day)
    }

    /// On a day on which it neither begins nor ends.
    private func zoneBetween(_ day: Day) -> String? {
        guard begins != nil || ends != nil else { return nil }
        var instant = day.noon
        if let begins { instant = max(instant, begins.milliseconds) }
        // Nobody has arrived before the end of the journey.
        if let ends, item.kind == .transportation { instant = min(instant, ends.milliseconds - 1) }
        return zones.zone(at: instant, of: participants) ?? begins?.zone ?? ends?.zone
    }

    // MARK: Nights

    /// The days that a night of a stay follows; empty for what is no stay over a night.
    var nights: Range<Day> {
        guard item.kind == .lodging, let first, let last, first < last else { return .noNights }
        return first..<last
    }

    /// How many nights a stay has before a day. Days that the calendar skips have none.
    func nightCount(before day: Day) -> Int {
        let end = min(max(day, nights.lowerBound), nights.upperBound)
        return nights.lowerBound.distance(to: end) - skipped.count { $0 < end }
    }
}

extension Range<Day> {
    static var noNights: Range<Day> { Day.first..<Day.first }
}
