import Events
import TripStore

/// An item of a page, or a part of one on another day.
struct ItemMarkup {
    private let entry: Itinerary.Entry
    private let document: TripDocument
    private let showsCosts: Bool
    private let level: Int
    /// From how many bytes of text on an item may be broken across pages: less than a page of it.
    private static let longText = 1_500

    private var course: ItemCourse { entry.course }
    private var item: TripItem { entry.item }

    init(_ entry: Itinerary.Entry, _ document: TripDocument, showsCosts: Bool, level: Int) {
        (self.entry, self.document, self.showsCosts, self.level) = (entry, document, showsCosts, level)
    }

    // MARK: The name and the time

    /// Up to the details, which follow in the same element.
    func start(_ zones: inout ClockZones) -> String {
        var classes = "item"
        if !entry.hasDetails { classes += " brief" }
        if item.stage == .cancelled { classes += " cancelled" }
        if item.name.utf8.count + item.notes.utf8.count > Self.longText { classes += " long" }
        let heading = "<h\(level) class=\"name\">\(title)</h\(level)>"
        let time = clock(&zones)
        return "<li class=\"\(classes)\">\n\(time.isEmpty ? "" : "<p class=\"time\">\(time)</p>\n")\(heading)\n"
    }

    private var title: String {
        let name = item.nameMarkup
        let all: (Int?) -> String = { $0.map { " of \($0)" } ?? "" }
        switch entry.part {
        case .whole: return name
        case .checkIn: return "Check-in: \(name)"
        case .checkOut: return "Check-out: \(name)"
        case .arrival: return "Arrival: \(name)"
        case .nights(let nights): return "\(Self.numbers(nights, "Night"))\(all(course.nightCount)): \(name)"
        case .days(let days): return "\(Self.numbers(days, "Day"))\(all(course.shownDays)): \(name)"
        case .onTheWay: return "On the way: \(name)"
        case .pickUp, .giveBack:
            let word = ItemCourse.holdingWord(item.kind, atEnd: entry.part == .giveBack)
            return "\(word.capitalizedFirst): \(name)"
        }
    }

    private static func numbers(_ range: ClosedRange<Int>, _ noun: String) -> String {
        range.count == 1
            ? "\(noun) \(range.lowerBound)" : "\(noun)s \(range.lowerBound) to \(range.upperBound)"
    }

    private func clock(_ zones: inout ClockZones) -> String {
        switch entry.part {
        case .checkIn, .pickUp: return course.begins.map { shown($0, &zones) } ?? ""
        case .checkOut, .arrival, .giveBack: return course.ends.map { shown($0, &zones) } ?? ""
        case .nights, .days, .onTheWay: return ""
        case .whole: break
        }
        guard let start = course.begins else {
            let isOnFirstDay = course.first == nil || course.last == course.first
            return isOnFirstDay ? course.ends.map { shown($0, before: "until ", &zones) } ?? "" : ""
        }
        let first = shown(start, after: start.isOfPlace ? HTML.plain(course.elsewhere()) : "", &zones)
        guard let end = course.ends, end.milliseconds > start.milliseconds else { return first }
        let days = course.daysLater
        let later = days == 0 ? "" : " \(days > 0 ? "+" : "−")\(abs(days).counted("day"))"
        // The zone of an arrival on another day is that of the next time only once the arrival itself was listed.
        var afterArrival = zones
        let last = shown(end, before: "– ", after: later, &afterArrival)
        if days == 0 || item.kind != .transportation { zones = afterArrival }
        return first + last
    }

    private func shown(
        _ moment: Moment, before: String = "", after: String = "", _ zones: inout ClockZones
    ) -> String {
        let machine = moment.localISO8601
        let zone = zones.change(to: moment).map { "<span class=\"zone\">\(HTML.plain($0))</span>" } ?? ""
        return "<span>\(before)<time datetime=\"\(HTML.plain(machine))\">\(moment.clock)</time>\(after)</span>\(zone)"
    }

    // MARK: Details

    var details: String {
        var text = ""
        let kind = HTML.plain(kindWords)
        if item.stage != .planned {
            text +=
                "<p class=\"kind\"><span class=\"label\">\(HTML.plain("\(item.stage)").capitalizedFirst)</span> · \(kind)</p>\n"
        } else {
            text += "<p class=\"kind\">\(kind)</p>\n"
        }
        let facts = facts.filter { !$0.markup.isEmpty }
        if !facts.isEmpty {
            text +=
                "<dl>\n" + facts.map { "<div><dt>\($0.title)</dt><dd>\($0.markup)</dd></div>\n" }.joined() + "</dl>\n"
        }
        return text + HTML.lines(item.notes, class: "note")
    }

    /// As in "Train, 2 h 10 min", "Stay, 3 nights".
    private var kindWords: String {
        var words = [(item.mode.flatMap { $0 == .other ? nil : "\($0)" } ?? item.kind.itemWords).capitalizedFirst]
        if let length = course.lengthWords { words.append(length) }
        if !item.category.isEmpty { words.append(item.category) }
        return words.joined(separator: ", ")
    }

    private var facts: [(title: String, markup: String)] {
        var facts: [(String, String)] = []
        switch item {
        case .transportation(let journey): facts += journeyFacts(journey)
        case .lodging(let stay):
            facts.append(("Check-in", stay.checkIn.map { "from \(HTML.plain($0.dayAndClock))" } ?? ""))
            facts.append(("Check-out", stay.checkOut.map { "by \(HTML.plain($0.dayAndClock))" } ?? ""))
        case .activity: break
        }
        if !item.hidesLocation {
            let (name, address) = (item.customLocationName, item.address)
            let words = address?.words ?? ""
            // A map is behind the place's name, or behind the address where it has none.
            facts.append(("Place", name.isEmpty && !words.isEmpty ? "" : HTML.place(name, address)))
            facts.append(("Address", name.isEmpty && !words.isEmpty ? HTML.place(words, address) : HTML.name(words)))
        }
        let isJourney = item.kind == .transportation
        facts.append((isJourney ? "Confirmation" : "Reservation", HTML.name(item.reservation)))
        if let organization = item.organization.flatMap({ document.organizations[$0] }) {
            facts.append(("With", organizationMarkup(organization)))
        }
        for contact in item.contacts { facts.append(("Contact", contactMarkup(contact))) }
        for link in item.links { facts.append(("Link", HTML.link(link.url, title: link.title))) }
        let people = item.participants.compactMap { document.travellers[$0]?.name }.sorted()
        facts.append(("For", people.map(HTML.name).joined(separator: ", ")))
        if showsCosts {
            let payment = item.payment
            facts.append(("Cost", HTML.plain(payment.words ?? "")))
            let payer = item.payer.flatMap { document.travellers[$0]?.name } ?? ""
            facts.append((payment.payerWords.capitalizedFirst, HTML.name(payer)))
            for doubt in item.moneyDoubts(among: document.contents.trip.travellers) {
                let words = doubt.words { document.travellers[$0]?.name ?? "another traveller" }
                facts.append(("Look at", HTML.name(words)))
            }
        }
        // Without values: costs, and places that are hidden, are not on every page.
        let fields = document.superseded[item.reference]?.joined(separator: ", ") ?? ""
        facts.append(("Edited by two", HTML.name(fields)))
        return facts
    }

    private func journeyFacts(_ journey: Transportation) -> [(String, String)] {
        var facts: [(String, String)] = []
        let ticket = [
            journey.carrier, journey.number, journey.seat.isEmpty ? "" : "seat \(journey.seat)",
            journey.travelClass.isEmpty ? "" : "class \(journey.travelClass)",
        ].filter { !$0.isEmpty }
        if !journey.hidesLocation {
            facts.append(("From", Self.markup(journey.departure)))
            facts.append(("To", Self.markup(journey.arrival)))
        }
        facts.append(("Ticket", ticket.map(HTML.name).joined(separator: ", ")))
        return facts
    }

    private static func markup(_ place: TravelPlace) -> String {
        let (name, words) = (place.oneLine(hidesAddress: true) ?? "", place.address?.words ?? "")
        let parts =
            name.isEmpty ? [HTML.place(words, place.address)] : [HTML.place(name, place.address), HTML.name(words)]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private func organizationMarkup(_ organization: Organization) -> String {
        let parts = [
            HTML.name(organization.name),
            item.hidesLocation ? "" : HTML.place(organization.address?.words ?? "", organization.address),
            organization.phone.isEmpty ? "" : HTML.telephone(organization.phone),
            organization.email.isEmpty ? "" : HTML.mail(organization.email),
            organization.website.isEmpty ? "" : HTML.link(organization.website),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private func contactMarkup(_ contact: Contact) -> String {
        let parts = [
            HTML.name(contact.name), HTML.name(contact.role),
            contact.phone.isEmpty ? "" : HTML.telephone(contact.phone),
            contact.email.isEmpty ? "" : HTML.mail(contact.email),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension Itinerary.Entry {
    /// Whether the item is described here; on its other days its name alone is.
    var hasDetails: Bool {
        switch part {
        case .whole, .checkIn, .pickUp: true
        // An item without a check-in has its details here.
        case .checkOut: course.first == nil
        case .arrival, .nights, .days, .onTheWay, .giveBack: false
        }
    }
}

extension TripItem {
    /// Its name, or else what it is.
    var nameMarkup: String { self.name.isEmpty ? kind.itemWords.capitalizedFirst : HTML.name(self.name) }
}

extension EntityKind {
    /// What an item is, for people.
    var itemWords: String {
        switch self {
        case .lodging: "stay"
        case .transportation: "journey"
        default: "activity"
        }
    }
}
