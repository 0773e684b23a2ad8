import Foundation
import TripStore

extension ForeignItem {
    /// Properties that say nothing to people, or are read elsewhere.
    private static let silent: Set<String> = [
        "UID", "DTSTAMP", "DTSTART", "DTEND", "DURATION", "CREATED", "LAST-MODIFIED", "SEQUENCE", "SUMMARY",
        "DESCRIPTION", "LOCATION",
        "GEO", "STATUS", "TRANSP", "CLASS", "PRIORITY", "RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID", "URL",
        "ATTACH", "METHOD",
        "REQUEST-STATUS", "RELATED-TO", "COLOR", "STYLED-DESCRIPTION", "IMAGE", "STRUCTURED-DATA",
        "X-KDE-KITINERARY-RESERVATION",
    ]
    /// Of a property that nobody asks for, in characters.
    private static let longestNote = 4_000
    private static let mostNotes = 100

    /// From an event of another program. `source` is the PRODID of its calendar.
    init(
        _ event: CalendarComponent, _ span: EventSpan, _ repeated: RepeatedLines = RepeatedLines(), source: String = ""
    ) {
        let texts = EventNotes(event)
        let (summary, description) = (texts.summary, texts.description)
        let place = PlainText.of(event.property("LOCATION")?.text ?? "").trimmed
        let classified = EventClassifier(event, span, summary: summary, description: description, source: source)
        self.init(classified.kind, name: summary.isEmpty ? (place.isEmpty ? "Untitled" : place) : summary)
        doubt = classified.doubt
        set(span)
        stage = Self.stage(of: event)
        reservation = ConfirmationNumber.find(in: description) ?? classified.confirmation
        notes = texts.text(without: repeated, Self.unknown(event))
        links = CalendarLinks.read(event)
        let coordinates = Self.coordinates(event)
        let address = place.isEmpty && coordinates == nil ? nil : Address(coordinates: coordinates, formatted: place)
        guard kind == .transportation else {
            self.address = .some(address)
            return
        }
        // An instant in UTC tells no place of a journey, whatever zone the calendar is shown in.
        let ends = event.property("DTEND") == nil ? "DTSTART" : "DTEND"
        if Self.isInstant(event, "DTSTART") { start = start.map { $0.map(Self.placeless) } }
        if Self.isInstant(event, ends) { end = end.map { $0.map(Self.placeless) } }
        mode = classified.mode ?? .other
        number = classified.number ?? ""
        // What only a reservation says is not cleared by an event without one.
        if !classified.carrier.isEmpty { carrier = classified.carrier }
        if !classified.seat.isEmpty { seat = classified.seat }
        departure = classified.departure
        departure?.address = address
        arrival = classified.arrival
    }

    private static func isInstant(_ event: CalendarComponent, _ name: String) -> Bool {
        event.property(name)?.value.trimmed.hasSuffix("Z") == true
    }

    private static func placeless(_ moment: Moment) -> Moment { Moment(milliseconds: moment.milliseconds, zone: "UTC") }

    /// From an event that a store exported.
    init(own entity: EntityReference, _ event: CalendarComponent, _ span: EventSpan) {
        let kind: Kind =
            switch entity.kind {
            case .lodging: .lodging
            case .transportation: .transportation
            default: .activity
            }
        self.init(kind, name: event.property("SUMMARY")?.text ?? "")
        links = CalendarLinks.read(event)
        guard event.property(CalendarNames.prefix + "STAGE") != nil else {
            // A program that removes what it does not know: the description has other lines than the notes.
            set(span)
            areTimesShown = true
            if event.property("STATUS")?.value.trimmed.uppercased() == "CANCELLED" { stage = .cancelled }
            return
        }
        func text(_ name: String) -> String { event.property(CalendarNames.prefix + name)?.text ?? "" }
        let times = TimeFields(event, span, of: kind.entityKind)
        (start, end, startDay, endDay) = (times.start, times.end, times.startDay, times.endDay)
        if kind == .lodging { (checkIn, checkOut) = (.some(times.checkIn), .some(times.checkOut)) }
        stage = Self.stage(of: event)
        reservation = text("RESERVATION")
        notes = Self.ownNotes(of: event)
        category = text("CATEGORY")
        contacts = event.properties(CalendarNames.prefix + "CONTACT").map { Contact($0.parts) }
        organization = event.property(CalendarNames.prefix + "ORGANIZATION").flatMap { ForeignOrganization($0.parts) }
        if let paid = PaidStatus(text("PAID")) {
            self.paid = paid
            (cost, paidAmount) = (.some(Money(exactText: text("COST"))), .some(Money(exactText: text("PAID-AMOUNT"))))
        }
        hidesLocation = text("PLACE-HIDDEN") == "TRUE"
        if hidesLocation != true {
            customLocationName = text("PLACE")
            address = .some(event.property(CalendarNames.prefix + "ADDRESS").flatMap { Address(parts: $0.parts[...]) })
        }
        guard kind == .transportation else { return }
        mode = TransportationMode(text("MODE")) ?? .other
        (carrier, number, seat, travelClass) = (text("CARRIER"), text("NUMBER"), text("SEAT"), text("CLASS"))
        if hidesLocation != true {
            departure = TravelPlace(event.property(CalendarNames.prefix + "FROM"))
            arrival = TravelPlace(event.property(CalendarNames.prefix + "TO"))
        }
    }

    private mutating func set(_ span: EventSpan) {
        start = .some(span.start)
        end = .some(span.end)
        startDay = .some(span.startDay)
        endDay = .some(span.lastDay(of: kind.entityKind))
    }

    /// The stage that STATUS says; in exports of a store the more exact one, unless STATUS was changed since.
    static func stage(of event: CalendarComponent) -> PlanningStage {
        let status = event.property("STATUS")?.value.trimmed.uppercased()
        if let own = event.property(CalendarNames.prefix + "STAGE").flatMap({ PlanningStage($0.value) }),
            own.calendarStatus == status
        {
            return own
        }
        switch status {
        case "CANCELLED": return .cancelled
        case "TENTATIVE": return .idea
        case "CONFIRMED": return .booked
        default: return .planned
        }
    }

    /// The notes, which the description of an export has among other lines.
    static func ownNotes(of event: CalendarComponent) -> String? {
        (event.property(CalendarNames.prefix + "NOTES") ?? event.property("DESCRIPTION"))?.text ?? ""
    }

    private static func coordinates(_ event: CalendarComponent) -> Coordinates? {
        // Apple writes a URI, as "geo:38.71,-9.14".
        let apple = event.property("X-APPLE-STRUCTURED-LOCATION")?.value.trimmed
        let text =
            event.property("GEO")?.value ?? apple.flatMap { $0.hasPrefix("geo:") ? String($0.dropFirst(4)) : nil }
        guard let parts = text?.split(whereSeparator: { ";,".contains($0) }), parts.count == 2,
            let latitude = Double(parts[0].trimmed), let longitude = Double(parts[1].trimmed)
        else { return nil }
        let coordinates = Coordinates(latitude: latitude, longitude: longitude)
        return coordinates.isInRange ? coordinates : nil
    }

    /// As "Organizer: mailto:a@b", in the order of the file.
    private static func unknown(_ event: CalendarComponent) -> [String] {
        notable(event).prefix(mostNotes).map { property in
            let name = property.name.prefix(1) + property.name.dropFirst().lowercased()
            let common = property.parameter("CN").map { "\($0), " } ?? ""
            return "\(name.prefix(60)): \(common)\(PlainText.of(property.text).prefix(longestNote))"
        }
    }

    /// The properties that become lines of the notes.
    private static func notable(_ event: CalendarComponent) -> [CalendarProperty] {
        event.properties.filter { !silent.contains($0.name) && EventNotes.isNotable($0) }
    }

    /// Counts what an item has no place for.
    static func warnOfLosses(of event: CalendarEvent, isOwn: Bool, _ warnings: inout CountedWarnings) {
        let component = event.component
        for part in component.components {
            let name = part.name == "VALARM" ? "an alarm" : "a \(part.name.prefix(40)) in an event"
            warnings.add("\(name) is left out", at: part.line)
        }
        var links = 0
        for property in component.properties {
            switch property.name {
            case "ATTACH", "URL":
                links += 1
                if property.isInline {
                    warnings.add(
                        "the bytes of an attached file are left out: attach the file itself", at: property.line)
                } else if property.value.utf8.count > CalendarLinks.longest {
                    warnings.add("a link of over \(CalendarLinks.longest) bytes is left out", at: property.line)
                } else if links == CalendarLinks.most + 1 {
                    warnings.add("the links after the first \(CalendarLinks.most) are left out", at: property.line)
                }
            case "CLASS" where !isOwn && property.value.trimmed.uppercased() != "PUBLIC":
                warnings.add("a CLASS is left out: an item does not say who may see it", at: property.line)
            case "GEO" where !isOwn && coordinates(component) == nil:
                warnings.add("a GEO is left out, for it is no place on Earth", at: property.line)
            case "IMAGE": warnings.add("an IMAGE is left out", at: property.line)
            default:
                if property.isInline {
                    warnings.add("the bytes of a \(property.name.prefix(40)) are left out", at: property.line)
                }
            }
        }
        guard !isOwn else {
            if component.property(CalendarNames.prefix + "STAGE") == nil {
                warnings.add(
                    "an event of a store lost the properties of its own in another program: its name, times and links are taken",
                    at: event.line)
            }
            return
        }
        let notable = notable(component)
        if notable.count > mostNotes {
            warnings.add("the properties after the first \(mostNotes) that are noted are left out", at: event.line)
        }
        for property in notable.prefix(mostNotes) where property.value.utf8.count > longestNote {
            if property.text.count > longestNote {
                warnings.add("a \(property.name.prefix(40)) is cut at \(longestNote) characters", at: property.line)
            }
        }
    }
}

extension PlanningStage {
    /// What STATUS says of it.
    var calendarStatus: String {
        switch self {
        case .cancelled: "CANCELLED"
        case .idea: "TENTATIVE"
        default: "CONFIRMED"
        }
    }
}

extension CalendarProperty {
    /// The texts that semicolons separate.
    fileprivate var parts: [String] { texts(separatedBy: UInt8(ascii: ";")) }
}

extension Address {
    /// The parts in which exports have an address: street, city, state, country, postal code, the whole, latitude, longitude.
    var parts: [String] {
        [street, city, state, country, postalCode, formatted]
            + [coordinates?.latitude, coordinates?.longitude].map { $0.map { "\($0)" } ?? "" }
    }

    /// Nil without any.
    fileprivate init?(parts: ArraySlice<String>) {
        let texts = Array(parts)
        guard texts.count >= 8, texts.contains(where: { !$0.isEmpty }) else { return nil }
        self.init(
            street: texts[0], city: texts[1], state: texts[2], country: texts[3], postalCode: texts[4],
            formatted: texts[5])
        if let latitude = Double(texts[6]), let longitude = Double(texts[7]) {
            coordinates = Coordinates(latitude: latitude, longitude: longitude)
        }
    }
}

extension TravelPlace {
    /// The parts in which exports have it: name, code, terminal, gate, then the address.
    var parts: [String] { [name, code, terminal, gate] + (address ?? Address()).parts }

    fileprivate init(_ property: CalendarProperty?) {
        let parts = property?.parts ?? []
        self.init()
        guard parts.count >= 12 else { return }
        self.init(
            name: parts[0], code: parts[1], terminal: parts[2], gate: parts[3], address: Address(parts: parts[4...]))
    }
}

extension Contact {
    /// The parts in which exports have it: name, role, phone, email.
    fileprivate init(_ parts: [String]) {
        func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
        self.init(name: part(0), phone: part(2), email: part(3), role: part(1))
    }
}

extension ForeignOrganization {
    /// The parts in which exports have it: id, name, phone, email, website.
    fileprivate init?(_ parts: [String]) {
        guard let id = parts.first.flatMap({ UUID(uuidString: $0) }) else { return nil }
        func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
        self.init(id: Organization.ID(id), name: part(1), phone: part(2), email: part(3), website: part(4))
    }
}

extension Money {
    /// From its description, as "12.34 EUR"; nil for anything else.
    fileprivate init?(exactText text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2 else { return nil }
        self.init(String(parts[0]), Currency(unchecked: String(parts[1])))
    }
}
