import TripStore

/// Finds the items of trips that events are about whose UIDs are new: some programs write another UID each time.
///
/// It is the same booking number with the same times, or with the same flight or name at most two days before or after; the same flight on the
/// same day; or the same name with the same times.
struct HeldBookings {
    private static let mostDaysApart = 2

    /// The items of a trip, and where they are by what may be the same.
    private struct Held {
        let items: [TripItem]
        private var places: [String: [Int]] = [:]

        init(_ items: [TripItem]) {
            self.items = items
            for (place, item) in items.enumerated() {
                for key in HeldBookings.keys(of: item) { places[key, default: []].append(place) }
                guard item.kind == .lodging, let days = TimeFields(item).ends.span else { continue }
                for night in Held.nights(item.name, days) { places[night, default: []].append(place) }
            }
        }

        /// The stays of a name that have one of some nights at least, by their nights.
        func stays(named name: String, on days: ClosedRange<Day>) -> some Sequence<TripItem> {
            Held.nights(name, days).lazy.flatMap { places[$0] ?? [] }.map { items[$0] }
        }

        /// Keys for each night of a stay, of which the first 60 are looked at.
        private static func nights(_ name: String, _ days: ClosedRange<Day>) -> [String] {
            let name = KindWords.folded(name)
            return days.dropLast().prefix(60).map { "night \($0) \(name)" }
        }

        func like(_ item: ForeignItem) -> [TripItem] {
            let places = HeldBookings.keys(
                item.reservation ?? "", item.number ?? "", item.name, item.start ?? nil, item.startDay ?? nil,
                on: item.days?.lowerBound
            ).flatMap { self.places[$0] ?? [] }
            return Set(places).sorted().map { items[$0] }
        }
    }

    private var held: [Trip.ID: Held] = [:]
    /// How many events were recognised, and where the first of them is.
    private(set) var recognised: (first: String, count: Int)?

    /// The item of a trip that an item of a file is; nil if there is none, or if several may be it. O(log items), at first O(items).
    /// - Parameter isFree: whether an item of the trip is none that another event of the file names.
    mutating func item(
        like item: ForeignItem, in trip: Trip.ID, of store: TripStore, isFree: (TripItem) -> Bool
    ) throws -> TripItem? {
        let held = try held[trip] ?? Held(Array(store.items(of: trip)))
        self.held[trip] = held
        let free = held.like(item).filter { held in
            // A person may have changed its kind.
            let isOfKind = held.kind == item.kind.entityKind || held.forms.map { $0.first != held.reference } ?? false
            return isOfKind && Self.mayBe(held, item.taken(as: held.kind)) && isFree(held)
        }
        return free.first { Self.hasSameTimes($0, item.taken(as: $0.kind)) } ?? (free.count == 1 ? free[0] : nil)
    }

    /// A stay of a trip that has the name of a stay of a file and some of its nights, where `item(like:in:of:isFree:)`
    /// found none; nil if there is none, or if their booking numbers differ.
    func stay(overlapping item: ForeignItem, in trip: Trip.ID, isFree: (TripItem) -> Bool) -> TripItem? {
        guard item.kind == .lodging, let days = item.days else { return nil }
        return held[trip]?.stays(named: item.name, on: days).first { held in
            let bookings = Set([held.reservation, item.reservation ?? ""].map(Self.plain)).filter { !$0.isEmpty }
            return bookings.count < 2 && isFree(held)
        }
    }

    mutating func note(at place: String) { recognised = (recognised?.first ?? place, (recognised?.count ?? 0) + 1) }

    private static func mayBe(_ held: TripItem, _ item: ForeignItem) -> Bool {
        let isSameName = KindWords.folded(held.name) == KindWords.folded(item.name)
        let number = plain(item.number ?? "")
        let isSameNumber = !number.isEmpty && number == plain(held.number)
        if let reservation = item.reservation, !reservation.isEmpty, !held.reservation.isEmpty {
            guard plain(held.reservation) == plain(reservation) else { return false }
            return hasSameTimes(held, item) || (isSameNumber || isSameName) && isNear(held, item)
        }
        let isSameDay = held.firstDay == item.days?.lowerBound
        return isSameNumber && isSameDay || isSameName && hasSameTimes(held, item)
    }

    /// Whether it begins about when it did: a booking has several items of one name, as the way there and back.
    private static func isNear(_ held: TripItem, _ item: ForeignItem) -> Bool {
        guard let first = held.firstDay, let other = item.days?.lowerBound else { return false }
        return first.distance(to: other).magnitude <= mostDaysApart
    }

    private static func keys(of item: TripItem) -> [String] {
        keys(item.reservation, item.number, item.name, item.start, item.startDay, on: item.firstDay)
    }

    /// Keys by which two items may be the same: the booking, the flight of a day, and the name with the start.
    private static func keys(
        _ reservation: String, _ number: String, _ name: String, _ start: Moment?, _ startDay: Day?, on day: Day?
    ) -> [String] {
        let time = start.map { "\($0.wholeSeconds)" } ?? startDay.map { "\($0)" } ?? ""
        var keys = ["name \(KindWords.folded(name)) \(time)"]
        if !reservation.isEmpty { keys.append("booking \(plain(reservation))") }
        if !number.isEmpty, let day { keys.append("number \(plain(number)) \(day)") }
        return keys
    }

    /// Letters and digits in lower case.
    private static func plain(_ text: String) -> String { KindWords.folded(text).filter { $0.isLetter || $0.isNumber } }

    private static func hasSameTimes(_ held: TripItem, _ item: ForeignItem) -> Bool {
        func isSame(_ a: Moment?, _ b: Moment?) -> Bool { a.map(\.wholeSeconds) == b.map(\.wholeSeconds) }
        return isSame(held.start, item.start ?? nil) && isSame(held.effectiveEnd, item.end ?? nil)
            && held.startDay == item.startDay ?? nil && held.effectiveEndDay == item.endDay ?? nil
    }
}

extension TripItem {
    fileprivate var firstDay: Day? { TimeFields(self).ends.span?.lowerBound }

    /// The number of a flight or a train; empty for other items.
    fileprivate var number: String { if case .transportation(let journey) = self { journey.number } else { "" } }
}
