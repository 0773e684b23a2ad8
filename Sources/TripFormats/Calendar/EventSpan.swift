import TripStore

/// From when to when an item is.
struct EventSpan {
    private(set) var start: Moment?
    private(set) var end: Moment?
    private(set) var startDay: Day?
    /// Nil for one whole day whose event names no end.
    private(set) var endDay: Day?

    var days: ClosedRange<Day>? { startDay.map { $0...max($0, endDay ?? $0) } }

    /// That of an item.
    init(_ item: ForeignItem) {
        (start, end, startDay, endDay) = (item.start ?? nil, item.end ?? nil, item.startDay ?? nil, item.endDay ?? nil)
        if item.kind == .lodging { endDay = endDay?.advanced(by: -1) }
    }

    /// The last day of an item of a kind: of a stay that of leaving, which is DTEND itself.
    func lastDay(of kind: EntityKind) -> Day? { kind == .lodging ? endDay?.advanced(by: 1) : endDay }

    /// Of an event that takes place at a time.
    /// - Parameter own: the end of that time alone; nil if it takes as long as the event.
    init(
        _ event: CalendarEvent, at time: CalendarTime, until own: EventEnd? = nil, _ resolver: inout ZoneResolver,
        _ warnings: inout CountedWarnings
    ) {
        let length = own.map { EventLength(start: time, end: $0) } ?? EventLength(start: event.start, end: event.end)
        guard case .day(let first) = time else {
            start = resolver.moment(time, line: event.line)
            end = start.flatMap { length.end(at: time, $0, event.line, &resolver) }
            if let start, let moment = end, moment.milliseconds < start.milliseconds {
                warnings.add("an event ends before it starts: its end is left out", at: event.line)
                end = nil
            }
            return
        }
        startDay = first
        guard let days = length.days else { return }
        if days < 1 {
            warnings.add("an event of whole days ends before it starts: it is taken as one day", at: event.line)
        }
        endDay = Day(daysSince1970: first.daysSince1970 + max(days, 1) - 1)
    }
}

/// How long an event takes.
private struct EventLength {
    let start: CalendarTime
    let end: EventEnd?

    /// In whole days; nil if the event does not say it.
    var days: Int? {
        switch end {
        case nil: nil
        case .time(let end): start.day.distance(to: end.day)
        case .duration(let duration): duration.days + duration.seconds / 86_400
        }
    }

    /// Section 3.8.5.3: with DTEND each instance takes exactly as long as the first; of a DURATION the days count by the calendar, and the
    /// rest exactly.
    func end(at time: CalendarTime, _ moment: Moment, _ line: Int, _ resolver: inout ZoneResolver) -> Moment? {
        switch end {
        case nil: return nil
        case .time(let written):
            guard let end = resolver.moment(written, line: line) else { return nil }
            guard time != start, let first = resolver.moment(start, line: line) else { return end }
            return Moment(checking: moment.milliseconds + end.milliseconds - first.milliseconds, zone: end.zone)
        case .duration(let duration):
            guard let later = time.later(days: duration.days),
                let day = duration.days == 0 ? moment : resolver.moment(later, line: line)
            else { return nil }
            return Moment(checking: day.milliseconds + Int64(duration.seconds) * 1000, zone: day.zone)
        }
    }
}

extension Moment {
    /// Nil beyond the years 1 to 9999.
    init?(checking milliseconds: Int64, zone: String) {
        guard Day(daysSince1970: Int(milliseconds).euclideanFloor(86_400_000)) != nil else { return nil }
        self.init(milliseconds: milliseconds, zone: zone)
    }

    /// The seconds since 1970 before it, which is all that a calendar holds of it.
    var wholeSeconds: Int { Int(milliseconds).euclideanFloor(1000) }
}

extension ZoneResolver {
    /// What names an instance: its day, or its time in UTC; of a time without a zone the time itself.
    mutating func key(_ time: CalendarTime, _ line: Int) -> String {
        if case .local(_, let second, nil) = time { return "\(time.day)T\(second)" }
        guard let moment = moment(time, line: line) else { return "\(time.day)" }
        return Moment(milliseconds: moment.milliseconds, zone: "UTC").localISO8601
    }

    /// The seconds since 1970.
    mutating func seconds(_ time: CalendarTime, _ line: Int) -> Int {
        moment(time, line: line).map { Int($0.milliseconds / 1000) } ?? time.clockSeconds
    }
}
