import TripStore

/// One of the times at which an event takes place.
struct EventInstance: Sendable {
    let time: CalendarTime
    /// Seconds since 1970.
    let instant: Int
    /// Which time of its first rule it is, from 0 on; nil for a time of another rule, and for a date of RDATE.
    let ordinal: Int?
    /// The end of a period of RDATE.
    let end: EventEnd?
    /// Whether EXDATE or EXRULE leaves it out.
    let isException: Bool
}

extension CalendarEvent {
    /// Whether it takes place several times.
    var isRecurring: Bool { replaced == nil && (!rules.isEmpty || !dates.isEmpty) }

    /// How many periods after the bound are looked at, to see whether a rule goes on: of each fourth year, for instance.
    private static let furtherPeriods = 400

    /// The times at which it takes place, in order, at most so many and so many days after the first.
    ///
    /// - Parameters:
    ///   - steps: how many steps of rules may be taken, and how many are left afterwards.
    ///   - instant: returns the seconds since 1970 of a time, to compare times of different zones.
    func instances(
        _ limits: CalendarLimits, _ steps: inout Int, _ warnings: inout CountedWarnings,
        _ instant: (CalendarTime) -> Int
    ) -> [EventInstance] {
        var times: [(time: CalendarTime, instant: Int, ordinal: Int?, end: EventEnd?)] = []
        var isCut = false
        let last = start.day.advanced(by: limits.mostDays)
        var known: Set<Int> = []
        if rules.isEmpty {
            times = [(start, instant(start), 0, nil)]
            known.insert(instant(start))
        }
        for (index, rule) in rules.enumerated() {
            let found = self.times(of: rule, limits, &steps, &isCut, &warnings, instant)
            for (ordinal, (time, second)) in found.enumerated() where known.insert(second).inserted {
                times.append((time, second, index == 0 ? ordinal : nil, nil))
            }
        }
        if rules.count > 1 {
            times.sort { $0.instant < $1.instant }
            isCut = isCut || times.count > limits.mostInstances
            times.removeLast(max(0, times.count - limits.mostInstances))
            known = Set(times.map(\.instant))
        }
        for date in dates {
            let second = instant(date.time)
            guard known.insert(second).inserted else { continue }
            guard times.count < limits.mostInstances, date.time.day <= last else {
                isCut = true
                continue
            }
            times.append((date.time, second, nil, date.end))
        }
        if isCut {
            warnings.add(
                "of an event that recurs the first \(limits.mostInstances) times within \(limits.mostDays) days are taken, and no more",
                at: line)
        }
        // Programs leave out the zone that the start has.
        var left = Set(exceptions.filter { !$0.isDay }.map { instant($0.in(zoneOf: start)) })
        let leftDays = Set(exceptions.filter(\.isDay).map(\.day))
        if let latest = times.map(\.time.day).max() {
            let candidates = Set(times.map(\.instant))
            for rule in exclusions {
                left.formUnion(excluded(candidates, by: rule, through: latest, &steps, &warnings, instant))
            }
        }
        return times.sorted { $0.instant < $1.instant }.map { time, instant, ordinal, end in
            EventInstance(
                time: time, instant: instant, ordinal: ordinal, end: end,
                isException: left.contains(instant) || leftDays.contains(time.day))
        }
    }

    /// The times of a rule, the start first, each with its seconds since 1970. `isCut` is set if the limits leave some out.
    private func times(
        of rule: RecurrenceRule, _ limits: CalendarLimits, _ steps: inout Int, _ isCut: inout Bool,
        _ warnings: inout CountedWarnings, _ instant: (CalendarTime) -> Int
    ) -> [(time: CalendarTime, instant: Int)] {
        var times: [(time: CalendarTime, instant: Int)] = []
        let end = RuleEnd(rule, from: start, instant)
        let last = start.day.advanced(by: limits.mostDays)
        var clocks = RecurrenceTimes(rule, from: start, through: last, further: Self.furtherPeriods, steps: steps)
        // The start is the first time even where the rule does not have it, as section 3.8.5.3 says.
        var next: CalendarTime? = start
        while let time = next {
            let second = instant(time)
            if end.isBefore(time, second, after: times.count) { break }
            guard times.count < limits.mostInstances, time.day <= last else {
                isCut = true
                break
            }
            // A time that the clocks skip may be one of those after it.
            if second != times.last?.instant { times.append((time, second)) }
            repeat { next = clocks.next().flatMap { start.at(clock: $0) } } while next == start
        }
        if next == nil, clocks.steps <= 0 {
            warnings.add("the file has too many rules: this one is followed no further", at: line)
        }
        steps = clocks.steps
        return times
    }

    /// The instants that are times of an EXRULE up to a day: the start is one of these only where the rule has it.
    private func excluded(
        _ instants: Set<Int>, by rule: RecurrenceRule, through last: Day, _ steps: inout Int,
        _ warnings: inout CountedWarnings, _ instant: (CalendarTime) -> Int
    ) -> Set<Int> {
        var found: Set<Int> = []
        let end = RuleEnd(rule, from: start, instant)
        var clocks = RecurrenceTimes(rule, from: start, through: last, steps: steps)
        var count = 0
        while count * Self.stepsOfTime < clocks.steps, let time = clocks.next().flatMap({ start.at(clock: $0) }),
            time.day <= last
        {
            let second = instant(time)
            if end.isBefore(time, second, after: count) { break }
            count += 1
            if instants.contains(second) { found.insert(second) }
        }
        steps = clocks.steps - count * Self.stepsOfTime
        if steps <= 0 { warnings.add("the file has too many rules: this one is followed no further", at: line) }
        return found
    }

    /// The steps that one time of an EXRULE counts as: a day may have 86,400 of them.
    private static let stepsOfTime = 10
}

/// What COUNT and UNTIL of a rule say of its end.
private struct RuleEnd {
    private let count: Int
    /// The last day, if UNTIL is one.
    private let day: Day
    /// The last second since 1970, if UNTIL is a time.
    private let second: Int

    init(_ rule: RecurrenceRule, from start: CalendarTime, _ instant: (CalendarTime) -> Int) {
        count = rule.count ?? .max
        day = rule.until.flatMap { $0.isDay ? $0.day : nil } ?? .last
        second = rule.until.map { $0.isDay ? .max : instant($0.in(zoneOf: start)) } ?? .max
    }

    /// Whether the rule ends before a time that comes after so many others.
    func isBefore(_ time: CalendarTime, _ second: Int, after count: Int) -> Bool {
        count >= self.count || time.day > day || second > self.second
    }
}

/// What other events of a file say of the times of one that recurs.
struct SeriesChanges {
    /// The times that an event of its own replaces, as seconds since 1970.
    private(set) var replaced: Set<Int> = []
    /// Which time of the rule each of these is, once the series was read.
    var ordinals: [Int: Int] = [:]
    /// How many of these are to be on a day.
    private(set) var days: [Day: Int] = [:]
    /// The events that count from a time on, by that time: at most so many.
    private static let mostFollowing = 200
    private var following: [(instant: Int, event: CalendarEvent)] = []

    /// Adds an event that replaces the time at an instant.
    mutating func add(_ event: CalendarEvent, at instant: Int) {
        replaced.insert(instant)
        if let day = event.replaced?.day { days[day, default: 0] += 1 }
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
