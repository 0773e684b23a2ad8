import TripStore

/// Makes sections of events as they come.
struct ItineraryCourse {
    private let bounds: ClosedRange<Day>?
    private var sections: [Itinerary.Section] = []
    private var section: Itinerary.Section?
    /// The events of the section.
    private var events: [ItineraryEvent] = []
    private var running = RunningItems()
    private let namesZones: Bool

    /// - Parameter namesZones: whether places are named by their zones where nothing else names them.
    init(_ trip: Trip, namesZones: Bool) {
        self.namesZones = namesZones
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
        events.append(event)
        let course = event.entry.course
        switch event.entry.part {
        // Without a check-out nobody knows for how many nights.
        case .checkIn where course.nightCount != nil: running.begin(course)
        case .checkOut, .arrival, .days: running.end(course)
        case .whole where course.endsOnAnotherDay || course.shownDays != nil: running.begin(course)
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
        events.moveCheckIns()
        closing.entries = events.map(\.entry)
        closing.places = events.flatMap(\.places)
        events = []
        let wentOn = running.fromEarlierSections
        closing.unlisted = wentOn.unlisted
        for course in wentOn.listed.reversed() where course.item.kind != .lodging {
            if course.shownDays != nil {
                closing.addDays(of: course)
            } else {
                closing.entries.insert(.init(course: course, part: .onTheWay), at: 0)
            }
        }
        for stay in wentOn.listed where stay.item.kind == .lodging { closing.addNights(of: stay, namesZones) }
        sections.append(closing)
        section = nil
    }

    /// Adds the days before one, from the last section or the trip's start on, on which nothing begins or ends.
    private mutating func fill(upTo day: Day) {
        guard let first = sections.last.map({ $0.days.upperBound.advanced(by: 1) }) ?? bounds?.lowerBound, first < day
        else { return }
        // Over the date line a journey may have arrived by the calendar.
        let all = running.all
        let under = all.listed.filter { $0.item.kind == .lodging || ($0.last ?? first) > first }
        var days = first...day.advanced(by: -1)
        if under.isEmpty {
            guard let bounds, bounds.overlaps(days) else { return }
            days = days.clamped(to: bounds)
        }
        var gap = Itinerary.Section(days: days, isOutside: bounds.map { !$0.overlaps(days) } ?? false)
        gap.unlisted = all.unlisted
        for course in under {
            if course.item.kind == .lodging {
                gap.addNights(of: course, namesZones)
            } else if course.shownDays != nil {
                gap.addDays(of: course)
            } else {
                gap.entries.append(.init(course: course, part: .onTheWay))
            }
        }
        sections.append(gap)
    }
}

extension Itinerary.Section {
    fileprivate mutating func addNights(of stay: ItemCourse, _ namesZones: Bool) {
        guard let nights = stay.nightNumbers(after: days) else { return }
        entries.append(.init(course: stay, part: .nights(nights)))
        if let place = stay.place(namesZone: namesZones) { places.append(.init(place)) }
    }

    /// Puts an item of several whole days before all others; nothing of another.
    fileprivate mutating func addDays(of course: ItemCourse) {
        guard let numbers = course.dayNumbers(on: days) else { return }
        entries.insert(.init(course: course, part: .days(numbers)), at: 0)
        if let place = course.place(namesZone: false) { places.insert(.init(place), at: 0) }
    }
}
