/// When and where an item is in its trip: the one type that decides its zone, its days, its nights and its part on each of them.
///
/// - It begins and ends by the clocks of those who take part (`TripClocks`), by its own fields (`ItemEnds`).
/// - It is on the day of its beginning, on that of its end, and on those between them that the traveller's calendar has. If it ends on an
///   earlier day than it begins, as over the date line, it is on these two.
/// - Without a clock time its whole days count, which have no zone. The last day of a stay is that of leaving.
package struct ItemCourse: Sendable {
    /// Its part on one of its days.
    package typealias Role = AgendaEntry.Role

    package let item: TripItem
    /// When it begins, by the clocks of those who take part; nil where no clock time is known.
    package let begins: Moment?
    package let ends: Moment?
    /// The day on which it begins; nil while that is open.
    package let first: Day?
    package let last: Day?
    /// Whether one only has it, and is not in it.
    package let isHad: Bool
    private let clocks: TripClocks
    private let participants: Set<Traveller.ID>
    /// The days between the first and the last that the calendar does not have.
    private var skipped: Set<Day> = []

    /// O(participants · log journeys), however long it is. Without the clocks of a trip it has its own.
    package init(_ item: TripItem, _ clocks: TripClocks = .own) {
        let (fields, participants) = (ItemEnds(item), item.participants)
        let start = fields.begins.map { clocks.moment($0, of: item, participants) }
        let end = fields.ends.map { clocks.moment($0, of: item, participants) }
        (first, last) = fields.days(from: start, to: end)
        (self.item, self.begins, self.ends) = (item, start, end)
        (self.clocks, self.participants, isHad) = (clocks, participants, item.isHad)
        skipped = findSkipped()
    }

    /// The courses of a trip's items, in their order. O(items · log items).
    package static func all(of items: [TripItem]) -> [ItemCourse] {
        let clocks = TripClocks(items)
        return items.map { ItemCourse($0, clocks) }
    }

    /// Whole days are all there. Of the others a few in the history of all zones may be missing: those alone are looked at.
    private func findSkipped() -> Set<Day> {
        guard let first, let last, first.distance(to: last) > 1, begins != nil || ends != nil else { return [] }
        var candidates = clocks.skippedDays
        for zone in Set([begins, ends].compactMap { $0?.zone }) { candidates.formUnion(SkippedDays.of(zone)) }
        return candidates.filter { day in
            first < day && day < last && (zoneBetween(day).map { SkippedDays.contains(day, in: $0) } ?? false)
        }
    }

    // MARK: Days

    /// Whether it has neither a time nor a day.
    package var isOpen: Bool { first == nil && last == nil }

    /// From the least to the greatest of its days; nil while it is open.
    package var span: ClosedRange<Day>? { ItemEnds.span((first, last)) }

    /// How many days later it ends than it begins, by the clocks of either place: over the date line fewer than none.
    package var daysLater: Int { first.flatMap { first in last.map { first.distance(to: $0) } } ?? 0 }

    /// How many days it takes, if it has no clock time.
    package var wholeDays: Int? {
        guard begins == nil, ends == nil, let first, let last else { return nil }
        return first.distance(to: last) + 1
    }

    /// How many days it goes on, if it is one that shows on each: not a stay, which has nights, nor a journey, nor what one only has.
    package var shownDays: Int? {
        item.kind == .activity && !isHad ? wholeDays.flatMap { $0 > 1 ? $0 : nil } : nil
    }

    /// The numbers of its days after the first, 1 for that, which some days are; nil if none of them is one.
    package func dayNumbers(on days: ClosedRange<Day>) -> ClosedRange<Int>? {
        guard let count = shownDays, let first else { return nil }
        let start = first.distance(to: days.lowerBound) + 1
        let end = min(first.distance(to: days.upperBound) + 1, count)
        return start > 1 && end >= start ? start...end : nil
    }

    /// Whether it is over a night, and so has an end on a day of its own: a stay, a journey, and what one only has.
    package var endsOnAnotherDay: Bool {
        guard let first, let last, first != last else { return false }
        return item.kind != .activity || isHad
    }

    /// When it begins, or ends, if clocks show that on a day: what ends at midnight ends on the day before.
    package func clock(on day: Day, atEnd: Bool) -> Moment? {
        (atEnd ? ends : begins).flatMap { $0.localDay == day ? $0 : nil }
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

    // MARK: Zones

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
        return clocks.zone(at: instant, of: participants) ?? begins?.zone ?? ends?.zone
    }

    /// The zone of a stay without clock times: that of those who spend its last night there. Nil where it is not known.
    var nightZone: String? { nights.isEmpty ? nil : clocks.zone(at: nights.upperBound.milliseconds, of: participants) }

    // MARK: Nights

    /// The days that a night of a stay follows; empty for what is no stay over a night.
    package var nights: Range<Day> {
        guard item.kind == .lodging, let first, let last, first < last else { return .noNights }
        return first..<last
    }

    /// How many nights a stay has; nil for what is no stay over a night.
    package var nightCount: Int? { nights.isEmpty ? nil : nightCount(before: nights.upperBound) }

    /// How many nights a stay has before a day. Days that the calendar skips have none.
    package func nightCount(before day: Day) -> Int {
        let end = min(max(day, nights.lowerBound), nights.upperBound)
        return nights.lowerBound.distance(to: end) - skipped.count { $0 < end }
    }

    /// The numbers of the nights that follow some days, 1 for the first; nil if none does.
    package func nightNumbers(after days: ClosedRange<Day>) -> ClosedRange<Int>? {
        guard nights.contains(days.lowerBound) else { return nil }
        let (before, through) = (nightCount(before: days.lowerBound), nightCount(before: days.upperBound.nextBound))
        return before < through ? before + 1...through : nil
    }

    /// The days whose nights a traveller spends in it: a stay, or on the way. Of a stay without an end the first.
    var coveredNights: Range<Day> {
        guard let first, !isHad else { return .noNights }
        switch item.kind {
        case .lodging: return last == nil ? first..<first.nextBound : nights
        case .transportation: return last.flatMap { first < $0 ? first..<$0 : nil } ?? .noNights
        default: return .noNights
        }
    }
}

extension Range<Day> {
    static var noNights: Range<Day> { Day.first..<Day.first }
}

/// A part of an item on a day, in a list of the day's: whether it has a clock time there, begins a stay over a night or ends one, or ends a journey.
package protocol CoursePart {
    var trip: Trip.ID? { get }
    var isTimed: Bool { get }
    var isCheckIn: Bool { get }
    var isCheckOut: Bool { get }
    var isArrival: Bool { get }
}

extension Array where Element: CoursePart {
    /// Moves each check-in of a day behind every check-out of the same trip, whatever hours houses name for them, and one without a clock time
    /// behind every arrival: one leaves before one arrives. O(parts · check-ins).
    package mutating func moveCheckIns() {
        for index in indices.reversed() where self[index].isCheckIn {
            let checkIn = self[index]
            let before = self[index...].lastIndex { other in
                other.trip == checkIn.trip
                    && (other.isCheckOut || !checkIn.isTimed && other.isTimed && other.isArrival)
            }
            guard let before else { continue }
            remove(at: index)
            insert(checkIn, at: before)
        }
    }
}

/// Where one is in an item, as far as it says it.
package struct CoursePlace: Hashable, Sendable {
    /// A city, or a station; empty if the item does not say it, or hides it.
    package let name: String
    /// Empty without a clock time, for an instant without a place, and where all of the trip has one zone.
    package let zone: String
}

extension ItemCourse {
    /// Where it begins, or ends; nil where nothing tells. An address says where one gets on: where a journey ends, its zone alone tells.
    package func place(atEnd: Bool = false, namesZone: Bool) -> CoursePlace? {
        let moment = atEnd ? ends : begins
        let name = item.hidesLocation ? "" : placeName(atEnd: atEnd)
        let known = moment.flatMap { $0.isOfPlace ? $0.zone : nil } ?? (name.isEmpty ? nil : nightZone)
        let zone = namesZone ? known ?? "" : ""
        return name.isEmpty && zone.isEmpty ? nil : CoursePlace(name: name, zone: zone)
    }

    private func placeName(atEnd: Bool) -> String {
        guard case .transportation(let journey) = item else { return item.address?.city ?? "" }
        let place = atEnd ? journey.arrival : journey.departure
        let names = [place.address?.city ?? "", atEnd ? "" : item.address?.city ?? "", place.name, place.code]
        return names.first { !$0.isEmpty } ?? ""
    }

    /// Where one is in its part on a day, in the order of time; a journey leads to its end on the day of its departure, as its times say. One is
    /// in what one only has where one gets it and gives it back.
    func places(_ role: Role, namesZones: Bool) -> [CoursePlace] {
        let (start, end) = (place(namesZone: namesZones), place(atEnd: true, namesZone: namesZones))
        let isJourney = item.kind == .transportation
        let places: [CoursePlace?] =
            switch role {
            case .starts: isJourney && !isHad ? [start, end] : [start]
            case .ends: [end]
            case .continues: isHad || isJourney ? [] : [start]
            case .whole: isJourney ? [start, end] : [start ?? end]
            }
        return places.compactMap { $0 }
    }
}
