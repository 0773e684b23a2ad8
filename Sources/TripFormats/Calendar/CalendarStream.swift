/// Reads the items of a calendar file of any size, a part at a time: the result is that of `CalendarItems`.
///
/// A first reading finds what the items need: the zones of each calendar, the lines that its descriptions repeat, and the events of one
/// UID that stand apart. Memory holds that, a part of the events, and check-ins and check-outs, which are joined in the end.
struct CalendarStream: Sendable {
    /// What is known of a calendar before its items are read.
    private struct Head: Sendable {
        /// With its zones, and without its events.
        let calendar: CalendarComponent
        let repeated: RepeatedLines
        /// What an earlier reading found.
        var surpluses: Set<Int> = []
    }

    /// The events of one UID, all of which memory holds at once.
    private static let mostOfUID = 20_000
    /// Check-ins and check-outs that memory holds at once.
    private static let mostEnds = 20_000
    private static let mostCalendars = 100_000
    /// The events as which one that recurs counts.
    private static let recurringWeight = 200

    private let path: String
    private let zone: String
    private let limit: Int
    private let limits: CalendarLimits
    private var heads: [Head] = []
    private var index = EventIndex()

    /// The name of the first calendar that has one.
    var name: String? { heads.lazy.compactMap(\.calendar.calendarName).first }

    /// Throws `TextFormatError` as `CalendarReader` does.
    /// - Parameter limit: about how many events and items memory holds at once.
    /// - Parameter say: receives which part of two readings is done, from 0 to 1; what it throws ends the reading.
    init(
        path: String, zone: String, atOnce limit: Int,
        saying say: (Double) throws(TextFormatError) -> Void = { _ throws(TextFormatError) in }
    ) throws(TextFormatError) {
        (self.path, self.zone, self.limit) = (path, zone, limit)
        var limits = CalendarLimits()
        // Of an event, its alarms count as well.
        limits.mostComponents = 4 * KnownHashes.mostRecords
        self.limits = limits
        let source = try TextSource(path: path, isChecked: false)
        var reader = ComponentReader(source, limits)
        var (zones, repeated) = ([CalendarComponent](), RepeatedLines.Reading())
        while let part = try reader.next() {
            switch part {
            case .component(let component, _) where component.name == "VTIMEZONE": zones.append(component)
            case .component(let component, let offset):
                guard component.name == "VEVENT" else { continue }
                try say(Double(offset) / Double(2 * source.endIndex))
                var scratch = CountedWarnings()
                if !repeated.isOver, let event = try? CalendarEvent(component, isCancelled: true, &scratch) {
                    repeated.add(event)
                }
                index.add(Self.uid(component), calendar: heads.count, at: offset, line: component.line)
            case .calendar(var calendar):
                guard heads.count < Self.mostCalendars else {
                    throw TextFormatError(
                        .tooLarge, "It has over \(Self.mostCalendars) calendars. Split it into smaller files.")
                }
                calendar.components = zones
                heads.append(Head(calendar: calendar, repeated: repeated.lines))
                (zones, repeated) = ([], RepeatedLines.Reading())
            }
        }
        index.finish()
    }

    private static func uid(_ event: CalendarComponent) -> String { event.property("UID")?.text ?? "" }

    /// Calls `body` with all items, at most some more than `limit` at once, and returns the rest of what was read.
    ///
    /// A second reading knows what the stays of a calendar say in all of its parts.
    mutating func read(
        saying say: (Double) throws(TextFormatError) -> Void = { _ throws(TextFormatError) in },
        _ body: ([CalendarItems.Entry]) throws -> Void
    ) throws -> CalendarItems {
        let source = try TextSource(path: path, isChecked: false)
        var reader = ComponentReader(source, limits)
        var part = CalendarPart(limits)
        for calendar in heads.indices {
            var reading = CalendarReading(heads[calendar].calendar, zone)
            reading.repeated = heads[calendar].repeated
            reading.surpluses = heads[calendar].surpluses
            while case .component(let component, let offset)? = try reader.next() {
                try say(0.5 + Double(offset) / Double(2 * source.endIndex))
                guard component.name != "VTIMEZONE" else { continue }
                let uid = Self.uid(component)
                let hash = EventIndex.hash(uid, calendar: calendar)
                if !uid.isEmpty, component.name == "VEVENT", index.isApart(hash) { continue }
                try add(component, uid.isEmpty ? nil : hash, &part, &reading, body)
            }
            for spot in index.spots(of: calendar) {
                var reader = ComponentReader(source, limits, from: spot.offset, line: Int(spot.line))
                guard case .component(let component, _)? = try reader.next() else { continue }
                try add(component, spot.hash, &part, &reading, body)
            }
            try take(&part, &reading, body)
            part.items.warnings.add(reading.resolver.warnings)
            heads[calendar].surpluses = reading.surpluses
        }
        // What stands behind the last calendar.
        _ = try reader.next()
        part.joinEnds()
        try part.hand(over: body, ifAbove: 0)
        part.items.warnings.add(reader.warnings)
        return part.items
    }

    private func add(
        _ component: CalendarComponent, _ hash: UInt64?, _ part: inout CalendarPart,
        _ reading: inout CalendarReading, _ body: ([CalendarItems.Entry]) throws -> Void
    ) throws {
        let isOfLast = hash != nil && hash == part.lastHash
        if part.weight >= limit, !isOfLast { try take(&part, &reading, body) }
        part.ofLast = isOfLast ? part.ofLast + 1 : 1
        guard part.ofLast <= Self.mostOfUID else {
            throw TextFormatError(
                .tooLarge, "It has over \(Self.mostOfUID) events of one UID. Split it into smaller files.",
                at: TextPlace(line: component.line))
        }
        let recurs = component.properties.contains { $0.name == "RRULE" || $0.name == "RDATE" }
        part.weight += recurs ? Self.recurringWeight : 1
        part.lastHash = hash
        part.components.append(component)
    }

    /// Turns the events of the part into items.
    private func take(
        _ part: inout CalendarPart, _ reading: inout CalendarReading, _ body: ([CalendarItems.Entry]) throws -> Void
    ) throws {
        try part.take(&reading, limits)
        if part.ends.count > Self.mostEnds { part.joinEnds() }
        try part.hand(over: body, ifAbove: limit)
    }
}

/// A part of the events of a calendar, and the items that were made of those before.
private struct CalendarPart {
    private let limits: CalendarLimits
    var components: [CalendarComponent] = []
    var weight = 0
    var lastHash: UInt64?
    /// The number of events of the last UID.
    var ofLast = 0
    var items: CalendarItems
    private var entries: [CalendarItems.Entry] = []
    private(set) var ends: [CalendarItems.Entry] = []
    private var count = 0

    init(_ limits: CalendarLimits) { (self.limits, items) = (limits, CalendarItems(limits)) }

    mutating func take(_ reading: inout CalendarReading, _ limits: CalendarLimits) throws(TextFormatError) {
        let line = components.last?.line ?? 1
        try items.add(components, &reading, limits)
        (components, weight, lastHash) = ([], 0, nil)
        ends += StayEnds.removed(from: &items.entries)
        entries += items.entries + items.cancellations
        count += items.entries.count + items.cancellations.count
        (items.entries, items.cancellations) = ([], [])
        guard count <= KnownHashes.mostRecords else {
            throw TextFormatError(
                .tooLarge, "It has over \(KnownHashes.mostRecords) events. Split it into smaller files.",
                at: TextPlace(line: line))
        }
    }

    mutating func joinEnds() {
        entries += StayEnds.joined(ends, &items.warnings)
        ends = []
    }

    mutating func hand(over body: ([CalendarItems.Entry]) throws -> Void, ifAbove limit: Int) throws {
        guard entries.count > limit else { return }
        defer { entries = [] }
        try body(entries)
    }
}
