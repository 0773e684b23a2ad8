import TripStore

/// One of the times at which an event takes place.
struct EventInstance: Sendable {
    let time: CalendarTime
    /// Seconds since 1970.
    let instant: Int
    /// Which time of its rule it is, from 0 on; nil for a date of RDATE.
    let ordinal: Int?
    /// Whether EXDATE leaves it out.
    let isException: Bool
}

extension CalendarEvent {
    /// Whether it takes place several times.
    var isRecurring: Bool { replaced == nil && (rule != nil || !dates.isEmpty) }

    /// How many periods after the bound are looked at, to see whether a rule goes on: of each fourth year, for instance.
    private static let furtherPeriods = 400

    /// The times at which it takes place, in order, at most so many and so many days after the first.
    ///
    /// - Parameters:
    ///   - steps: how many days of rules may be looked at, and how many are left afterwards.
    ///   - instant: returns the seconds since 1970 of a time, to compare times of different zones.
    func instances(
        _ limits: CalendarLimits, _ steps: inout Int, _ warnings: inout CountedWarnings,
        _ instant: (CalendarTime) -> Int
    ) -> [EventInstance] {
        var times: [(time: CalendarTime, instant: Int, ordinal: Int?)] = []
        var isCut = false
        let last = start.day.advanced(by: limits.mostDays)
        if let rule {
            let until = rule.until.map { $0.isDay ? .max : instant($0.in(zoneOf: start)) } ?? Int.max
            let isWhole = rule.forEachDay(
                from: start.day, through: last, further: Self.furtherPeriods, steps: &steps
            ) { day in
                let time = start.on(day)
                let second = instant(time)
                if let end = rule.until {
                    guard end.isDay ? day <= end.day : second <= until else { return false }
                }
                if let most = rule.count, times.count >= most { return false }
                guard times.count < limits.mostInstances, day <= last else {
                    isCut = true
                    return false
                }
                times.append((time, second, times.count))
                return true
            }
            if !isWhole {
                warnings.add("the file has too many rules: this one is followed no further", at: line)
            }
        } else {
            times = [(start, instant(start), 0)]
        }
        var known = Set(times.map(\.instant))
        for date in dates {
            let second = instant(date)
            guard known.insert(second).inserted else { continue }
            guard times.count < limits.mostInstances, date.day <= last else {
                isCut = true
                continue
            }
            times.append((date, second, nil))
        }
        if isCut {
            warnings.add(
                "of an event that recurs the first \(limits.mostInstances) times within \(limits.mostDays) days are taken, and no more",
                at: line)
        }
        let left = Set(exceptions.filter { !$0.isDay }.map(instant))
        let leftDays = Set(exceptions.filter(\.isDay).map(\.day))
        return times.sorted { $0.instant < $1.instant }.map { time, instant, ordinal in
            EventInstance(
                time: time, instant: instant, ordinal: ordinal,
                isException: left.contains(instant) || leftDays.contains(time.day))
        }
    }
}

/// What other events of a file say of the times of one that recurs.
struct SeriesChanges {
    /// The times that an event of its own replaces, as seconds since 1970.
    private(set) var replaced: Set<Int> = []
    /// Which time of the rule each of these is, once the series was read.
    var ordinals: [Int: Int] = [:]
    /// The events that count from a time on, by that time: at most so many.
    private static let mostFollowing = 200
    private var following: [(instant: Int, event: CalendarEvent)] = []

    /// Adds an event that replaces the time at an instant.
    mutating func add(_ event: CalendarEvent, at instant: Int) {
        replaced.insert(instant)
        guard event.replacesFollowing, following.count < Self.mostFollowing else { return }
        let index = following.firstIndex { $0.instant > instant } ?? following.endIndex
        following.insert((instant, event), at: index)
    }

    /// The event that counts for an instance, if another replaced it from a time on, and its time then: as many days after that event as
    /// the instance is after the time that it replaced.
    func change(of instance: EventInstance, in series: [EventInstance]) -> (event: CalendarEvent, time: CalendarTime)? {
        guard let (from, event) = following.last(where: { $0.instant <= instance.instant }), let own = event.replaced
        else { return nil }
        let first = series.first { $0.instant == from }?.time.day ?? own.day
        return event.start.later(days: first.distance(to: instance.time.day)).map { (event, $0) }
    }
}
