public import TripStore

/// The items that a calendar file describes, and the trips, if the file is one of this store.
public struct CalendarItems: Sendable {
    /// One time of an event.
    public struct Entry: Sendable {
        /// The name of this time of the event, the same in all files: the UID and, for a recurring event, also which
        /// time it is.
        public let externalID: String
        /// Other names, which an earlier file may have given it.
        public let otherIDs: [String]
        /// The series that the file lacks, and whose items it may be about.
        public let series: CalendarSeries?
        /// The entity, if the event is an export of this store's or of another's.
        public let own: EntityReference?
        /// The trip of such an entity.
        public let trip: Trip.ID?
        /// How often such an entity was changed when the file was written.
        public let sequence: Int
        /// When such an entity was created in the store that wrote the file, as it says it: another creation has another.
        public let creation: String?
        public internal(set) var item: ForeignItem
        /// The line of the file.
        public let line: Int
    }

    /// The name of the first calendar that has one.
    public private(set) var name: String?
    public internal(set) var entries: [Entry] = []
    /// The times that do not take place: by EXDATE, or by a calendar of the method CANCEL. They are about what is held, and create nothing.
    public internal(set) var cancellations: [Entry] = []
    public internal(set) var trips: [TripEntry] = []
    /// How many events are left out.
    public var skipped: Int { warnings.skipped }
    public internal(set) var warnings = CountedWarnings()
    /// How many steps of rules may still be taken.
    private var steps: Int
    /// The stays of the calendar that is read.
    private var stays = StayNights()
    /// In the descriptions of the calendar that is read.
    private var repeated = RepeatedLines()

    /// Reads a file. Time and memory are linear in its bytes.
    ///
    /// Events without a start that can be read are left out, with a warning; zones that are not known are taken for `zone`.
    ///
    /// - Parameter zone: of times that name none: a zone that the platform knows.
    /// - Throws: `TextFormatError` for a file that is no calendar, is cut off, or is larger than the limits.
    public init(reading bytes: [UInt8], zone: String, limits: CalendarLimits = CalendarLimits()) throws(TextFormatError)
    {
        try self.init(reading: bytes, zone: zone, limits: limits) { _ throws(TextFormatError) in }
    }

    /// - Parameter say: receives which part of the work is done, from 0 to 1; what it throws ends the reading.
    init(
        reading bytes: [UInt8], zone: String, limits: CalendarLimits = CalendarLimits(),
        saying say: (Double) throws(TextFormatError) -> Void
    ) throws(TextFormatError) {
        let (calendars, warnings) = try CalendarReader(limits: limits).components(of: bytes) {
            share throws(TextFormatError) in try say(share / 3)
        }
        self.init(limits)
        self.warnings = warnings
        for calendar in calendars {
            if name == nil { name = calendar.calendarName }
            var reading = CalendarReading(calendar, zone)
            try add(calendar.components, &reading, limits) { share throws(TextFormatError) in
                try say((1 + 2 * share) / 3)
            }
            self.warnings.add(reading.resolver.warnings)
        }
        entries = StayEnds.joined(entries, &self.warnings)
    }

    init(_ limits: CalendarLimits) { steps = limits.mostRuleDays }

    /// Adds components of a calendar: all events of one UID at once.
    mutating func add(
        _ components: [CalendarComponent], _ reading: inout CalendarReading, _ limits: CalendarLimits,
        saying say: (Double) throws(TextFormatError) -> Void = { _ throws(TextFormatError) in }
    ) throws(TextFormatError) {
        var resolver = reading.resolver
        defer { reading.resolver = resolver }
        let source = reading.source
        var events: [CalendarEvent] = []
        for (number, component) in components.enumerated() where component.name != "VTIMEZONE" {
            try say(Double(number) / Double(2 * components.count))
            guard component.name == "VEVENT" else {
                warnings.add("a \(component.name.prefix(40)) is left out: just events are taken", at: component.line)
                continue
            }
            do throws(CalendarEvent.Fault) {
                events.append(try CalendarEvent(component, isCancelled: source.cancels, &warnings))
            } catch {
                warnings.leaveOut(error.reason, at: error.line)
            }
        }
        repeated = reading.repeated ?? RepeatedLines(of: events)
        if !repeated.lines.isEmpty, !reading.hasWarned, let first = events.first {
            reading.hasWarned = true
            warnings.add("lines that every description repeats are left out of the notes", at: first.line)
        }
        var (series, whole) = replacements(&events, &resolver)
        for (number, event) in events.enumerated() where event.replaced == nil {
            try say(0.5 + Double(number) / Double(2 * events.count))
            guard event.isRecurring else {
                try add(event, at: event.start, .whole, source, &resolver, limits)
                continue
            }
            reading.recurring += 1
            guard reading.recurring <= limits.mostRecurring else {
                warnings.add(
                    "of over \(limits.mostRecurring) events that recur the first time is taken, and no other",
                    at: event.line)
                try add(event, at: event.start, InstanceName(0, event.start), source, &resolver, limits)
                continue
            }
            let instances = event.instances(limits, &steps, &warnings) { resolver.seconds($0, event.line) }
            let changes = event.uid.isEmpty ? nil : series[event.uid]
            let days = instances.reduce(into: [:]) { $0[$1.time.day, default: 0] += 1 }
            for instance in instances {
                let name = InstanceName(
                    instance.ordinal, instance.time, isAloneOnDay: days[instance.time.day] == 1)
                if let changes, changes.replaced.contains(instance.instant) {
                    if let ordinal = instance.ordinal { series[event.uid]?.ordinals[instance.instant] = ordinal }
                    continue
                }
                if instance.isException {
                    cancel(event, at: instance.time, name, source, &resolver, limits)
                    continue
                }
                if let (event, time) = changes?.change(of: instance, in: instances) {
                    try add(event, at: time, name, source, &resolver, limits)
                } else {
                    try add(event, at: instance.time, until: instance.end, name, source, &resolver, limits)
                }
            }
        }
        for event in events {
            guard let replaced = event.replaced else { continue }
            let changes = series[event.uid]
            let start = whole[event.uid] ?? event.start
            let ordinal = changes?.ordinals[resolver.seconds(replaced.like(start), event.line)]
            let isAlone = whole[event.uid] == nil
            let name = InstanceName(
                ordinal, replaced, isAlone: isAlone, isAloneOnDay: changes?.days[replaced.day] == 1)
            try add(event, at: event.start, name, source, &resolver, limits, isAlone: isAlone)
        }
        reading.surpluses.formUnion(stays.surpluses)
        for (entry, day) in stays.leavings(reading.surpluses, &warnings) { entries[entry].item.endDay = .some(day) }
        stays = StayNights()
    }

    /// Keeps the newest of events with the same name. Returns what replaces times of those that recur, and the starts of these, by UID.
    private mutating func replacements(
        _ events: inout [CalendarEvent], _ resolver: inout ZoneResolver
    ) -> (changes: [String: SeriesChanges], starts: [String: CalendarTime]) {
        var series: [String: SeriesChanges] = [:]
        var newest: [String: Int] = [:]
        var kept: [CalendarEvent?] = []
        for event in events {
            let key = event.replaced.map { resolver.key($0, event.line) }
            if !event.uid.isEmpty {
                let name = event.uid + "\u{0}" + (key ?? "")
                if let index = newest[name] {
                    warnings.leaveOut(
                        "an event has the UID of one before: the one with the higher SEQUENCE is taken", at: event.line)
                    if let other = kept[index], other.sequence > event.sequence { continue }
                    kept[index] = nil
                }
                newest[name] = kept.count
            }
            kept.append(event)
        }
        events = kept.compactMap { $0 }
        let whole = events.lazy.filter { $0.replaced == nil }.map { ($0.uid, $0.start) }
        let starts = Dictionary(whole) { first, _ in first }
        for event in events where !event.uid.isEmpty {
            guard let replaced = event.replaced?.like(starts[event.uid] ?? event.start) else { continue }
            series[event.uid, default: SeriesChanges()].add(event, at: resolver.seconds(replaced, event.line))
        }
        return (series, starts)
    }

    /// Adds a time of an event: an item, or a trip of a store.
    /// - Parameters:
    ///   - end: the end of that time alone.
    ///   - isAlone: whether it replaces a time of an event that the file does not have.
    private mutating func add(
        _ event: CalendarEvent, at time: CalendarTime, until end: EventEnd? = nil, _ instance: InstanceName,
        _ source: CalendarSource, _ resolver: inout ZoneResolver, _ limits: CalendarLimits, isAlone: Bool = false
    ) throws(TextFormatError) {
        if source.cancels { return cancel(event, at: time, instance, source, &resolver, limits) }
        guard entries.count < limits.mostItems else {
            throw TextFormatError(
                .tooLarge,
                "It has over \(limits.mostItems) events, each time of one that recurs counted. Split it into smaller files.",
                at: TextPlace(line: event.line))
        }
        let span = EventSpan(event, at: time, until: end, &resolver, &warnings)
        let component = event.component
        let entity = CalendarNames.entity(event.uid)
        if let entity, entity.kind == .trip {
            guard instance.isFirst, let trip = TripEntry(entity, event, span) else {
                return warnings.leaveOut(
                    "a trip without whole days, or a further time of one, is left out", at: event.line)
            }
            trips.append(trip)
            return
        }
        let uid = uid(of: event, at: time, source, &resolver)
        ForeignItem.warnOfLosses(of: event, isOwn: entity != nil, &warnings)
        var item =
            entity.map { ForeignItem(own: $0, component, span) }
            ?? ForeignItem(component, span, repeated, source: source.program)
        if entity == nil { stays.add(event, &item, span, entry: entries.count) }
        if let doubt = item.doubt { warnings.add(doubt, at: event.line) }
        let series = isAlone ? event.replaced.flatMap { CalendarSeries(uid, at: $0, event.line, &resolver) } : nil
        entries.append(entry(event, uid, instance, series, item, &resolver))
    }

    /// Adds that a time of an event does not take place.
    private mutating func cancel(
        _ event: CalendarEvent, at time: CalendarTime, _ instance: InstanceName, _ source: CalendarSource,
        _ resolver: inout ZoneResolver, _ limits: CalendarLimits
    ) {
        guard CalendarNames.entity(event.uid)?.kind != .trip, cancellations.count < limits.mostItems else {
            return warnings.leaveOut(
                "a cancellation is left out: it is of a trip, or there are over \(limits.mostItems)", at: event.line)
        }
        let uid = uid(of: event, at: time, source, &resolver)
        var series: CalendarSeries?
        if source.cancels {
            // One without RECURRENCE-ID is of all times, and need not name them.
            series =
                event.replaced.map { CalendarSeries(uid, at: $0, event.line, &resolver) }
                ?? (instance.isFirst ? CalendarSeries(uid) : nil)
        }
        cancellations.append(entry(event, uid, instance, series, .cancelled, &resolver))
    }

    private mutating func uid(
        of event: CalendarEvent, at time: CalendarTime, _ source: CalendarSource, _ resolver: inout ZoneResolver
    ) -> String {
        guard event.uid.isEmpty else { return source.uid(of: event) }
        warnings.add("an event has no UID: its summary and its start name it", at: event.line)
        return "\(event.component.property("SUMMARY")?.text ?? "")@\(resolver.key(time, event.line))"
    }

    private func entry(
        _ event: CalendarEvent, _ uid: String, _ instance: InstanceName, _ series: CalendarSeries?,
        _ item: ForeignItem, _ resolver: inout ZoneResolver
    ) -> Entry {
        let component = event.component
        let parent = component.property("RELATED-TO").flatMap { CalendarNames.entity($0.text) }
        return Entry(
            externalID: instance.name(uid, event.line, &resolver),
            otherIDs: instance.others(uid, event.line, &resolver), series: series,
            own: instance.isFirst ? CalendarNames.entity(event.uid) : nil, trip: parent.flatMap { Trip.ID($0) },
            sequence: event.sequence, creation: component.property(CalendarNames.prefix + "CREATED")?.text,
            item: item, line: event.line)
    }
}
