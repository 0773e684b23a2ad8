import Events
import TripStore

/// The calendar of a trip on a page: for each row a list of bars, and a list of days with their items.
///
/// Classes say where each of them stands, as the page's policy has no styles of elements: `b` and `s` the half day at which it begins and their
/// number, `r` its lane, `n` the half days of a row, and `l` the number of its lanes.
struct OverviewMarkup {
    private let overview: TripOverview
    private let level: Int
    /// The items that a day lists.
    private static let mostEntries = 12

    init(_ overview: TripOverview, level: Int) { (self.overview, self.level) = (overview, level) }

    /// A section.
    ///
    /// - Parameter link: the anchor of a day that has a section.
    func text(_ anchor: String, link: (Day) -> String?) -> String {
        var text = HTML.sectionHead("\(anchor)-overview", "Overview", level: level, class: "overview")
        var next = overview.days.lowerBound
        for row in overview.rows {
            text += gap(from: next, to: row.first) + self.text(row, link)
            next = row.first.advanced(by: 7)
        }
        text += gap(from: next, to: overview.days.upperBound.nextBound)
        if overview.unlisted > 0 {
            text += "<p class=\"soft\">\(overview.unlisted.counted("other item")) over several days.</p>\n"
        }
        return text + "</section>\n"
    }

    /// The days between two rows, or before or after all.
    private func gap(from day: Day, to end: Day) -> String {
        guard day < end else { return "" }
        return
            "<p class=\"soft\">\(HTML.plain(DayText.words(day...end.advanced(by: -1)))): nothing begins or ends.</p>\n"
    }

    private func text(_ row: TripOverview.Row, _ link: (Day) -> String?) -> String {
        var text = "<div class=\"week n\(2 * overview.columns) l\(row.laneCount)\">\n"
        if !row.bars.isEmpty {
            text += "<ul class=\"bars\" role=\"list\">\n" + row.bars.map(self.text).joined() + "</ul>\n"
        }
        text += "<ol class=\"days\" role=\"list\">\n"
        for number in 0..<overview.columns {
            let day = row.first.advanced(by: number)
            guard overview.days.contains(day) else { continue }
            let words = HTML.plain(DayText.withoutYear(day))
            let date = link(day).map { "<a href=\"#\($0)\">\(words)</a>" } ?? words
            text += "<li class=\"b\(2 * number + 1)\"><p class=\"date\">\(date)</p>"
            let entries = row.entries[number] ?? []
            if !entries.isEmpty {
                text += "<ul role=\"list\">\n" + entries.prefix(Self.mostEntries).map(self.text).joined()
                if entries.count > Self.mostEntries {
                    text += "<li class=\"soft\">and \(entries.count - Self.mostEntries) more</li>"
                }
                text += "</ul>"
            }
            text += "</li>\n"
        }
        return text + "</ol>\n</div>\n"
    }

    private func text(_ bar: TripOverview.Bar) -> String {
        let course = bar.entry.course
        var classes = "b\(bar.halves.lowerBound + 1) s\(bar.halves.count) r\(bar.lane + 1)"
        if bar.isContinued { classes += " from" }
        if bar.continues { classes += " to" }
        let days = course.span.map { ", \(HTML.plain(DayText.words($0)))" } ?? ""
        let time = course.item.kind == .transportation && !bar.isContinued ? clock(bar.entry) : ""
        return "<li class=\"\(Self.classes(course.item)) \(classes)\">\(time)\(course.item.nameMarkup)"
            + "<span class=\"spoken\">\(days)</span></li>\n"
    }

    private func text(_ entry: Itinerary.Entry) -> String {
        "<li class=\"\(Self.classes(entry.item))\">\(clock(entry))\(entry.item.nameMarkup)</li>\n"
    }

    private func clock(_ entry: Itinerary.Entry) -> String {
        entry.course.begins.map { "<span class=\"clock\">\($0.clock)</span> " } ?? ""
    }

    private static func classes(_ item: TripItem) -> String {
        item.kind.itemWords + (item.stage == .idea ? " idea" : item.stage == .cancelled ? " cancelled" : "")
    }
}
