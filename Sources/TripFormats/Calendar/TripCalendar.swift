import Foundation
public import TripStore

/// Trips as a calendar (RFC 5545 and 7986): one event for an item, and one of whole days for the days of a trip.
///
/// The same state of a store gives the same bytes: nothing depends on the clock.
public struct TripCalendar: Sendable {
    /// A trip and how often each of its entities was changed.
    public struct Entry: Sendable {
        public let document: TripDocument
        /// The number of events after the creation that are held of an entity: it never gets less while a log grows.
        public let sequences: [EntityReference: UInt64]

        public init(document: TripDocument, sequences: [EntityReference: UInt64]) {
            self.document = document
            self.sequences = sequences
        }
    }

    /// The name of the calendar.
    public var name: String
    /// Only items that touch one of these days; nil for all.
    public var days: ClosedRange<Day>?
    /// Whether costs are among the descriptions.
    public var hasCosts: Bool
    public var entries: [Entry] = []
    /// How many items without a trip, and how many templates, are no entries: they are among what is not held.
    public var unfiledItems = 0
    public var templates = 0

    public init(name: String, days: ClosedRange<Day>? = nil, hasCosts: Bool = false) {
        self.name = name
        self.days = days
        self.hasCosts = hasCosts
    }

    /// The calendar, and what it does not hold. O(items), and for each zone O(years that have items).
    public func text() -> (text: String, warnings: [String]) {
        var zones = UsedZones()
        var events = CalendarWriter()
        var losses = CalendarLosses(hasCosts: hasCosts)
        (losses.unfiled, losses.templates) = (unfiledItems, templates)
        for entry in entries {
            let trip = entry.document.contents.trip
            if let days = trip.calendarDays {
                EventText(entry, hasCosts).write(trip, days, to: &events)
                losses.add(tripOf: entry.document)
            } else {
                losses.undated += 1
            }
            for course in ItemCourse.all(of: entry.document.contents.items) {
                let item = course.item
                guard let times = ItemTimes(item) else {
                    losses.undated += 1
                    continue
                }
                if let days, course.span?.overlaps(days) != true { continue }
                for moment in times.moments { zones.add(moment) }
                losses.add(item, times, of: entry.document)
                EventText(entry, hasCosts).write(item, times, to: &events)
            }
        }
        var writer = CalendarWriter()
        writer.begin("VCALENDAR")
        writer.property("VERSION", value: "2.0")
        writer.property("PRODID", value: "-//TripStore//TripStore//EN")
        writer.property("CALSCALE", value: "GREGORIAN")
        writer.property("NAME", text: name)
        writer.property("X-WR-CALNAME", text: name)
        if let color = entries.first.flatMap({ CalendarColor.name(of: $0.document.contents.trip.color) }),
            entries.count == 1
        {
            writer.property("COLOR", value: color)
        }
        let dates = entries.flatMap { entry in
            [entry.document.contents.trip.updatedAt] + entry.document.contents.items.map(\.updatedAt)
        }
        if let last = dates.compactMap({ $0 }).max() { writer.property("LAST-MODIFIED", value: CalendarText.utc(last)) }
        writer.property("REFRESH-INTERVAL", [("VALUE", "DURATION")], value: "PT1H")
        writer.property("X-PUBLISHED-TTL", value: "PT1H")
        var text = writer.text + zones.text + events.text
        var closing = CalendarWriter()
        closing.end("VCALENDAR")
        text += closing.text
        return (text, losses.warnings)
    }
}

extension TripViews {
    /// A trip as an entry of a calendar; nil if it is not there. O(its items).
    public func calendarEntry(of trip: Trip.ID) throws -> TripCalendar.Entry? {
        guard let document = try document(of: trip) else { return nil }
        var sequences: [EntityReference: UInt64] = [:]
        sequences[trip.reference] = try version(of: trip).events
        for item in document.contents.items {
            let version =
                switch item {
                case .activity(let item): try version(of: item.id)
                case .lodging(let item): try version(of: item.id)
                case .transportation(let item): try version(of: item.id)
                }
            sequences[item.reference] = version.events
        }
        return TripCalendar.Entry(document: document, sequences: sequences.mapValues { $0 == 0 ? 0 : $0 - 1 })
    }
}

extension Trip {
    fileprivate var calendarDays: (first: Day, last: Day?)? {
        guard let first = startDay ?? endDay else { return nil }
        return (first, effectiveEndDay)
    }
}

/// The years in which each zone is used.
private struct UsedZones {
    private var years: [String: Set<Int>] = [:]

    mutating func add(_ moment: Moment) {
        guard moment.localClock != nil else { return }
        years[moment.zone, default: []].insert(moment.localDay.year)
    }

    var text: String {
        var writer = CalendarWriter()
        for (name, years) in years.sorted(by: { $0.key < $1.key }) {
            guard let zone = Moment(milliseconds: 0, zone: name).timeZone else { continue }
            ZoneTransitions(zone, named: name, years: years).write(to: &writer)
        }
        return writer.text
    }
}
