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

extension TripItem {
    /// Whether it is something that one has while it lasts, and is not in: a rental car, parking, a pass, luggage that is kept.
    ///
    /// It overlaps nothing, leads nowhere and is no bed. A stay is never one. Others are one by their length or by words of the name and
    /// the category: a car for over a day is had, and so is what words name that mean nothing else; words with further meanings tell it of what
    /// takes over half a day.
    package var isHad: Bool {
        if kind == .lodging { return false }
        let hours = hours
        if mode == .car, hours >= 24 { return true }
        let (named, counted) = (Self.words(of: self.name), Self.words(of: self.category))
        // Also of words that are written apart, as "car park".
        let words = named + counted + zip(named, named.dropFirst()).map { $0 + $1 }
        return counted.contains("rental") || words.contains { Self.possessions.contains($0) }
            || hours >= 12 && words.contains { Self.longPossessions.contains($0) }
    }

    private static func words(of text: String) -> [String] {
        // The beginning of a name tells enough: a peer may make it enormous.
        text.prefix(200).lowercased().split { !$0.isLetter }.map(String.init)
    }

    /// How long it takes; of whole days, from the beginning of the first to that of the last. 0 while that is open.
    private var hours: Int64 {
        let ends = ItemEnds(self)
        if let begins = ends.begins, let end = ends.ends {
            let (length, overflow) = end.milliseconds.subtractingReportingOverflow(begins.milliseconds)
            return overflow ? .max : length / 3_600_000
        }
        guard let first = ends.begins?.localDay ?? ends.startDay, let last = ends.ends?.localDay ?? ends.endDay else {
            return 0
        }
        return Int64(first.distance(to: last)) * 24
    }

    private static let possessions: Set<String> = [
        "rentalcar", "carrental", "carhire", "hirecar", "mietwagen", "mietauto", "leihwagen", "autovermietung",
        "autonoleggio", "huurauto", "autohuur", "parking", "carpark", "parken", "parkplatz", "parkhaus", "parcheggio",
        "parkeren", "stationnement", "estacionamento", "aparcamiento", "estacionamiento", "luggage", "baggage",
        "gepäck", "gepäckaufbewahrung", "locker", "lockers", "schließfach", "consigna", "consigne",
    ]
    private static let longPossessions: Set<String> = [
        "pass", "railpass", "interrail", "eurail", "card", "hire", "rent", "rental", "noleggio", "car", "bike", "bikes",
        "bicycle", "scooter", "skis", "campervan", "motorhome", "insurance", "versicherung", "seguro", "assurance",
        "visa", "vignette", "sim", "esim", "wifi", "alquiler", "aluguer", "aluguel",
    ]
}
