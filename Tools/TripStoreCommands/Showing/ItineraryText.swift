import Events
import Foundation
import TripFormats
import TripStore

/// A trip and its items in words, as a traveller reads them.
struct ItineraryText {
    let row: TripRow
    let items: [TripItem]
    let organizations: [Organization.ID: Organization]
    /// Who travels, budgets and checklists.
    let planning: TripPlanning
    /// What apps have put into the trip.
    let own: [DescribedEntity]
    /// Whether each item's id is beside it.
    let showsIDs: Bool

    /// The lines, no wider than the terminal.
    var lines: [String] {
        let layout = Console.current.layout
        let marks = marks
        let itinerary = Itinerary(row.trip, items)
        let parts = itinerary.sections.map { section in (head(section), section.entries.map(line)) }
        let open = itinerary.open.map(line)
        let width = (parts.flatMap(\.1) + open).map { layout.shown($0.time).columns }.max() ?? 0
        var lines = head(layout)
        for (head, entries) in parts {
            lines += ["", heading(head, layout)]
            if entries.isEmpty { lines.append("  nothing planned") }
            for entry in entries { lines += entry.laidOut(layout, timeWidth: width, marks: marks) }
        }
        if !open.isEmpty { lines += ["", heading("Without a time", layout)] }
        for entry in open { lines += entry.laidOut(layout, timeWidth: 0, marks: marks) }
        for (title, entries) in planning.sections(showsIDs: showsIDs) {
            lines += ["", heading(title, layout)]
            for entry in entries {
                lines += layout.wrapped(layout.shown(entry), to: layout.columns.map { $0 - 2 }).map { "  \($0)" }
            }
        }
        if !own.isEmpty { lines += ["", heading("From apps", layout)] }
        for entity in own {
            let text = OwnEntityText.line(entity) + (showsIDs ? "  \(entity.id)" : "")
            lines += layout.wrapped(layout.shown(text), to: layout.columns.map { $0 - 2 }).map { "  \($0)" }
        }
        return lines
    }

    /// The lines that say what is in conflict.
    private var marks: Set<String> { Set(planning.superseded.values.joined().map(\.words)) }

    // MARK: The trip

    private func head(_ layout: TextLayout) -> [String] {
        let trip = row.trip
        let title = trip.name + (["", trip.name].contains(trip.destination) ? "" : ", \(trip.destination)")
        var lines = layout.wrapped(layout.shown(title), to: layout.columns).map { layout.styled($0, .bold) }
        var facts: [String] = []
        switch (trip.startDay, trip.effectiveEndDay) {
        case (let start?, let end?):
            facts.append("\(DayText.words(start...end)), \((trip.dayCount ?? 0).counted("day"))")
        case (let start?, nil): facts.append("from \(DayText.words(start))")
        case (nil, let end?): facts.append("until \(DayText.words(end))")
        case (nil, nil): break
        }
        let costs = row.costs.map(\.words).joined(separator: ", ")
        facts.append(row.itemCount.counted("item") + (costs.isEmpty ? "" : ", \(costs)"))
        let unpaid = CostTotal.all(of: items).map(\.unpaidSum)
        let open = unpaid.filter { $0.minorUnits > 0 }.map(\.words)
        if !open.isEmpty { facts.append("unpaid: \(open.joined(separator: ", "))") }
        facts += unpaid.filter { $0.minorUnits < 0 }.map(\.unpaidWords)
        if trip.stage != .planned { facts.append("\(trip.stage)") }
        if trip.isProtected { facts.append("protected") }
        if trip.archivedAt != nil { facts.append("archived") }
        if trip.isTemplate { facts.append("template") }
        if trip.status != .ready { facts.append("\(trip.status)") }
        if !trip.color.isEmpty { facts.append("colour \(trip.color)") }
        facts += planning.marks(of: trip.reference)
        if showsIDs { facts.append("\(trip.id)") }
        for text in facts + trip.notes.textLines + trip.ownLines {
            let style = marks.contains(text) ? TextStyle.conflict : nil
            lines += layout.wrapped(layout.shown(text), to: layout.columns.map { $0 - 2 })
                .map { "  \(layout.styled($0, style))" }
        }
        return lines
    }

    private func heading(_ text: String, _ layout: TextLayout) -> String {
        let shown = layout.shown(text)
        return layout.styled(layout.columns.map { layout.cut(shown, to: $0) } ?? shown, .bold)
    }

    private func head(_ section: Itinerary.Section) -> String {
        let places = section.placeWords
        return DayText.words(section.days) + (places.isEmpty ? "" : "  \(places)")
            + (section.isOutside ? "  (outside of the trip's days)" : "")
    }

    // MARK: An item

    private func line(_ entry: Itinerary.Entry) -> ItineraryLine {
        let (course, item) = (entry.course, entry.item)
        let (begins, ends) = (course.begins?.clock ?? "", course.ends?.clock ?? "")
        switch entry.part {
        case .whole:
            return ItineraryLine(
                time: course.clockTimes, name: item.name + course.elsewhere(), details: details(course))
        case .checkIn: return ItineraryLine(time: begins, name: "check-in: \(item.name)", details: details(course))
        case .checkOut:
            // What has no check-in has its details here.
            return ItineraryLine(
                time: ends, name: "check-out: \(item.name)", details: course.first == nil ? details(course) : [])
        case .arrival: return ItineraryLine(time: ends, name: "arrival: \(item.name)", details: [])
        case .pickUp:
            let word = ItemCourse.holdingWord(item.kind, atEnd: false)
            return ItineraryLine(time: begins, name: "\(word): \(item.name)", details: details(course))
        case .giveBack:
            let word = ItemCourse.holdingWord(item.kind, atEnd: true)
            return ItineraryLine(time: ends, name: "\(word): \(item.name)", details: [])
        case .nights(let nights):
            let numbers =
                nights.count == 1 ? "night \(nights.lowerBound)" : "nights \(nights.lowerBound) to \(nights.upperBound)"
            return ItineraryLine(
                time: "", name: "\(numbers)\(course.nightCount.map { " of \($0)" } ?? ""): \(item.name)", details: [])
        case .days(let days):
            let numbers = days.count == 1 ? "day \(days.lowerBound)" : "days \(days.lowerBound) to \(days.upperBound)"
            let all = course.shownDays.map { " of \($0)" } ?? ""
            return ItineraryLine(time: "", name: "\(numbers)\(all): \(item.name)", details: [])
        case .onTheWay: return ItineraryLine(time: "", name: "on the way: \(item.name)", details: [])
        }
    }

    private func details(_ course: ItemCourse) -> [String] {
        ItemDetails(organizations: organizations, planning: planning).lines(of: course)
            + (showsIDs ? ["\(course.item.id)"] : [])
    }
}

/// A line of an itinerary, and those that belong below it.
private struct ItineraryLine {
    let time: String
    let name: String
    let details: [String]

    func laidOut(_ layout: TextLayout, timeWidth: Int, marks: Set<String>) -> [String] {
        let indent = String(repeating: " ", count: timeWidth == 0 ? 2 : timeWidth + 4)
        let room = layout.columns.map { max($0 - indent.count, 8) }
        let start = timeWidth == 0 ? indent : "  \(layout.shown(time).padded(to: timeWidth))  "
        let name = layout.shown(name)
        let lines = details.flatMap { detail in
            layout.wrapped(layout.shown(detail), to: room)
                .map { layout.styled($0, marks.contains(detail) ? .conflict : nil) }
        }
        return [start + (room.map { layout.cut(name, to: $0) } ?? name)] + lines.map { $0.isEmpty ? "" : indent + $0 }
    }
}
