import TripStore

/// What happens at one moment, or on a day without a time.
struct ItineraryEvent {
    let day: Day
    /// Nil of what has no time.
    let moment: Moment?
    let entry: Itinerary.Entry
    let places: [Itinerary.Place]

    /// - Parameter atEnd: whether it is the item's end; nil for what has no time.
    private init(
        _ part: Itinerary.Entry.Part, of course: ItemCourse, atEnd: Bool?, on day: Day, _ places: [CoursePlace?]
    ) {
        entry = Itinerary.Entry(course: course, part: part)
        self.day = day
        moment = atEnd.flatMap { course.clock(on: day, atEnd: $0) }
        self.places = places.compactMap { $0.map(Itinerary.Place.init) }
    }

    /// What ends comes before what begins.
    private var rank: Int {
        switch entry.part {
        case .arrival, .checkOut, .giveBack: 0
        default: 1
        }
    }

    private var key: (Int64, Int, String, String) {
        (moment?.milliseconds ?? Int64(day.daysSince1970), rank, entry.item.name, "\(entry.item.id)")
    }

    /// In the order of time. What has no time comes first on its day: before the first of what has one and is on that day or a later one. A
    /// check-in is behind the arrivals of its day, which over the date line come after a later day.
    static func inOrder(_ events: [ItineraryEvent]) -> [ItineraryEvent] {
        let timed = events.filter { $0.moment != nil }.sorted { $0.key < $1.key }
        var untimed = events.filter { $0.moment == nil }.sorted { $0.key < $1.key }[...]
        let arrivals = Dictionary(
            timed.enumerated().filter(\.element.isArrival).map { ($0.element.day, $0.offset) }, uniquingKeysWith: max)
        var checkIns: [Int: [ItineraryEvent]] = [:]
        var ordered: [ItineraryEvent] = []
        for (index, event) in timed.enumerated() {
            while let next = untimed.first, next.day <= event.day {
                if next.isCheckIn, let arrival = arrivals[next.day], arrival >= index {
                    checkIns[arrival, default: []].append(next)
                } else {
                    ordered.append(next)
                }
                untimed.removeFirst()
            }
            ordered.append(event)
            ordered += checkIns[index] ?? []
        }
        return ordered + untimed
    }

    static func events(of course: ItemCourse, namesZones: Bool) -> [ItineraryEvent] {
        let start = course.place(namesZone: namesZones)
        let end = course.place(atEnd: true, namesZone: namesZones)
        func event(
            _ part: Itinerary.Entry.Part, atEnd: Bool?, on day: Day, _ places: [CoursePlace?]
        ) -> ItineraryEvent {
            ItineraryEvent(part, of: course, atEnd: atEnd, on: day, places)
        }
        func both(_ first: Itinerary.Entry.Part, _ last: Itinerary.Entry.Part) -> [ItineraryEvent] {
            [
                course.first.map { event(first, atEnd: false, on: $0, [start]) },
                course.last.map { event(last, atEnd: true, on: $0, [end]) },
            ].compactMap { $0 }
        }
        if course.isStay { return both(.checkIn, .checkOut) }
        if course.isHad, course.endsOnAnotherDay { return both(.pickUp, .giveBack) }
        guard let day = course.first ?? course.last else { return [] }
        let isJourney = course.item.kind == .transportation
        // The end of an item that begins with a whole day may be on another.
        let isEndAlone = course.begins == nil && (course.first == nil || course.last == day)
        let places = isJourney ? [start, end] : [start ?? end]
        var events = [event(.whole, atEnd: isEndAlone, on: day, places)]
        guard let last = course.last else { return events }
        if let days = course.shownDays { events.append(event(.days(days...days), atEnd: nil, on: last, places)) }
        if isJourney, course.endsOnAnotherDay { events.append(event(.arrival, atEnd: true, on: last, [end])) }
        return events
    }
}

extension ItineraryEvent: CoursePart {
    var trip: Trip.ID? { entry.item.trip }
    var isTimed: Bool { moment != nil }
    var isCheckIn: Bool { entry.part == .checkIn }
    var isCheckOut: Bool { entry.part == .checkOut }
    var isArrival: Bool {
        let course = entry.course
        return entry.part == .arrival
            || entry.part == .whole && course.item.kind == .transportation && !course.isHad && !course.endsOnAnotherDay
    }
}

extension ItemCourse {
    /// Whether it begins and ends on days of its own, as a stay over nights does.
    fileprivate var isStay: Bool { item.kind == .lodging && (first == nil || last == nil || nightCount != nil) }
}
