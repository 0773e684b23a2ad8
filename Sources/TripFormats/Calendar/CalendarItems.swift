public import TripStore

/// The items that a calendar file describes, and the trips, if the file is one of this store.
public struct CalendarItems: Sendable {
    /// One time of an event.
    public struct Entry: Sendable {
        /// What names it, in all files: the UID, and of an event that recurs also which time of it this is.
        public let externalID: String
        /// The entity, if the event is an export of this store's or of another's.
        public let own: EntityReference?
        /// The trip of such an entity.
        public let trip: Trip.ID?
        /// How often such an entity was changed when the file was written.
        public let sequence: Int
        /// When such an entity was created in the store that wrote the file, as it says it: another creation has another.
        public let creation: String?
        public let item: ForeignItem
        /// The line of the file.
        public let line: Int
    }

    /// The days of a trip that an export of a store has.
    public struct TripEntry: Sendable {
        public let id: Trip.ID
        public let name: String
        public let destination: String
        /// Those of the event.
        public let days: ClosedRange<Day>
        /// Those of the trip, of which either may be open.
        public let startDay: Day?
        public let endDay: Day?
        public let stage: PlanningStage
        public let notes: String
        /// As the store has it; nil if another program removed the properties of the store: then only the name and the days count.
        public let color: String?
        public let isProtected: Bool
        public let links: [Link]
        public let sequence: Int
        /// As of an entry.
        public let creation: String?
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
        var series = replacements(&events, &resolver)
        var recurring = 0
        for event in events where event.replaced == nil {
            guard event.isRecurring else {
                try add(event, at: event.start, .whole, &resolver, limits)
                continue
            }
            recurring += 1
            guard recurring <= limits.mostRecurring else {
                warnings.add(
                    "of over \(limits.mostRecurring) events that recur the first time is taken, and no other",
                    at: event.line)
                try add(event, at: event.start, .time(0), &resolver, limits)
                continue
            }
            let instances = event.instances(limits, &warnings) { resolver.seconds($0, event.line) }
            let changes = event.uid.isEmpty ? nil : series[event.uid]
            for instance in instances {
                let name = InstanceName(instance.ordinal, instance.time)
                if let changes, changes.replaced.contains(instance.instant) {
                    if let ordinal = instance.ordinal { series[event.uid]?.ordinals[instance.instant] = ordinal }
                    continue
                }
                guard !instance.isException else { continue }
                let (event, time) = changes?.change(of: instance, in: instances) ?? (event, instance.time)
                try add(event, at: time, name, &resolver, limits)
            }
        }
        for event in events {
            guard let replaced = event.replaced else { continue }
            let ordinal = series[event.uid]?.ordinals[resolver.seconds(replaced, event.line)]
            try add(event, at: event.start, InstanceName(ordinal, replaced), &resolver, limits)
        }
        warnings.add(resolver.warnings)
    }

    /// Of events with the same name the newest counts. Returns what replaces times of those that recur, by UID.
    private mutating func replacements(
        _ events: inout [CalendarEvent], _ resolver: inout ZoneResolver
    ) -> [String: SeriesChanges] {
        var series: [String: SeriesChanges] = [:]
        var newest: [String: Int] = [:]
        var kept: [CalendarEvent?] = []
        for event in events {
            let key = event.replaced.map { resolver.key($0, event.line) }
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
        for event in events where !event.uid.isEmpty {
            guard let replaced = event.replaced else { continue }
            series[event.uid, default: SeriesChanges()].add(event, at: resolver.seconds(replaced, event.line))
        }
        return series
    }

    /// Adds a time of an event: an item, or a trip of a store.
    private mutating func add(
        _ event: CalendarEvent, at time: CalendarTime, _ instance: InstanceName, _ resolver: inout ZoneResolver,
        _ limits: CalendarLimits
    ) throws(TextFormatError) {
        guard entries.count < limits.mostItems else {
            throw TextFormatError(
                .tooLarge,
                "It has over \(limits.mostItems) events, each time of one that recurs counted. Split it into smaller files.",
                at: TextPlace(line: event.line))
        }
        let span = EventSpan(event, at: time, &resolver, &warnings)
        let component = event.component
        let entity = CalendarNames.entity(event.uid)
        if let entity, entity.kind == .trip {
            guard instance.isFirst, let trip = TripEntry(entity, event, span) else {
                skipped += 1
                return warnings.add("a trip without whole days, or a further time of one, is left out", at: event.line)
            }
            trips.append(trip)
            return
        }
        var uid = event.uid
        if uid.isEmpty {
            warnings.add("an event has no UID: its summary and its start name it", at: event.line)
            uid = "\(component.property("SUMMARY")?.text ?? "")@\(resolver.key(time, event.line))"
        }
        ForeignItem.warnOfLosses(of: event, isOwn: entity != nil, &warnings)
        let item = entity.map { ForeignItem(own: $0, component, span) } ?? ForeignItem(component, span)
        let parent = component.property("RELATED-TO").flatMap { CalendarNames.entity($0.text) }
        entries.append(
            Entry(
                externalID: uid + instance.suffix(event.line, &resolver), own: instance.isFirst ? entity : nil,
                trip: parent.flatMap { Trip.ID($0) }, sequence: event.sequence,
                creation: component.property(CalendarNames.prefix + "CREATED")?.text, item: item, line: event.line))
    }
}

/// What names a time of an event beside its UID.
///
/// A time of a rule is named by its number: so it keeps its name when the series is moved or when a single event begins to recur. A date of
/// RDATE, and a time of an event whose series the file does not have, are named by when they were to be.
private enum InstanceName {
    /// An event that does not recur; it has the same name as the first time of one that does.
    case whole
    case time(Int)
    case date(CalendarTime)

    init(_ ordinal: Int?, _ original: CalendarTime) { self = ordinal.map { .time($0) } ?? .date(original) }

    var isFirst: Bool {
        switch self {
        case .whole, .time(0): true
        default: false
        }
    }

    func suffix(_ line: Int, _ resolver: inout ZoneResolver) -> String {
        switch self {
        case .whole, .time(0): ""
        case .time(let ordinal): "#\(ordinal)"
        case .date(let original): "#\(resolver.key(original, line))"
        }
    }
}

extension CalendarItems.TripEntry {
    /// Nil without whole days.
    fileprivate init?(_ entity: EntityReference, _ event: CalendarEvent, _ span: EventSpan) {
        let component = event.component
        guard let days = span.days, let id = Trip.ID(entity) else { return nil }
        self.id = id
        name = component.property("SUMMARY")?.text ?? ""
        destination = component.property("LOCATION")?.text ?? ""
        self.days = days
        let isOpen =
            component.property(CalendarNames.prefix + "TIMES")?.text == "END" && days.lowerBound == days.upperBound
        startDay = isOpen ? nil : days.lowerBound
        endDay = isOpen ? days.upperBound : span.endDay
        stage = ForeignItem.stage(of: component)
        notes = ForeignItem.ownNotes(of: component) ?? ""
        color = component.property(CalendarNames.prefix + "COLOR")?.text
        isProtected = component.property("CLASS")?.value.trimmed.uppercased() == "PRIVATE"
        links = CalendarLinks.read(component)
        sequence = event.sequence
        creation = component.property(CalendarNames.prefix + "CREATED")?.text
        line = event.line
    }
}

extension CalendarItems.TripEntry {
    /// Sets what the file says of the trip.
    /// - Parameter keepsLinks: whether links that the file lacks stay.
    public func set(on trip: inout Trip, keepsLinks: Bool) {
        if name != ForeignItem.untitled || !trip.name.isEmpty || trip.createdAt == nil {
            ForeignItem.take(name, &trip.name)
        }
        if startDay != trip.startDay { trip.startDay = startDay }
        if endDay != trip.effectiveEndDay { trip.endDay = endDay }
        guard let color else { return }
        ForeignItem.take(destination, &trip.destination)
        ForeignItem.take(notes, &trip.notes)
        if stage != trip.stage { trip.stage = stage }
        if color != trip.color { trip.color = color }
        if isProtected != trip.isProtected { trip.isProtected = isProtected }
        let taken = trip.links.taking(links, keepsOthers: keepsLinks)
        if taken != trip.links { trip.links = taken }
    }
}
