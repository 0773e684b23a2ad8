import Foundation
import TripFormats
import TripStore

/// An item or an organization on its own, in words.
struct ItemText {
    let course: ItemCourse
    let trip: Trip?
    let organization: Organization?
    let planning: TripPlanning

    private var item: TripItem { course.item }

    var lines: [String] {
        let known = organization.map { [$0.id: $0] } ?? [:]
        var facts = [item.kind.words] + times
        facts += ItemDetails(organizations: known, planning: planning).lines(of: course)
        if let trip { facts.append("trip: \(trip.name)") }
        facts.append("\(item.id)")
        return Self.lines(item.name, facts)
    }

    private var times: [String] {
        let start = course.begins.map(Self.words) ?? course.first.map { DayText.words($0) }
        let end = course.ends.map(Self.words) ?? course.last.map { DayText.words($0) }
        return [start.map { "from \($0)" }, end.map { "until \($0)" }].compactMap { $0 }
    }

    /// As in "Sat 1 May 2027 09:30, Lisbon time".
    private static func words(_ moment: Moment) -> String {
        "\(moment.dayAndClock), \(Itinerary.Place(city: "", zone: moment.zone).words)"
    }

    static func lines(_ organization: Organization, _ attachments: [String]) -> [String] {
        let facts =
            [
                organization.phone, organization.email, organization.website, organization.address?.oneLine ?? "",
            ] + organization.ownLines + attachments + ["\(organization.id)"]
        return lines(organization.name, facts.filter { !$0.isEmpty })
    }

    /// A title with facts below it, no wider than the terminal.
    static func lines(_ title: String, _ facts: [String]) -> [String] {
        let layout = Console.current.layout
        let below = facts.flatMap { layout.wrapped(layout.shown($0), to: layout.columns.map { $0 - 2 }) }
        let title = layout.wrapped(layout.shown(title), to: layout.columns).map { layout.styled($0, .bold) }
        return title + below.map { "  \($0)" }
    }
}
