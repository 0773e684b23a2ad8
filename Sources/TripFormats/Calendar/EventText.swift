import Foundation
import TripStore

/// Writes the events of a trip.
struct EventText {
    private let entry: TripCalendar.Entry
    private let hasCosts: Bool

    init(_ entry: TripCalendar.Entry, _ hasCosts: Bool) {
        self.entry = entry
        self.hasCosts = hasCosts
    }

    private var trip: Trip { entry.document.contents.trip }

    // MARK: A trip

    func write(_ trip: Trip, _ days: (first: Day, last: Day?), to writer: inout CalendarWriter) {
        writer.begin("VEVENT")
        writeHead(trip.reference, trip.name, trip.createdAt, trip.updatedAt, to: &writer)
        writeDays(days.first, days.last, to: &writer)
        // A trip of which only the end is known.
        if trip.startDay == nil { writer.property(CalendarNames.prefix + "TIMES", value: "END") }
        writeStage(trip.stage, to: &writer)
        writer.property("TRANSP", value: "TRANSPARENT")
        if trip.isProtected { writer.property("CLASS", value: "PRIVATE") }
        writer.property("CATEGORIES", texts: ["Trip"], separator: ",")
        writer.property("LOCATION", text: trip.destination)
        writer.property("DESCRIPTION", text: trip.notes)
        if let color = CalendarColor.name(of: trip.color) { writer.property("COLOR", value: color) }
        writer.property(CalendarNames.prefix + "COLOR", value: CalendarWriter.escaped(trip.color))
        CalendarLinks.write(trip.links, to: &writer)
        writer.end("VEVENT")
    }

    // MARK: An item

    func write(_ item: TripItem, _ times: ItemTimes, to writer: inout CalendarWriter) {
        writer.begin("VEVENT")
        writeHead(item.reference, item.name, item.createdAt, item.updatedAt, to: &writer)
        switch times.span {
        case .days(let first, _): writeDays(first, times.lastShownDay, to: &writer)
        case .moments(let start, let end):
            write(start, "DTSTART", to: &writer)
            if let end, end.wholeSeconds > start.wholeSeconds {
                write(end, "DTEND", to: &writer)
            } else if end != nil {
                writer.property("DURATION", value: "PT0S")
            }
        }
        writeStage(item.stage, to: &writer)
        // One has a stay, a rental car or a pass, and may do something else meanwhile.
        let isFree = item.stage == .cancelled || item.kind == .lodging || item.isHad
        writer.property("TRANSP", value: isFree ? "TRANSPARENT" : "OPAQUE")
        if trip.isProtected { writer.property("CLASS", value: "PRIVATE") }
        writer.property(
            "CATEGORIES", texts: [item.kind.label] + [item.category].filter { !$0.isEmpty }, separator: ",")
        writePlace(item, to: &writer)
        let description = ItemDescription(item, entry.document, hasCosts: hasCosts)
        writer.property("DESCRIPTION", text: description.text)
        CalendarLinks.write(item.links, to: &writer)
        writer.property("RELATED-TO", text: CalendarNames.uid(trip.reference))
        writeOwn(item, hasNotes: description.text != item.notes, to: &writer)
        writer.end("VEVENT")
    }

    /// What the properties of the standard do not hold, so that an import of the calendar loses nothing.
    private func writeOwn(_ item: TripItem, hasNotes: Bool, to writer: inout CalendarWriter) {
        func own(_ name: String, _ text: String) { writer.property(CalendarNames.prefix + name, text: text) }
        TimeFields(item).write(to: &writer)
        writeMoney(item, to: &writer)
        if hasNotes {
            // Without notes, too: the description has other lines.
            writer.property(CalendarNames.prefix + "NOTES", value: CalendarWriter.escaped(item.notes))
        }
        own("RESERVATION", item.reservation)
        own("CATEGORY", item.category)
        if item.hidesLocation {
            own("PLACE-HIDDEN", "TRUE")
        } else {
            own("PLACE", item.customLocationName)
            if let address = item.address {
                writer.property(CalendarNames.prefix + "ADDRESS", texts: address.parts, separator: ";")
            }
        }
        if let id = item.organization {
            let organization = entry.document.organizations[id]
            writer.property(
                CalendarNames.prefix + "ORGANIZATION",
                texts: [id.description, organization?.name ?? "", organization?.phone ?? "", organization?.email ?? ""]
                    + [organization?.website ?? ""],
                separator: ";")
        }
        for contact in item.contacts {
            writer.property(
                CalendarNames.prefix + "CONTACT", texts: [contact.name, contact.role, contact.phone, contact.email],
                separator: ";")
        }
        guard case .transportation(let journey) = item else { return }
        own("MODE", "\(journey.mode)")
        own("CARRIER", journey.carrier)
        own("NUMBER", journey.number)
        own("SEAT", journey.seat)
        own("CLASS", journey.travelClass)
        guard !item.hidesLocation else { return }
        for (name, place) in [("FROM", journey.departure), ("TO", journey.arrival)] where !place.isEmpty {
            writer.property(CalendarNames.prefix + name, texts: place.parts, separator: ";")
        }
    }

    /// PAID says that costs are there.
    private func writeMoney(_ item: TripItem, to writer: inout CalendarWriter) {
        guard hasCosts else { return }
        for (name, text) in [
            ("PAID", "\(item.paid)"), ("COST", item.cost.map { "\($0)" } ?? ""),
            ("PAID-AMOUNT", item.paidAmount.map { "\($0)" } ?? ""),
        ] {
            writer.property(CalendarNames.prefix + name, text: text)
        }
    }

    private func writePlace(_ item: TripItem, to writer: inout CalendarWriter) {
        guard !item.hidesLocation else { return }
        var (names, address) = ([item.customLocationName], item.address)
        if case .transportation(let journey) = item, !journey.departure.isEmpty {
            names = [journey.departure.name, journey.departure.code]
            address = journey.departure.address ?? address
        }
        let parts = names.filter { !$0.isEmpty } + [address?.locationText ?? ""].filter { !$0.isEmpty }
        writer.property("LOCATION", text: parts.joined(separator: ", "))
        if let place = address?.coordinates, place.isInRange {
            writer.property("GEO", value: "\(Self.degrees(place.latitude));\(Self.degrees(place.longitude))")
        }
    }

    /// At most six decimals, as section 3.8.1.6 advises.
    private static func degrees(_ value: Double) -> String {
        let millionths = Int((abs(value) * 1_000_000).rounded())
        let text = "\(millionths / 1_000_000).\(CalendarText.padded(millionths % 1_000_000, 6))"
        return (value < 0 && millionths > 0 ? "-" : "") + text
    }

    // MARK: Parts

    private func writeHead(
        _ entity: EntityReference, _ name: String, _ created: Date?, _ updated: Date?, to writer: inout CalendarWriter
    ) {
        let updated = updated ?? created ?? Date(timeIntervalSince1970: 0)
        writer.property("UID", text: CalendarNames.uid(entity))
        writer.property("DTSTAMP", value: CalendarText.utc(updated))
        if let created {
            writer.property("CREATED", value: CalendarText.utc(created))
            writer.property(CalendarNames.prefix + "CREATED", text: CalendarNames.creation(created))
        }
        writer.property("LAST-MODIFIED", value: CalendarText.utc(updated))
        writer.property("SEQUENCE", value: "\(min(entry.sequences[entity] ?? 0, UInt64(Int32.max)))")
        writer.property("SUMMARY", text: name.isEmpty ? "Untitled" : name)
    }

    private func writeDays(_ first: Day, _ last: Day?, to writer: inout CalendarWriter) {
        writer.property("DTSTART", [("VALUE", "DATE")], value: CalendarText.day(first))
        // The year 9999 has no day after its last.
        guard let last, last < .last else { return }
        writer.property("DTEND", [("VALUE", "DATE")], value: CalendarText.day(max(first, last).advanced(by: 1)))
    }

    /// By the clock of its zone, or in UTC where that does not say which instant it is.
    private func write(_ moment: Moment, _ name: String, to writer: inout CalendarWriter) {
        guard let clock = moment.localClock else {
            return writer.property(name, value: CalendarText.clock(moment.wholeSeconds) + "Z")
        }
        writer.property(name, [("TZID", moment.zone)], value: clock)
    }

    private func writeStage(_ stage: PlanningStage, to writer: inout CalendarWriter) {
        writer.property("STATUS", value: stage.calendarStatus)
        writer.property(CalendarNames.prefix + "STAGE", text: "\(stage)")
    }
}

extension String {
    /// Whether it has a scheme and no character that a URI may not have.
    var isURI: Bool {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), colon > startIndex else { return false }
        return utf8[..<colon].allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
            && utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\"<>\\^`{|}".utf8.contains($0) }
    }
}

extension EntityKind {
    fileprivate var label: String {
        switch self {
        case .lodging: "Lodging"
        case .transportation: "Transportation"
        default: "Activity"
        }
    }
}

extension Address {
    /// The whole address in one line; its coordinates have a property of their own.
    fileprivate var locationText: String {
        if !formatted.isEmpty { return formatted.split(whereSeparator: \.isNewline).joined(separator: ", ") }
        let town = [postalCode, city].filter { !$0.isEmpty }.joined(separator: " ")
        return [street, town, state, country].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
