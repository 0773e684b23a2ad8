package import Events

/// When an item is by its own fields: which of them count.
///
/// - A clock time wins over a whole day.
/// - A stay without a start begins with its check-in, and without an end ends with its check-out, unless these are on other days than it.
/// - Nothing ends before it begins.
/// - What ends at midnight ends on the day before; a stay and a journey end when one checks out or arrives.
package struct ItemEnds: Hashable, Sendable {
    package let kind: EntityKind
    /// When it begins; nil where no clock time is known. By its own clocks, which may be those of no place: see `Moment.isOfPlace`.
    package let begins: Moment?
    package let ends: Moment?
    /// Its whole days as written. The last day of a stay is that of leaving.
    package let startDay: Day?
    package let endDay: Day?

    package init(
        of kind: EntityKind, start: Moment?, end: Moment?, startDay: Day?, endDay: Day?, checkIn: Moment? = nil,
        checkOut: Moment? = nil
    ) {
        self.kind = kind
        let begins = start ?? checkIn.flatMap { startDay == nil || $0.localDay == startDay ? $0 : nil }
        let ends = end ?? checkOut.flatMap { endDay == nil || $0.localDay == endDay ? $0 : nil }
        self.begins = begins
        self.ends = ends.map { end in begins.flatMap { $0.milliseconds > end.milliseconds ? $0 : nil } ?? end }
        (self.startDay, self.endDay) = (startDay, endDay)
    }

    package init(_ item: TripItem) {
        let stay: Lodging? = if case .lodging(let stay) = item { stay } else { nil }
        self.init(
            of: item.kind, start: item.start, end: item.end, startDay: item.startDay, endDay: item.endDay,
            checkIn: stay?.checkIn, checkOut: stay?.checkOut)
    }

    /// Its first and its last day by its own clocks.
    package var days: (first: Day?, last: Day?) { days(from: begins, to: ends) }

    /// Its first and its last day by the clocks of some moments of it; nil while these are open.
    func days(from begins: Moment?, to ends: Moment?) -> (first: Day?, last: Day?) {
        let first = begins?.localDay ?? startDay
        // The first day, if a clock time wins over it, bounds nothing.
        guard let ends else { return (first, endDay.map { max($0, first ?? $0) }) }
        let isPoint = begins.map { $0.milliseconds >= ends.milliseconds } ?? false
        var moment = ends
        if kind == .activity, !isPoint, ends.milliseconds > .min { moment.milliseconds -= 1 }
        // A whole day has no clock that another could be behind.
        return (first, begins == nil ? max(first ?? moment.localDay, moment.localDay) : moment.localDay)
    }

    /// From the least to the greatest of its days by its own clocks; nil while it is open.
    package var span: ClosedRange<Day>? { Self.span(days) }

    static func span(_ days: (first: Day?, last: Day?)) -> ClosedRange<Day>? {
        guard let one = days.first ?? days.last else { return nil }
        let other = days.last ?? one
        return min(one, other)...max(one, other)
    }
}

extension Moment {
    /// Zones that say of an instant only which it is: programs write them where they do not know the place.
    private static let placeless: Set<String> = [
        "UTC", "Etc/UTC", "GMT", "Etc/GMT", "Z", "Zulu", "Etc/Zulu", "UCT", "Etc/UCT", "Universal", "Etc/Universal",
        "Greenwich", "Etc/Greenwich", "GMT0", "Etc/GMT0",
    ]

    /// Whether its zone is one in which people are: one that this platform knows, and not that of an instant without a place.
    package var isOfPlace: Bool { !Self.placeless.contains(zone) && timeZone != nil }
}
