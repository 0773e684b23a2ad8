/// When an item is by its own fields: which of them count.
///
/// - A clock time wins over a whole day.
/// - A stay without a start begins with its check-in, and without an end ends with its check-out, unless these are on other days than it.
/// - Nothing ends before it begins.
package struct ItemEnds: Hashable, Sendable {
    /// When it begins; nil where no clock time is known. By its own clocks, which may be those of no place: see `Moment.isOfPlace`.
    package let begins: Moment?
    package let ends: Moment?
    /// Its whole days as written. The last day of a stay is that of leaving.
    package let startDay: Day?
    package let endDay: Day?

    package init(
        start: Moment?, end: Moment?, startDay: Day?, endDay: Day?, checkIn: Moment? = nil, checkOut: Moment? = nil
    ) {
        let begins = start ?? checkIn.flatMap { startDay == nil || $0.localDay == startDay ? $0 : nil }
        let ends = end ?? checkOut.flatMap { endDay == nil || $0.localDay == endDay ? $0 : nil }
        self.begins = begins
        self.ends = ends.map { end in begins.flatMap { $0.milliseconds > end.milliseconds ? $0 : nil } ?? end }
        (self.startDay, self.endDay) = (startDay, endDay)
    }

    package init(_ item: TripItem) {
        var stay: Lodging?
        if case .lodging(let lodging) = item { stay = lodging }
        self.init(
            start: item.start, end: item.end, startDay: item.startDay, endDay: item.endDay, checkIn: stay?.checkIn,
            checkOut: stay?.checkOut)
    }
}

extension Moment {
    /// Zones that say of an instant only which it is: programs write them where they do not know the place.
    private static let placeless: Set<String> = [
        "UTC", "Etc/UTC", "GMT", "Etc/GMT", "Z", "Zulu", "Etc/Zulu", "UCT", "Etc/UCT", "Universal", "Etc/Universal",
        "Greenwich", "Etc/Greenwich", "GMT0", "Etc/GMT0",
    ]

    /// A zone in which people are: one that this platform knows, and not that of an instant without a place. Nil for others.
    static func placed(_ zone: String) -> String? {
        placeless.contains(zone) || TimeZoneCache.zone(zone) == nil ? nil : zone
    }

    /// Whether its zone is one in which people are.
    package var isOfPlace: Bool { Self.placed(zone) != nil }
}
