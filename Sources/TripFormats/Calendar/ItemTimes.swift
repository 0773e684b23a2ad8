import Foundation
import TripStore

/// The fields of an item that say when it is.
struct TimeFields: Hashable {
    let kind: EntityKind
    var start: Moment?
    var end: Moment?
    var startDay: Day?
    var endDay: Day?
    var checkIn: Moment?
    var checkOut: Moment?

    /// Ends that a merge put before their starts are their starts.
    init<Kind>(_ item: Item<Kind>) {
        kind = item.reference.kind
        (start, end, startDay, endDay) = (item.start, item.effectiveEnd, item.startDay, item.effectiveEndDay)
        if let stay = item as? Lodging { (checkIn, checkOut) = (stay.checkIn, stay.checkOut) }
    }

    init(_ item: TripItem) {
        switch item {
        case .activity(let item): self.init(item)
        case .lodging(let item): self.init(item)
        case .transportation(let item): self.init(item)
        }
    }

    var ends: ItemEnds {
        ItemEnds(
            of: kind, start: start, end: end, startDay: startDay, endDay: endDay, checkIn: checkIn, checkOut: checkOut)
    }

    /// Whether its check-in and its check-out are the times of its event.
    var isByCheckIn: Bool {
        start == nil && end == nil && (checkIn != nil || checkOut != nil) && ItemTimes(self)?.moments.isEmpty == false
    }
}

/// When an item is, as its event says it.
struct ItemTimes {
    enum Span: Hashable {
        case moments(Moment, Moment?)
        case days(Day, Day?)
    }

    let span: Span
    /// Whether DTSTART and DTEND hold its fields as they are.
    let isWhole: Bool
    private let isStay: Bool

    init?(_ item: TripItem) { self.init(TimeFields(item)) }

    /// Nil without any. A stay without times has those of its check-in and check-out, an item without a start begins at its end.
    init?(_ fields: TimeFields) {
        let ends = fields.ends
        isStay = fields.kind == .lodging
        // An event that ends with a whole day begins with one: a check-in alone is no time of it.
        let isByDays =
            fields.start == nil && ends.startDay != nil
            && (ends.begins == nil || ends.ends == nil && ends.endDay != nil)
        if !isByDays, let first = ends.begins ?? (ends.startDay == nil ? ends.ends : nil) {
            let last = ends.begins == nil ? nil : ends.ends
            span = .moments(first, last)
            isWhole =
                fields.start == first && fields.end == last && fields.startDay == nil && fields.endDay == nil
                && first.isHeldWhole && last?.isHeldWhole != false
                // An event without a length has no DTEND, and so no second zone.
                && (last?.wholeSeconds != first.wholeSeconds || last?.zone == first.zone)
            return
        }
        guard let first = fields.startDay ?? fields.endDay else { return nil }
        let last = fields.startDay == nil ? nil : ends.days.last
        span = .days(first, last)
        // The year 9999 has no day after its last. Of a stay DTEND is the day of leaving, of all else the day after the last.
        isWhole =
            fields.startDay == first && fields.endDay == last && fields.end == nil && last != .last
            && (!isStay || last == nil)
    }

    /// The day before DTEND of an event of whole days; nil if it has no DTEND.
    var lastShownDay: Day? {
        guard case .days(let first, let last?) = span else { return nil }
        if endsByLeaving { return last.advanced(by: -1) }
        return last == .last ? nil : max(first, last)
    }

    /// Whether DTEND is the last of its days, and not the day after that.
    var endsByLeaving: Bool {
        guard isStay, case .days(let first, let last?) = span else { return false }
        return first < last
    }

    var moments: [Moment] {
        guard case .moments(let start, let end) = span else { return [] }
        return [start] + [end].compactMap { $0 }
    }

    /// Whether an event that was written with these times has the times of another, which has whole seconds and maybe other zones.
    func isSame(as other: EventSpan) -> Bool {
        switch span {
        case .moments(let start, let end):
            start.wholeSeconds == other.start?.wholeSeconds && end?.wholeSeconds == other.end?.wholeSeconds
        case .days(let first, _):
            other.startDay == first && other.endDay == lastShownDay
        }
    }
}

extension Moment {
    /// The clock's time in its zone, in whole seconds, if that and the zone's name say which instant it is; nil for UTC, for zones that are
    /// not known here, and for the second pass of an hour that clocks repeat.
    var localClock: String? {
        guard !isUTC, let known = timeZone, Moment(checking: milliseconds, zone: zone) != nil else { return nil }
        let seconds = wholeSeconds
        let clock = seconds + known.secondsFromGMT(for: date)
        guard ZoneResolver.moment(clock: clock, zone)?.wholeSeconds == seconds else { return nil }
        return CalendarText.clock(clock)
    }

    /// Whether an event holds it as it is.
    fileprivate var isHeldWhole: Bool {
        milliseconds % 1000 == 0 && (zone == "UTC" || localClock != nil)
    }

    var isUTC: Bool { ["UTC", "Etc/UTC", "GMT", "Etc/GMT"].contains(zone) }

    /// The exact time in UTC and the zone, as in "2027-05-01T08:30:00.250Z Europe/Lisbon".
    var exactText: String { "\(Moment(milliseconds: milliseconds, zone: "UTC").localISO8601) \(zone)" }

    /// From `exactText`; nil for anything else.
    init?(exactText text: String) {
        guard let space = text.firstIndex(of: " "), text[..<space].hasSuffix("Z"),
            let moment = try? Moment(parsing: String(text[..<space]), in: "UTC")
        else { return nil }
        self.init(milliseconds: moment.milliseconds, zone: String(text[text.index(after: space)...]))
    }
}

/// The properties in which exports of a store have an item's fields of time.
extension TimeFields {
    private static let times = CalendarNames.prefix + "TIMES"
    /// The value for a stay whose DTEND is the day of leaving. Earlier versions wrote EXACT, and the day after that.
    private static let leaving = "LEAVING"

    /// Writes those that DTSTART and DTEND do not hold. The check-in and the check-out of a stay are always there.
    func write(to writer: inout CalendarWriter) {
        func own(_ name: String, _ text: String?) {
            if let text { writer.property(CalendarNames.prefix + name, text: text) }
        }
        if let times = ItemTimes(self), !times.isWhole {
            writer.property(Self.times, value: times.endsByLeaving ? Self.leaving : "EXACT")
            own("START", start?.exactText)
            own("END", end?.exactText)
            own("START-DAY", startDay?.description)
            own("END-DAY", endDay?.description)
        }
        own("CHECK-IN", checkIn?.exactText)
        own("CHECK-OUT", checkOut?.exactText)
    }

    /// The fields of an event of an export: those that it was written with, unless its times were changed since.
    init(_ event: CalendarComponent, _ span: EventSpan, of kind: EntityKind) {
        self.kind = kind
        func own<Value>(_ name: String, _ value: (String) -> Value?) -> Value? {
            event.property(CalendarNames.prefix + name).flatMap { value($0.text) }
        }
        (checkIn, checkOut) = (own("CHECK-IN") { Moment(exactText: $0) }, own("CHECK-OUT") { Moment(exactText: $0) })
        // Earlier versions wrote a stay without its own days, and with DTEND after the day of leaving.
        guard let times = event.property(Self.times) else {
            (start, end, startDay, endDay) = (span.start, span.end, span.startDay, span.endDay)
            return
        }
        (start, end) = (own("START") { Moment(exactText: $0) }, own("END") { Moment(exactText: $0) })
        (startDay, endDay) = (own("START-DAY") { Day($0) }, own("END-DAY") { Day($0) })
        if ItemTimes(self)?.isSame(as: span) == true { return }
        if kind == .lodging, end != nil, times.text != Self.leaving, span.startDay != nil {
            if span.startDay == startDay, span.endDay == ends.days.last { return }
            (start, end, startDay, endDay) = (nil, nil, span.startDay, span.endDay)
            return
        }
        guard isByCheckIn, let moved = span.start else {
            (start, end, startDay, endDay) = (span.start, span.end, span.startDay, span.lastDay(of: kind))
            return
        }
        if startDay != nil { startDay = moved.localDay }
        if endDay != nil { endDay = (span.end ?? moved).localDay }
        // The one time of a check-out alone, or both.
        if checkIn == nil, span.end == nil {
            checkOut = span.start
        } else {
            (checkIn, checkOut) = (span.start, span.end)
        }
    }
}
