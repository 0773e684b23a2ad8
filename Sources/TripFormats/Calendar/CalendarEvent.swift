import TripStore

/// What a VEVENT says of its time and its recurrence.
struct CalendarEvent: Sendable {
    /// Empty if it has none.
    let uid: String
    /// Which instance of another event this one replaces.
    let replaced: CalendarTime?
    /// Whether it replaces the instances after that one as well.
    let replacesFollowing: Bool
    let sequence: Int
    let start: CalendarTime
    let end: EventEnd?
    /// It takes place at the times of any of them.
    let rules: [RecurrenceRule]
    /// It does not take place at the times of any of them (EXRULE of RFC 2445).
    let exclusions: [RecurrenceRule]
    /// Further instances, each with its end if it is a period.
    let dates: [(time: CalendarTime, end: EventEnd?)]
    /// The instances that are left out.
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
    /// - Parameter isCancelled: whether its calendar says that it does not take place: then it needs no start of its own.
    init(
        _ component: CalendarComponent, isCancelled: Bool = false, _ warnings: inout CountedWarnings
    ) throws(Fault) {
        self.component = component
        uid = component.property("UID")?.text ?? ""
        sequence = component.property("SEQUENCE").flatMap { Int($0.value) } ?? 0
        let other = isCancelled ? component.property("RECURRENCE-ID") ?? component.property("DTSTAMP") : nil
        guard let property = component.property("DTSTART") ?? other else {
            throw Fault(reason: "an event without a DTSTART is left out", line: component.line)
        }
        guard let start = Self.time(property) else {
            let value = property.value.trimmed
            throw Fault(
                reason: CalendarTime.lacksSeconds(value)
                    ? "an event is left out, for its DTSTART lacks the seconds, as 20270501T083000 has them"
                    : "an event is left out, for its DTSTART is no day or time of the years 1 to 9999",
                line: property.line)
        }
        self.start = start
        end = Self.end(of: component, start, &warnings)
        let recurrence = component.property("RECURRENCE-ID")
        replaced = recurrence.flatMap { Self.time($0) }
        replacesFollowing = recurrence?.parameter("RANGE")?.uppercased() == "THISANDFUTURE"
        if let recurrence, replaced == nil {
            warnings.add(
                CalendarTime.lacksSeconds(recurrence.value.trimmed)
                    ? "a RECURRENCE-ID is left out, for it lacks the seconds"
                    : "a RECURRENCE-ID is left out, for it is no day or time", at: recurrence.line)
        }
        let (rules, unread) = Self.rules(component.properties("RRULE"), start)
        self.rules = rules
        if let unread {
            warnings.add(
                rules.isEmpty
                    ? "an RRULE cannot be followed: only the first time of the event is taken"
                    : "an RRULE cannot be followed: the times of the event's other rules are taken", at: unread)
        }
        let excluding = Self.rules(component.properties("EXRULE"), start)
        exclusions = excluding.rules
        if let unread = excluding.unread {
            warnings.add("an EXRULE cannot be followed: the times that it leaves out are taken", at: unread)
        }
        dates = Self.dates(component.properties("RDATE"), &warnings)
        exceptions = Self.dates(component.properties("EXDATE"), &warnings).map(\.time)
    }

    /// The most rules of one property that are read.
    private static let mostRules = 20

    /// The rules, and the line of the first that cannot be followed.
    private static func rules(
        _ properties: [CalendarProperty], _ start: CalendarTime
    ) -> (rules: [RecurrenceRule], unread: Int?) {
        let read = properties.prefix(mostRules).map { property in
            RecurrenceRule(property.value.trimmed).flatMap { rule in
                // A whole day has no hours.
                start.isDay && rule.clockUnit != nil ? nil : rule
            }
        }
        let unread = properties.indices.first { $0 >= read.count || read[$0] == nil }
        return (read.compactMap { $0 }, unread.map { properties[$0].line })
    }

    private static func time(_ property: CalendarProperty) -> CalendarTime? {
        CalendarTime(property.value.trimmed, zone: property.parameter("TZID"))
    }

    private static func dates(
        _ properties: [CalendarProperty], _ warnings: inout CountedWarnings
    ) -> [(time: CalendarTime, end: EventEnd?)] {
        var dates: [(time: CalendarTime, end: EventEnd?)] = []
        for property in properties {
            for part in property.value.split(separator: ",") {
                let zone = property.parameter("TZID")
                // A period has its end or its length behind a slash.
                let texts = part.split(separator: "/", maxSplits: 1).map(\.trimmed)
                guard dates.count < mostDates, let time = texts.first.flatMap({ CalendarTime($0, zone: zone) }) else {
                    warnings.add("a date of \(property.name) is left out", at: property.line)
                    continue
                }
                dates.append((time, texts.dropFirst().first.flatMap { Self.end(ofPeriod: $0, time, zone) }))
            }
        }
        return dates
    }

    /// Nil for text that is none, and for an end before the start.
    private static func end(ofPeriod text: String, _ start: CalendarTime, _ zone: String?) -> EventEnd? {
        if let end = CalendarTime(text, zone: zone) {
            return end.isDay == start.isDay && end.clockSeconds >= start.clockSeconds ? .time(end) : nil
        }
        return CalendarDuration(text).flatMap { $0.isLength(from: start) ? .duration($0) : nil }
    }

    private static func end(
        of component: CalendarComponent, _ start: CalendarTime, _ warnings: inout CountedWarnings
    ) -> EventEnd? {
        if let property = component.property("DTEND") {
            if let end = time(property), end.isDay == start.isDay { return .time(end) }
            warnings.add(
                CalendarTime.lacksSeconds(property.value.trimmed)
                    ? "a DTEND is left out, for it lacks the seconds"
                    : "a DTEND is left out, for it is no time like its DTSTART", at: property.line)
        } else if let property = component.property("DURATION") {
            guard let duration = CalendarDuration(property.value.trimmed), duration.days >= 0, duration.seconds >= 0
            else {
                warnings.add("a DURATION is left out, for it is none", at: property.line)
                return nil
            }
            if duration.isLength(from: start) { return .duration(duration) }
            warnings.add("a DURATION is left out, for it ends beyond the year 9999", at: property.line)
        }
        return nil
    }
}

/// When an event ends (RFC 5545, section 3.8.5.3).
enum EventEnd: Hashable, Sendable {
    /// As written: of whole days the first day after it. Every instance takes exactly as long as the first.
    case time(CalendarTime)
    /// Days by the calendar, then exact seconds.
    case duration(CalendarDuration)
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
