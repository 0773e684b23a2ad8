import TripStore

/// A zone as a calendar defines it in a VTIMEZONE.
struct ZoneDefinition: Hashable, Sendable {
    /// A time from which on another offset counts.
    struct Observance: Hashable, Sendable {
        let start: CalendarTime
        let offsetFrom: Int
        let offsetTo: Int
        let rule: RecurrenceRule?
        let dates: [CalendarTime]
    }

    let name: String
    /// The name in the database of zones that the file itself gives.
    let location: String?
    let observances: [Observance]

    /// Nil for one that has no name or nothing that can be read.
    init?(_ component: CalendarComponent) {
        guard let name = component.property("TZID")?.text, !name.isEmpty else { return nil }
        self.name = name
        location = component.property("X-LIC-LOCATION")?.text
        observances = component.components.prefix(Self.mostObservances).compactMap { part in
            guard ["STANDARD", "DAYLIGHT"].contains(part.name),
                let start = part.property("DTSTART").flatMap({ CalendarTime($0.value) }),
                let to = part.property("TZOFFSETTO").flatMap({ Self.offset($0.value) })
            else { return nil }
            let from = part.property("TZOFFSETFROM").flatMap { Self.offset($0.value) } ?? to
            let dates = part.properties("RDATE").flatMap { $0.value.split(separator: ",") }.prefix(Self.mostDates)
            return Observance(
                start: start, offsetFrom: from, offsetTo: to,
                rule: part.property("RRULE").flatMap { RecurrenceRule($0.value) },
                dates: dates.compactMap { CalendarTime($0) })
        }
    }

    private static let mostObservances = 200
    /// Rules that go on in a year; zones have two.
    private static let mostRules = 16
    private static let mostDates = 400

    /// Seconds east of Greenwich, from `+0100`, `-0330` or `+001234`, whose seconds are no part of today's offsets.
    private static func offset(_ text: String) -> Int? {
        let text = text.trimmed
        guard text.utf8.count == 7, let seconds = Int(text.suffix(2)),
            let offset = ZoneNames.offset(String(text.dropLast(2)))
        else { return ZoneNames.offset(text) }
        return offset + (text.hasPrefix("-") ? -seconds : seconds)
    }

    /// The changes that the definition dates, in order: its starts, its RDATEs, and the last ones of rules that ended.
    fileprivate var dated: [(instant: Int, offset: Int)] {
        var changes: [(instant: Int, offset: Int)] = []
        for observance in observances {
            var onsets = [observance.start] + observance.dates
            if let end = observance.yearly?.until?.day {
                onsets += observance.onsets(in: max(1, end.year - 1)...min(9999, end.year))
            }
            changes += onsets.map { ($0.clockSeconds - observance.offsetFrom, observance.offsetTo) }
        }
        return changes.sorted { $0.instant < $1.instant }
    }

    /// The changes by rules that go on in some years.
    fileprivate func ruled(in years: ClosedRange<Int>) -> [(instant: Int, offset: Int)] {
        let going = observances.lazy.filter { observance in
            guard let rule = observance.yearly, observance.start.day.year <= years.upperBound else { return false }
            return rule.until.map { $0.day.year >= years.lowerBound } ?? true
        }
        return going.prefix(Self.mostRules).flatMap { observance in
            observance.onsets(in: years).map { ($0.clockSeconds - observance.offsetFrom, observance.offsetTo) }
        }
    }
}

extension ZoneDefinition.Observance {
    /// Its rule, if it is one of zones, which change by the year: others could take as long as one likes.
    fileprivate var yearly: RecurrenceRule? {
        rule.flatMap { $0.frequency == .yearly && $0.interval == 1 && $0.count == nil ? $0 : nil }
    }

    /// The times of its rule in some years, without its start.
    fileprivate func onsets(in years: ClosedRange<Int>) -> [CalendarTime] {
        guard let rule = yearly, let last = Day(year: years.upperBound, month: 12, day: 31) else { return [] }
        // Years long before are as the last of them.
        var first = start
        if start.day.year < years.lowerBound - 1,
            let later = Day(
                year: years.lowerBound - 1, month: start.day.month, day: min(start.day.day, 28))
        {
            first = start.later(days: start.day.distance(to: later)) ?? start
        }
        var onsets: [CalendarTime] = []
        // Some years of days: enough for any rule.
        var times = RecurrenceTimes(rule, from: first, through: last, steps: 4_000)
        while onsets.count < 400, let onset = times.next().flatMap({ first.at(clock: $0) }),
            onset.day <= last, rule.until.map({ onset.day <= $0.day }) ?? true
        {
            if onset != first, onset.day.year >= years.lowerBound { onsets.append(onset) }
        }
        return onsets
    }
}

/// The offsets of a defined zone. Those of a year are computed once.
struct DefinedOffsets {
    private let definition: ZoneDefinition
    private let dated: [(instant: Int, offset: Int)]
    private let before: Int?
    private var years: [Int: [(instant: Int, offset: Int)]] = [:]

    init(_ definition: ZoneDefinition) {
        self.definition = definition
        dated = definition.dated
        before = definition.observances.min { $0.start.clockSeconds < $1.start.clockSeconds }?.offsetFrom
    }

    /// The offset at an instant, in seconds; nil without observances. Before the first change it is that from which it changes. Of a year
    /// that was asked for before O(log changes).
    mutating func offset(at instant: Int) -> Int? {
        let year = min(max(Day(daysSince1970: instant.euclideanFloor(86_400))?.year ?? 1970, 2), 9998)
        let ruled: [(instant: Int, offset: Int)]
        if let known = years[year] {
            ruled = known
        } else {
            ruled = definition.ruled(in: year - 1...year + 1).sorted { $0.instant < $1.instant }
            years[year] = ruled
        }
        let changes = [Self.last(of: dated, at: instant), Self.last(of: ruled, at: instant)].compactMap { $0 }
        return changes.max { $0.instant < $1.instant }?.offset ?? before
    }

    private static func last(
        of changes: [(instant: Int, offset: Int)], at instant: Int
    ) -> (instant: Int, offset: Int)? {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].instant <= instant { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? changes[low - 1] : nil
    }
}
