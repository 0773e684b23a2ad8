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
    private static let mostDates = 400

    /// Seconds east of Greenwich, from `+0100`, `-0330` or `+001234`.
    private static func offset(_ text: String) -> Int? {
        let digits = text.dropFirst().utf8.map { Int($0) - 0x30 }
        guard let sign = text.first, sign == "+" || sign == "-", digits.count == 4 || digits.count == 6,
            digits.allSatisfy({ 0...9 ~= $0 })
        else { return nil }
        let pairs = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        let seconds = pairs[0] * 3600 + pairs[1] * 60 + (pairs.count == 3 ? pairs[2] : 0)
        guard seconds < 86_400 else { return nil }
        return sign == "-" ? -seconds : seconds
    }

    /// The changes of a range of years as (instant in seconds, offset after it), with the last one before it, in order.
    func changes(in years: ClosedRange<Int>) -> [(instant: Int, offset: Int)] {
        let (first, last) = (Day(years.lowerBound, 1, 1), Day(years.upperBound, 12, 31))
        var changes: [(instant: Int, offset: Int)] = []
        for observance in observances {
            var onsets = [observance.start] + observance.dates
            // Zones change by the year; other rules could take as long as one likes.
            if let rule = observance.rule, rule.frequency == .yearly, rule.interval == 1, rule.count == nil {
                // Years long before are as the last of them.
                var start = observance.start.day
                if start.year < years.lowerBound - 2,
                    let later = Day(year: years.lowerBound - 2, month: start.month, day: min(start.day, 28))
                {
                    start = later
                }
                rule.forEachDay(from: start, through: last) { day in
                    guard rule.until.map({ day <= $0.day }) ?? true else { return false }
                    if day != start || start == observance.start.day { onsets.append(observance.start.on(day)) }
                    return onsets.count < 2_000
                }
            }
            changes += onsets.map { ($0.clockSeconds - observance.offsetFrom, observance.offsetTo) }
        }
        changes.sort { $0.instant < $1.instant }
        let start = first.daysSince1970 * 86_400
        let kept = max(0, (changes.firstIndex { $0.instant >= start } ?? changes.count) - 1)
        return Array(changes[kept...].prefix { $0.instant < (last.daysSince1970 + 1) * 86_400 })
    }

    /// The offset at an instant, in seconds; nil without observances. Before the first it is that from which it changes.
    func offset(at instant: Int) -> Int? {
        let year = Day(daysSince1970: instant.euclideanFloor(86_400))?.year ?? 1970
        let known = changes(in: max(2, year - 1)...min(9998, max(2, year + 1)))
        if let last = known.last(where: { $0.instant <= instant }) { return last.offset }
        return observances.min { $0.start.clockSeconds < $1.start.clockSeconds }?.offsetFrom
    }
}

extension Int {
    func euclideanFloor(_ divisor: Int) -> Int { (self - euclideanRemainder(divisor)) / divisor }
}
