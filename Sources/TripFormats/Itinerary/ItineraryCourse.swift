import TripStore

/// Makes sections of events as they come.
struct ItineraryCourse {
    /// A stay, journey or item of several days that goes on.
    private struct Running {
        let item: TripItem
        let lastDay: Day?
        /// How many sections had been begun when it began.
        let begun: Int
    }

    private let bounds: ClosedRange<Day>?
    private var sections: [Itinerary.Section] = []
    private var section: Itinerary.Section?
    private var begunSections = 0
    /// In the order in which they began.
    private var running: [Running] = []

    init(_ trip: Trip) {
        bounds = trip.startDay.flatMap { start in trip.effectiveEndDay.map { start...$0 } }
    }

    mutating func add(_ event: ItineraryEvent) {
        let day = event.day
        if section?.days.lowerBound != day {
            close()
            fill(upTo: day)
            section = Itinerary.Section(days: day...day, isOutside: bounds.map { !$0.contains(day) } ?? false)
            begunSections += 1
        }
        section?.entries.append(event.entry)
        section?.places += event.places
        let item = event.entry.item
        switch event.entry.part {
        // Without a check-out nobody knows for how many nights.
        case .checkIn where item.nights != nil: run(item)
        case .checkOut, .arrival, .days:
            if let index = running.firstIndex(where: { $0.item.reference == item.reference }) {
                running.remove(at: index)
            }
        case .whole where item.arrivesOnAnotherDay || item.shownDays != nil: run(item)
        default: break
        }
    }

    private mutating func run(_ item: TripItem) {
        running.append(Running(item: item, lastDay: item.lastDay, begun: begunSections))
    }

    mutating func finish() -> [Itinerary.Section] {
        close()
        if let end = bounds?.upperBound.advanced(by: 1) { fill(upTo: end) }
        return sections
    }

    /// Ends the section with the stays that went on all the time. Items of several days are first on the day, as all without a time.
    private mutating func close() {
        guard var closing = section else { return }
        // Those that began in this section are the last ones.
        let began = running.reversed().prefix { $0.begun == begunSections }.count
        let wentOn = running.dropLast(began)
        let listed = wentOn.prefix(Itinerary.mostContinuing).map(\.item)
        closing.unlisted = wentOn.count - listed.count
        for item in listed.reversed() { closing.addDays(of: item) }
        for stay in listed where stay.kind == .lodging { closing.addNights(of: stay) }
        sections.append(closing)
        section = nil
    }

    /// Adds the days before one, from the last section or the trip's start on, on which nothing begins or ends.
    private mutating func fill(upTo day: Day) {
        guard let first = sections.last.map({ $0.days.upperBound.advanced(by: 1) }) ?? bounds?.lowerBound, first < day
        else { return }
        let under = running.filter { $0.item.kind == .lodging || ($0.lastDay ?? first) > first }
        var days = first...day.advanced(by: -1)
        if under.isEmpty {
            guard let bounds, bounds.overlaps(days) else { return }
            days = days.clamped(to: bounds)
        }
        var gap = Itinerary.Section(days: days, isOutside: bounds.map { !$0.overlaps(days) } ?? false)
        gap.unlisted = max(0, under.count - Itinerary.mostContinuing)
        for item in under.prefix(Itinerary.mostContinuing).map(\.item) {
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
