import TripStore

/// Makes sections of events as they come.
struct ItineraryCourse {
    private let bounds: ClosedRange<Day>?
    private var sections: [Itinerary.Section] = []
    private var section: Itinerary.Section?
    private var running = RunningItems()

    init(_ trip: Trip) {
        bounds = trip.startDay.flatMap { start in trip.effectiveEndDay.map { start...$0 } }
    }

    mutating func add(_ event: ItineraryEvent) {
        let day = event.day
        if section?.days.lowerBound != day {
            close()
            fill(upTo: day)
            section = Itinerary.Section(days: day...day, isOutside: bounds.map { !$0.contains(day) } ?? false)
            running.beginSection()
        }
        section?.entries.append(event.entry)
        section?.places += event.places
        let item = event.entry.item
        switch event.entry.part {
        // Without a check-out nobody knows for how many nights.
        case .checkIn where item.nights != nil: running.begin(item)
        case .checkOut, .arrival, .days: running.end(item)
        case .whole where item.arrivesOnAnotherDay || item.shownDays != nil: running.begin(item)
        default: break
        }
    }

    mutating func finish() -> [Itinerary.Section] {
        close()
        if let end = bounds?.upperBound.advanced(by: 1) { fill(upTo: end) }
        return sections
    }

    /// Ends the section with what went on all the time. Journeys and items of several days are first on the day, as all without a time.
    private mutating func close() {
        guard var closing = section else { return }
        let wentOn = running.fromEarlierSections
        closing.unlisted = wentOn.unlisted
        for item in wentOn.listed.reversed() where item.kind != .lodging {
            if item.shownDays != nil {
                closing.addDays(of: item)
            } else {
                closing.entries.insert(.init(item: item, part: .onTheWay), at: 0)
            }
        }
        for stay in wentOn.listed where stay.kind == .lodging { closing.addNights(of: stay) }
        sections.append(closing)
        section = nil
    }

    /// Adds the days before one, from the last section or the trip's start on, on which nothing begins or ends.
    private mutating func fill(upTo day: Day) {
        guard let first = sections.last.map({ $0.days.upperBound.advanced(by: 1) }) ?? bounds?.lowerBound, first < day
        else { return }
        // Over the date line a journey may have arrived by the calendar.
        let all = running.all
        let under = all.listed.filter { $0.kind == .lodging || ($0.lastDay ?? first) > first }
        var days = first...day.advanced(by: -1)
        if under.isEmpty {
            guard let bounds, bounds.overlaps(days) else { return }
            days = days.clamped(to: bounds)
        }
        var gap = Itinerary.Section(days: days, isOutside: bounds.map { !$0.overlaps(days) } ?? false)
        gap.unlisted = all.unlisted
        for item in under {
            if item.kind == .lodging {
                gap.addNights(of: item)
            } else if item.shownDays != nil {
                gap.addDays(of: item)
            } else {
                gap.entries.append(.init(item: item, part: .onTheWay))
            }
        }
        sections.append(gap)
    }
}

extension Itinerary.Section {
    fileprivate mutating func addNights(of stay: TripItem) {
        guard let start = stay.firstDay else { return }
        let first = start.distance(to: days.lowerBound) + 1
        let last = start.distance(to: days.upperBound) + 1
        guard first >= 1, last >= first else { return }
        entries.append(.init(item: stay, part: .nights(first...last)))
        if let place = stay.place(at: stay.start) { places.append(place) }
    }

    /// Puts an item of several whole days before all others; nothing of another.
    fileprivate mutating func addDays(of item: TripItem) {
        guard let count = item.shownDays, let start = item.startDay else { return }
        let first = start.distance(to: days.lowerBound) + 1
        let last = min(start.distance(to: days.upperBound) + 1, count)
        guard first > 1, last >= first else { return }
        entries.insert(.init(item: item, part: .days(first...last)), at: 0)
        if let place = item.place(at: nil) { places.insert(place, at: 0) }
    }
}
