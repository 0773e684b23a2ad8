public import TripStore

extension CalendarItems {
    /// The days of a trip that an export of a store has.
    public struct TripEntry: Sendable {
        public let id: Trip.ID
        public let name: String
        public let destination: String
        /// The days of the calendar event.
        public let days: ClosedRange<Day>
        /// The first day of the trip; nil if it is open.
        public let startDay: Day?
        /// The last day of the trip; nil if it is open.
        public let endDay: Day?
        public let stage: PlanningStage
        public let notes: String
        /// The color as the store has it; nil if another program removed the properties of the store: then only the name and the days count.
        public let color: String?
        public let isProtected: Bool
        public let links: [Link]
        public let sequence: Int
        /// The time of creation as written, like that of an entry.
        public let creation: String?
        public let line: Int
    }
}

extension CalendarItems.TripEntry {
    /// Nil without whole days.
    init?(_ entity: EntityReference, _ event: CalendarEvent, _ span: EventSpan) {
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
