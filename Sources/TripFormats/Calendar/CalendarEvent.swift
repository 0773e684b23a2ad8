import TripStore

/// What a VEVENT says of its time and its recurrence.
struct CalendarEvent: Sendable {
    /// Empty if it has none.
    let uid: String
    /// Which instance of another event this one replaces.
    let replaced: CalendarTime?
    let sequence: Int
    let start: CalendarTime
    /// As written: of whole days the first day after it.
    let end: CalendarTime?
    let rule: RecurrenceRule?
    /// Further instances, and those that are left out.
    let dates: [CalendarTime]
    let exceptions: [CalendarTime]
    let component: CalendarComponent

    var line: Int { component.line }

    /// Why an event cannot be used.
    struct Fault: Error {
        let reason: String
        let line: Int
    }

    private static let mostDates = 1_000

    /// Throws `Fault` without a start that can be read. `warnings` receives what else cannot be.
    init(_ component: CalendarComponent, _ warnings: inout CountedWarnings) throws(Fault) {
        self.component = component
        uid = component.property("UID")?.text ?? ""
        sequence = component.property("SEQUENCE").flatMap { Int($0.value) } ?? 0
        guard let property = component.property("DTSTART") else {
            throw Fault(reason: "an event without a DTSTART is left out", line: component.line)
        }
        guard let start = Self.time(property) else {
            throw Fault(
                reason: "an event is left out, for its DTSTART is no day or time of the years 1 to 9999",
                line: property.line)
        }
        self.start = start
        end = Self.end(of: component, start, &warnings)
        replaced = component.property("RECURRENCE-ID").flatMap { Self.time($0) }
        let rules = component.properties("RRULE")
        rule = rules.first.flatMap { RecurrenceRule($0.value) }
        if let first = rules.first, rule == nil {
            warnings.add("an RRULE cannot be followed: only the first time of the event is taken", at: first.line)
        }
        if rules.count > 1 || component.property("EXRULE") != nil {
            warnings.add("of several rules of an event the first RRULE counts", at: component.line)
        }
        dates = Self.times(component.properties("RDATE"), &warnings)
        exceptions = Self.times(component.properties("EXDATE"), &warnings)
    }

    private static func time(_ property: CalendarProperty) -> CalendarTime? {
        CalendarTime(property.value.trimmed, zone: property.parameter("TZID"))
    }

    private static func times(_ properties: [CalendarProperty], _ warnings: inout CountedWarnings) -> [CalendarTime] {
        var times: [CalendarTime] = []
        for property in properties {
            for part in property.value.split(separator: ",") {
                // Of a period its start.
                let text = part.prefix { $0 != "/" }.trimmed
                guard times.count < mostDates, let time = CalendarTime(text, zone: property.parameter("TZID")) else {
                    warnings.add("a date of \(property.name) is left out", at: property.line)
                    continue
                }
                times.append(time)
            }
        }
        return times
    }

    private static func end(
        of component: CalendarComponent, _ start: CalendarTime, _ warnings: inout CountedWarnings
    ) -> CalendarTime? {
        if let property = component.property("DTEND") {
            if let end = time(property), end.isDay == start.isDay { return end }
            warnings.add("a DTEND is left out, for it is no time like its DTSTART", at: property.line)
        } else if let property = component.property("DURATION") {
            if let duration = CalendarDuration(property.value.trimmed), duration.days >= 0, duration.seconds >= 0,
                let end = start.later(days: duration.days)?.later(seconds: duration.seconds)
            {
                return end
            }
            warnings.add("a DURATION is left out, for it is none", at: property.line)
        }
        return nil
    }

    /// The times at which it takes place, in order, at most so many and so many days after the first.
    ///
    /// `instant` returns the seconds since 1970 of a time, to compare times of different zones.
    func instances(_ limits: CalendarLimits, _ warnings: inout CountedWarnings, _ instant: (CalendarTime) -> Int)
        -> [CalendarTime]
    {
        guard rule != nil || !dates.isEmpty else { return [start] }
        var times: [CalendarTime] = []
        var isCut = false
        let last = start.day.advanced(by: limits.mostDays)
        if let rule {
            let until = rule.until.map { $0.isDay ? .max : instant($0.in(zoneOf: start)) } ?? Int.max
            var count = 0
            // One day further, to see whether the bound cut anything off.
            rule.forEachDay(from: start.day, through: last.advanced(by: 400)) { day in
                let time = start.on(day)
                if let end = rule.until {
                    guard end.isDay ? day <= end.day : instant(time) <= until else { return false }
                }
                if let most = rule.count, count >= most { return false }
                count += 1
                guard times.count < limits.mostInstances, day <= last else {
                    isCut = true
                    return false
                }
                times.append(time)
                return true
            }
        } else {
            times = [start]
        }
        var known = Set(times.map(instant))
        for date in dates where known.insert(instant(date)).inserted {
            guard times.count < limits.mostInstances, date.day <= last else {
                isCut = true
                continue
            }
            times.append(date)
        }
        if isCut {
            warnings.add(
                "of an event that recurs the first \(limits.mostInstances) times within \(limits.mostDays) days are taken, and no more",
                at: line)
        }
        let left = Set(exceptions.filter { !$0.isDay }.map(instant))
        let leftDays = Set(exceptions.filter(\.isDay).map(\.day))
        return times.filter { !left.contains(instant($0)) && !leftDays.contains($0.day) }.sorted {
            instant($0) < instant($1)
        }
    }

    /// The end of an instance: as much later by the same clocks as the instance begins.
    func end(ofInstanceAt time: CalendarTime) -> CalendarTime? {
        // Times of different clocks have only days in common.
        guard time.isDay == start.isDay, time.in(zoneOf: start) == start.on(time.day, second: time) else {
            return end?.later(days: start.day.distance(to: time.day))
        }
        return end?.later(seconds: time.clockSeconds - start.clockSeconds)
    }
}

extension StringProtocol {
    /// Without white space at its ends.
    var trimmed: String {
        var rest = Substring(self)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
