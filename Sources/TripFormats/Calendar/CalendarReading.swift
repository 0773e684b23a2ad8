/// The reading of one calendar of a file, whose events may come in several parts.
struct CalendarReading {
    var resolver: ZoneResolver
    let source: CalendarSource
    /// The lines that the descriptions repeat; nil if they are to show it.
    var repeated: RepeatedLines?
    /// Whether these lines were warned of.
    var hasWarned = false
    /// How many events recur.
    var recurring = 0
    /// How the stays say that they end: see `StayNights`.
    var surpluses: Set<Int> = []

    init(_ calendar: CalendarComponent, _ zone: String) {
        (resolver, source) = (ZoneResolver(calendar, floating: zone), CalendarSource(calendar))
    }
}

extension CalendarComponent {
    /// The name of a calendar; nil if it has none.
    var calendarName: String? {
        ["NAME", "X-WR-CALNAME"].lazy.compactMap { property($0)?.text.trimmed }.first { !$0.isEmpty }
    }
}
