import Events
import TripFormats
import TripStore

/// An agenda in words, as a traveller reads it.
struct AgendaText {
    let agenda: Agenda
    let names: AgendaNames
    /// Whether what happens is left out.
    let hasFindingsOnly: Bool

    /// The lines, no wider than the terminal.
    var lines: [String] {
        let layout = Console.current.layout
        let days = hasFindingsOnly ? [] : agenda.days.filter { !$0.isEmpty }
        let parts = days.map { day in (head(day), day.trips.map(line) + day.entries.map(line)) }
        let width = parts.flatMap(\.1).map { layout.shown($0.time).columns }.max() ?? 0
        var lines: [String] = []
        for (head, entries) in parts {
            if !lines.isEmpty { lines.append("") }
            lines.append(layout.styled(fitting(layout.shown(head), layout, layout.columns), .bold))
            for entry in entries {
                let start = width == 0 ? "  " : "  \(layout.shown(entry.time).padded(to: width))  "
                lines.append(fitting(start + layout.shown(entry.text), layout, layout.columns))
            }
        }
        if lines.isEmpty, !hasFindingsOnly { lines.append(layout.shown(nothing)) }
        let findings = agenda.findings.map { FindingText(finding: $0, names: names) }
        if !findings.isEmpty, !hasFindingsOnly { lines += ["", layout.styled("Look at", .bold)] }
        if findings.isEmpty, hasFindingsOnly { lines.append("Nothing to look at.") }
        for finding in findings {
            let indent = hasFindingsOnly ? "" : "  "
            let room = layout.columns.map { max($0 - indent.count, 8) }
            lines += layout.wrapped(layout.shown(finding.words), to: room)
                .map { indent + layout.styled($0, .conflict) }
        }
        return lines
    }

    private func fitting(_ text: String, _ layout: TextLayout, _ columns: Int?) -> String {
        columns.map { layout.cut(text, to: $0) } ?? text
    }

    private var nothing: String {
        guard let first = agenda.days.first?.day, let last = agenda.days.last?.day else { return "Nothing has a day." }
        return "Nothing on \(DayText.words(first...last))."
    }

    /// The day, and where one is: zones only of trips that have several. The place of a night comes last.
    private func head(_ day: AgendaDay) -> String {
        let isNight = { (entry: AgendaEntry) in entry.item.kind == .lodging && entry.role == .continues }
        let entries = day.entries.filter { !isNight($0) } + day.entries.filter(isNight)
        let words = Itinerary.Place.words(of: entries.flatMap(\.places).map { Itinerary.Place($0) })
        return DayText.words(day.day) + (words.isEmpty ? "" : "  \(words)")
    }

    private typealias Line = (time: String, text: String)

    private func line(_ trip: AgendaTrip) -> Line {
        let role =
            switch trip.role {
            case .ends: "end of the trip"
            case .whole: "trip of one day"
            case .starts, .continues: "beginning of the trip"
            }
        return ("", "\(role): \(trip.trip.name)\(stage(trip.trip.stage))")
    }

    private func line(_ entry: AgendaEntry) -> Line {
        let item = entry.item
        let trip = names.isOfOneTrip ? "" : names[entry.trip].map { "  (\($0))" } ?? "  (no trip)"
        return (
            time(entry),
            part(entry) + item.name + ItemCourse.elsewhere(item, entry.time, atEnd: entry.role == .ends)
                + stage(item.stage) + trip
        )
    }

    private func stage(_ stage: PlanningStage) -> String {
        stage == .cancelled || stage == .idea ? ", \(stage)" : ""
    }

    /// Which part of the item it is, before its name.
    private func part(_ entry: AgendaEntry) -> String {
        switch (entry.role, entry.item.kind) {
        case (.starts, _) where entry.isHad: "\(ItemCourse.holdingWord(entry.item.kind, atEnd: false)): "
        case (.continues, _) where entry.isHad: "at hand: "
        case (.ends, _) where entry.isHad: "\(ItemCourse.holdingWord(entry.item.kind, atEnd: true)): "
        case (.starts, .lodging): "check-in: "
        case (.continues, .lodging):
            entry.night.map { "night \($0) of \(entry.nightCount ?? $0): " } ?? ""
        case (.ends, .lodging): "check-out: "
        case (.continues, .transportation): "on the way: "
        case (.ends, .transportation): "arrival: "
        case (.continues, _): "goes on: "
        case (.ends, _): "end: "
        case (.whole, _), (.starts, _): ""
        }
    }

    private func time(_ entry: AgendaEntry) -> String {
        switch entry.role {
        case .continues: return ""
        case .ends: return entry.ends?.clock ?? ""
        case .starts where entry.item.kind != .transportation || entry.isHad: return entry.begins?.clock ?? ""
        case .starts, .whole:
            guard let begins = entry.begins else { return entry.ends.map { "until \($0.clock)" } ?? "" }
            guard let ends = entry.ends else { return begins.clock }
            let days = entry.role == .starts ? entry.daysLater : 0
            return "\(begins.clock) – \(ends.clock)"
                + (days == 0 ? "" : " \(days > 0 ? "+" : "-")\(abs(days).counted("day"))")
        }
    }
}

/// A finding in words.
struct FindingText {
    let finding: AgendaFinding
    let names: AgendaNames

    var words: String {
        let trip = names.isOfOneTrip ? "" : names[finding.trip].map { " (\($0))" } ?? ""
        return "\(DayText.words(finding.days)): \(problem)\(trip)"
    }

    private var items: [String] { finding.items.map { "\"\($0.name)\"" } }
    private var first: String { items.first ?? "" }
    private var second: String { items.last ?? "" }

    private var problem: String {
        let (from, until) = (finding.from?.clock ?? "", finding.until?.clock ?? "")
        switch finding.problem {
        case .overlap where finding.from == nil: return "\(first) and \(second) are for the same nights"
        case .overlap: return "\(first) and \(second) overlap, \(from) – \(until)"
        case .noBed:
            let nights = finding.days.lowerBound.distance(to: finding.days.upperBound) + 1
            return nights == 1 ? "no bed for the night" : "no bed for \(nights) nights"
        case .missedConnection where finding.neededMinutes == 0:
            return "\(second) departs at \(until), before \(first) arrives at \(from)"
        case .missedConnection:
            let needed = finding.neededMinutes ?? 0
            let time = needed < 120 ? needed.counted("minute") : "\(needed / 60) h \(needed % 60) min"
            return "from \(first), until \(from), to \(second), at \(until), it takes \(time) at least"
        case .outsideOfTrip: return "\(first) is outside of the trip's days"
        }
    }
}
