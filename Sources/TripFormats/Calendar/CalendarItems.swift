public import TripStore

/// The items that a calendar file describes, and the trips, if the file is one of this store.
public struct CalendarItems: Sendable {
    /// One time of an event.
    public struct Entry: Sendable {
        /// What names it, in all files: the UID, and of an event that recurs also when it takes place.
        public let externalID: String
        /// The entity, if the event is an export of this store's or of another's.
        public let own: EntityReference?
        /// The trip of such an entity.
        public let trip: Trip.ID?
        /// How often such an entity was changed when the file was written.
        public let sequence: Int
        public let item: ForeignItem
        /// The line of the file.
        public let line: Int
    }

    /// The days of a trip that an export of a store has.
    public struct TripEntry: Sendable {
        public let id: Trip.ID
        public let name: String
        public let days: ClosedRange<Day>
        public let isOneDay: Bool
        public let stage: PlanningStage
        public let notes: String
        public let sequence: Int
        public let line: Int
    }

    /// The name of the first calendar that has one.
    public private(set) var name: String?
    public private(set) var entries: [Entry] = []
    public private(set) var trips: [TripEntry] = []
    /// How many events are left out.
    public private(set) var skipped = 0
    public private(set) var warnings = CountedWarnings()

    /// Reads a file. Time and memory are linear in its bytes.
    ///
    /// Events without a start that can be read are left out, with a warning; zones that are not known are taken for `zone`.
    ///
    /// - Parameter zone: of times that name none: a zone that the platform knows.
    /// - Throws: `TextFormatError` for a file that is no calendar, is cut off, or is larger than the limits.
    public init(reading bytes: [UInt8], zone: String, limits: CalendarLimits = CalendarLimits()) throws(TextFormatError)
    {
        let (calendars, warnings) = try CalendarReader(limits: limits).components(of: bytes)
        self.warnings = warnings
        for calendar in calendars {
            if name == nil {
                name = ["NAME", "X-WR-CALNAME"].lazy.compactMap { calendar.property($0)?.text.trimmed }.first {
                    !$0.isEmpty
                }
            }
            try add(calendar, zone, limits)
        }
    }

    private mutating func add(
        _ calendar: CalendarComponent, _ zone: String, _ limits: CalendarLimits
    ) throws(TextFormatError) {
        var resolver = ZoneResolver(calendar, floating: zone)
        var events: [CalendarEvent] = []
        for component in calendar.components where component.name != "VTIMEZONE" {
            guard component.name == "VEVENT" else {
                warnings.add("a \(component.name.prefix(40)) is left out: just events are taken", at: component.line)
                continue
            }
            do throws(CalendarEvent.Fault) { events.append(try CalendarEvent(component, &warnings)) } catch {
                skipped += 1
                warnings.add(error.reason, at: error.line)
            }
        }
        let replaced = replacements(&events, &resolver)
        var recurring = 0
        for event in events {
            var times = [event.start]
            let isRecurring = event.replaced == nil && (event.rule != nil || !event.dates.isEmpty)
            if isRecurring {
                recurring += 1
                if recurring <= limits.mostRecurring {
                    var copy = resolver
                    times = event.instances(limits, &warnings) { copy.seconds($0, event.line) }
                } else {
                    warnings.add(
                        "of over \(limits.mostRecurring) events that recur the first time is taken, and no other",
                        at: event.line)
                }
            }
            for time in times {
                let key = isRecurring || event.replaced != nil ? resolver.key(event.replaced ?? time, event.line) : nil
                if isRecurring, let key, replaced[event.uid]?.contains(key) == true { continue }
                guard entries.count < limits.mostItems else {
                    throw TextFormatError(
                        .tooLarge,
                        "It has over \(limits.mostItems) events, each time of one that recurs counted. Split it into smaller files.",
                        at: TextPlace(line: event.line))
                }
                add(event, at: time, key, &resolver)
            }
        }
        warnings.add(resolver.warnings)
    }

    /// Of events with the same name the newest counts. Returns the times at which others replace an instance, by UID.
    private mutating func replacements(
        _ events: inout [CalendarEvent], _ resolver: inout ZoneResolver
    ) -> [String: Set<String>] {
        var replaced: [String: Set<String>] = [:]
        var newest: [String: Int] = [:]
        var kept: [CalendarEvent?] = []
        for event in events {
            let key = event.replaced.map { resolver.key($0, event.line) }
            if let key { replaced[event.uid, default: []].insert(key) }
            if !event.uid.isEmpty {
                let name = event.uid + "\u{0}" + (key ?? "")
                if let index = newest[name] {
                    warnings.add(
                        "an event has the UID of one before: the one with the higher SEQUENCE is taken", at: event.line)
                    if let other = kept[index], other.sequence > event.sequence {
                        skipped += 1
                        continue
                    }
                    kept[index] = nil
                    skipped += 1
                }
                newest[name] = kept.count
            }
            kept.append(event)
        }
        events = kept.compactMap { $0 }
        return replaced
    }

    private mutating func add(
        _ event: CalendarEvent, at time: CalendarTime, _ key: String?, _ resolver: inout ZoneResolver
    ) {
        let end = event.replaced == nil ? event.end(ofInstanceAt: time) : event.end
        let span = EventSpan(time, end, event.line, &resolver, &warnings)
        let own = key == nil ? CalendarNames.entity(event.uid) : nil
        if let own, own.kind == .trip {
            guard let days = span.days, let id = Trip.ID(own) else {
                skipped += 1
                return warnings.add("a trip without whole days is left out", at: event.line)
            }
            let component = event.component
            trips.append(
                TripEntry(
                    id: id, name: component.property("SUMMARY")?.text ?? "", days: days, isOneDay: span.endDay == nil,
                    stage: ForeignItem.stage(of: component), notes: ForeignItem.ownNotes(of: component) ?? "",
                    sequence: event.sequence, line: event.line))
            return
        }
        var uid = event.uid
        if uid.isEmpty {
            warnings.add("an event has no UID: its summary and its start name it", at: event.line)
            uid = "\(event.component.property("SUMMARY")?.text ?? "")@\(resolver.key(time, event.line))"
        }
        let item =
            own.map { ForeignItem(own: $0, event.component, span) } ?? ForeignItem(event.component, span)
        let parent = event.component.property("RELATED-TO").flatMap { CalendarNames.entity($0.text) }
        entries.append(
            Entry(
                externalID: key.map { "\(uid)#\($0)" } ?? uid, own: own, trip: parent.flatMap { Trip.ID($0) },
                sequence: event.sequence, item: item, line: event.line))
    }
}

/// From when to when an item is.
struct EventSpan {
    var start: Moment?
    var end: Moment?
    var startDay: Day?
    /// Nil for one whole day whose event names no end.
    var endDay: Day?

    init(
        _ time: CalendarTime, _ end: CalendarTime?, _ line: Int, _ resolver: inout ZoneResolver,
        _ warnings: inout CountedWarnings
    ) {
        guard case .day(let first) = time else {
            start = resolver.moment(time, line: line)
            self.end = end.flatMap { resolver.moment($0, line: line) }
            if let start, let moment = self.end, moment.milliseconds < start.milliseconds {
                warnings.add("an event ends before it starts: its end is left out", at: line)
                self.end = nil
            }
            return
        }
        startDay = first
        if let end {
            let last = end.day.advanced(by: -1)
            if last < first {
                warnings.add("an event of whole days ends before it starts: it is taken as one day", at: line)
            }
            endDay = max(first, last)
        }
    }

    var days: ClosedRange<Day>? { startDay.map { $0...max($0, endDay ?? $0) } }
}

extension ZoneResolver {
    /// What names an instance: its day, or its time in UTC; of a time without a zone the time itself.
    mutating func key(_ time: CalendarTime, _ line: Int) -> String {
        if case .local(_, let second, nil) = time { return "\(time.day)T\(second)" }
        guard let moment = moment(time, line: line) else { return "\(time.day)" }
        return Moment(milliseconds: moment.milliseconds, zone: "UTC").localISO8601
    }

    /// The seconds since 1970.
    mutating func seconds(_ time: CalendarTime, _ line: Int) -> Int {
        moment(time, line: line).map { Int($0.milliseconds / 1000) } ?? time.clockSeconds
    }
}
