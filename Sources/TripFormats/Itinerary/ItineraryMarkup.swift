import Events
import TripStore

/// One trip of a page.
struct ItineraryMarkup {
    private let document: TripDocument
    private let options: ItineraryPage.Options
    /// That of the trip's heading; days and items have the next ones.
    private let level: Int
    private var zones: ClockZones

    init(_ document: TripDocument, _ options: ItineraryPage.Options, level: Int, zones: ClockZones) {
        (self.document, self.options, self.level, self.zones) = (document, options, level, zones)
    }

    private var trip: Trip { document.contents.trip }

    func write(
        to write: (String) throws -> Void, _ embedded: inout EmbeddedFiles
    ) async throws -> [ItineraryPage.LeftOut] {
        var text = self
        var leftOut: [ItineraryPage.LeftOut] = []
        let anchor = ItineraryPage.anchor(trip.id)
        try write("<article id=\"\(anchor)\" aria-labelledby=\"\(anchor)-name\">\n\(tripHead(anchor))")
        let itinerary = Itinerary(trip, document.contents.items)
        if let overview = TripOverview(trip, itinerary) {
            let numbers = Dictionary(
                itinerary.sections.enumerated().map { ($0.element.days.lowerBound, $0.offset) }
            ) { first, _ in first }
            try write(
                OverviewMarkup(overview, level: level + 1).text(anchor) { day in
                    numbers[day].map { "\(anchor)-\($0)" }
                })
        }
        if let map = TripMap(document.contents, itinerary) { try write(MapMarkup(map, level: level + 1).text(anchor)) }
        for (number, section) in itinerary.sections.enumerated() {
            let place = section.placeWords
            let outside = section.isOutside ? " <span class=\"soft\">(outside of the trip’s days)</span>" : ""
            try write(
                dayHead("\(anchor)-\(number)", HTML.plain(DayText.words(section.days)) + outside, HTML.name(place)))
            if section.entries.isEmpty {
                try write("<p class=\"soft\">Nothing planned.</p>\n")
            } else {
                leftOut += try await text.write(section.entries, to: write, &embedded)
            }
            if section.unlisted > 0 {
                try write("<p class=\"soft\">\(section.unlisted.counted("other item")) going on.</p>\n")
            }
            try write("</section>\n")
        }
        if !itinerary.open.isEmpty {
            try write(dayHead("\(anchor)-open", "Without a time", ""))
            leftOut += try await text.write(itinerary.open, to: write, &embedded)
            try write("</section>\n")
        }
        if options.showsCosts { try write(BudgetMarkup(document, level: level + 1).text(anchor)) }
        if options.showsChecklists { try ChecklistMarkup(document, level: level + 1).write(anchor, to: write) }
        // At the end: pictures would push the trip from its first page.
        if options.embedding != nil, let files = document.attachments[trip.reference], !files.isEmpty {
            try write(dayHead("\(anchor)-files", "Attachments", ""))
            leftOut += try await embed(files, to: write, &embedded)
            try write("</section>\n")
        }
        try write("</article>\n")
        return leftOut
    }

    // MARK: The trip

    private func tripHead(_ anchor: String) -> String {
        let name = trip.name.isEmpty ? "Trip without a name" : HTML.name(trip.name)
        var head = "<header class=\"trip-head\">\n<h\(level) id=\"\(anchor)-name\">\(name)</h\(level)>\n"
        func line(_ markup: String, class name: String = "") {
            if !markup.isEmpty { head += "<p\(name.isEmpty ? "" : " class=\"\(name)\"")>\(markup)</p>\n" }
        }
        line(HTML.name(trip.destination), class: "where")
        switch (trip.startDay, trip.effectiveEndDay) {
        case (let start?, let end?):
            let days = (trip.dayCount ?? 0).counted("day")
            line("\(DayText.words(start...end)) <span class=\"soft\">(\(days))</span>", class: "when")
        case (let start?, nil): line("From \(DayText.words(start))", class: "when")
        case (nil, let end?): line("Until \(DayText.words(end))", class: "when")
        case (nil, nil): break
        }
        if trip.stage != .planned { line(HTML.plain("\(trip.stage)").capitalizedFirst, class: "label") }
        let names = trip.travellers.compactMap { document.travellers[$0]?.name }.sorted()
        if !names.isEmpty { line("Travellers: \(names.map(HTML.name).joined(separator: ", "))") }
        if options.showsCosts {
            let totals = CostTotal.all(of: document.contents.items)
            let sums = totals.map { CostSum(currency: $0.currency, minorUnits: $0.cost).words }
            let unpaid = totals.map(\.unpaidSum.unpaidWords).filter { !$0.isEmpty }
            if !sums.isEmpty { line("Costs: \(HTML.plain((sums + unpaid).joined(separator: ", ")))") }
        }
        if let fields = document.superseded[trip.reference] {
            line("Edited by two: \(HTML.name(fields.joined(separator: ", ")))")
        }
        head += HTML.lines(trip.notes, class: "note")
        for link in trip.links { line(HTML.link(link.url, title: link.title)) }
        let made = options.day.map { " Made on \(DayText.words($0))." } ?? ""
        line("All times are those of the place.\(made)", class: "made")
        return head + "</header>\n"
    }

    private func dayHead(_ id: String, _ title: String, _ place: String) -> String {
        HTML.sectionHead(id, title, level: level + 1, line: place)
    }

    // MARK: Items

    private mutating func write(
        _ entries: [Itinerary.Entry], to write: (String) throws -> Void, _ embedded: inout EmbeddedFiles
    ) async throws -> [ItineraryPage.LeftOut] {
        var leftOut: [ItineraryPage.LeftOut] = []
        // Safari takes a list without marks for none; the role says that it is one.
        try write("<ul class=\"items\" role=\"list\">\n")
        for entry in entries {
            let item = ItemMarkup(entry, document, showsCosts: options.showsCosts, level: level + 2)
            try write(item.start(&zones))
            if entry.hasDetails {
                try write(item.details)
                if let files = document.attachments[entry.item.reference] {
                    leftOut += try await embed(files, to: write, &embedded)
                }
            }
            try write("</li>\n")
        }
        try write("</ul>\n")
        return leftOut
    }

    private func embed(
        _ files: [AttachedFile], to write: (String) throws -> Void, _ embedded: inout EmbeddedFiles
    ) async throws -> [ItineraryPage.LeftOut] {
        guard let embedding = options.embedding else { return [] }
        var leftOut: [ItineraryPage.LeftOut] = []
        for file in files {
            let (markup, out) = await embedded.add(file, embedding)
            try write(markup)
            if let out { leftOut.append(out) }
        }
        return leftOut
    }
}

extension String {
    /// With the first letter in upper case.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
