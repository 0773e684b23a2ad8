import Foundation

/// Finds what cannot work in one trip.
struct FindingSearch {
    private let trip: Trip
    /// The items that take place.
    private let items: [ItemCourse]
    private let clocks: TripClocks

    /// With how many earlier items one is compared: so many that end last. It keeps the search near-linear, whatever others write.
    static let mostCompared = 32

    init(_ trip: Trip, _ items: [ItemCourse], _ clocks: TripClocks) {
        self.trip = trip
        self.clocks = clocks
        self.items = items.filter(\.item.takesPlace)
    }

    /// In no particular order. O(items · log items + nights).
    var findings: [AgendaFinding] {
        guard trip.takesPlace else { return [] }
        return outside + meetings + sharedNights + nightsWithoutBed
    }

    private var outside: [AgendaFinding] {
        items.compactMap { item in
            guard trip.dayOutside(item) != nil, let span = item.span else { return nil }
            return AgendaFinding(.outsideOfTrip, trip.id, [item.item], on: span)
        }
    }

    // MARK: Overlaps and connections

    /// An item that takes a person's time: with a beginning and an end, or a journey of which only the departure is known; not one that one only has.
    private struct Busy {
        let course: ItemCourse
        let (begins, ends): (Moment, Moment)
        var item: TripItem { course.item }

        init?(_ course: ItemCourse) {
            guard course.item.kind != .lodging, !course.isHad, let begins = course.begins,
                let ends = course.ends ?? (course.item.kind == .transportation ? begins : nil),
                begins.milliseconds < ends.milliseconds || course.item.kind == .transportation
            else { return nil }
            (self.course, self.begins, self.ends) = (course, begins, ends)
        }

        var key: (Int64, Int64, UUID) { (begins.milliseconds, ends.milliseconds, item.id.uuid) }
    }

    private var meetings: [AgendaFinding] {
        var found: [AgendaFinding] = []
        // Those before the current one, in the order of their ends.
        var before: [Busy] = []
        for next in items.compactMap(Busy.init).sorted(by: { $0.key < $1.key }) {
            var isFollowing = true
            for last in before.reversed() where last.item.sharesPeople(with: next.item) {
                if last.ends.milliseconds > next.begins.milliseconds {
                    found.append(meeting(last, next))
                    isFollowing = false
                } else {
                    // Only the last one that has ended leads to this one.
                    if isFollowing, let missed = connection(last, next) { found.append(missed) }
                    break
                }
            }
            let index = before.firstIndex { $0.ends.milliseconds > next.ends.milliseconds } ?? before.count
            before.insert(next, at: index)
            if before.count > Self.mostCompared { before.removeFirst() }
        }
        return found
    }

    /// Two at one time.
    private func meeting(_ first: Busy, _ second: Busy) -> AgendaFinding {
        let begins = second.begins
        if first.item.kind == .transportation, second.item.kind == .transportation {
            return AgendaFinding(
                .missedConnection, trip.id, [first.item, second.item], on: begins.localDay...begins.localDay,
                from: first.ends, until: begins, neededMinutes: 0)
        }
        let ends = first.ends.milliseconds < second.ends.milliseconds ? first.ends : second.ends
        return AgendaFinding(
            .overlap, trip.id, [first.item, second.item],
            on: min(begins.localDay, ends.localDay)...max(begins.localDay, ends.localDay), from: begins, until: ends)
    }

    private func connection(_ first: Busy, _ second: Busy) -> AgendaFinding? {
        let needed = Connection.minutes(from: first.item, to: second.item)
        let (gap, overflow) = second.begins.milliseconds.subtractingReportingOverflow(first.ends.milliseconds)
        guard needed > 0, !overflow, gap < Int64(needed) * 60_000 else { return nil }
        let day = second.begins.localDay
        return AgendaFinding(
            .missedConnection, trip.id, [first.item, second.item], on: day...day, from: first.ends,
            until: second.begins, neededMinutes: needed)
    }

    // MARK: Nights

    private var stays: [ItemCourse] {
        items.filter { !$0.nights.isEmpty }.sorted {
            ($0.nights.lowerBound, $0.nights.upperBound, $0.item.id.uuid)
                < ($1.nights.lowerBound, $1.nights.upperBound, $1.item.id.uuid)
        }
    }

    private var sharedNights: [AgendaFinding] {
        var found: [AgendaFinding] = []
        var before: [ItemCourse] = []
        for stay in stays {
            for earlier in before.reversed() where earlier.nights.overlaps(stay.nights) {
                guard earlier.item.sharesPeople(with: stay.item) else { continue }
                let last = min(earlier.nights.upperBound, stay.nights.upperBound).advanced(by: -1)
                found.append(
                    AgendaFinding(.overlap, trip.id, [earlier.item, stay.item], on: stay.nights.lowerBound...last))
            }
            let index = before.firstIndex { $0.nights.upperBound > stay.nights.upperBound } ?? before.count
            before.insert(stay, at: index)
            if before.count > Self.mostCompared { before.removeFirst() }
        }
        return found
    }

    private var nightsWithoutBed: [AgendaFinding] {
        guard let first = trip.startDay, let last = trip.effectiveEndDay, first < last,
            first.distance(to: last) <= Agenda.mostDays
        else { return [] }
        // By how many more items a night is covered than the one before it: long items take no longer than short ones.
        var changes = [Int](repeating: 0, count: first.distance(to: last) + 1)
        for item in items {
            let nights = item.coveredNights.clamped(to: first..<last)
            changes[first.distance(to: nights.lowerBound)] += 1
            changes[first.distance(to: nights.upperBound)] -= 1
        }
        var found: [AgendaFinding] = []
        var begun: Day?
        var covering = 0
        for (index, change) in changes.dropLast().enumerated() {
            covering += change
            let day = first.advanced(by: index)
            let isMissing = covering == 0 && !clocks.isSkipped(day)
            if isMissing { begun = begun ?? day }
            if let start = begun, !isMissing || day == last.advanced(by: -1) {
                let end = isMissing ? day : day.advanced(by: -1)
                found.append(AgendaFinding(.noBed, trip.id, [], on: start...end))
                begun = nil
            }
        }
        return found
    }
}

extension TripItem {
    /// Whether a traveller takes part in both. An item that names no participants is for all who travel.
    fileprivate func sharesPeople(with other: TripItem) -> Bool {
        let (own, others) = (self.participants, other.participants)
        return own.isEmpty || others.isEmpty || !own.isDisjoint(with: others)
    }
}
