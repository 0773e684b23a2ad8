extension Trip {
    /// Takes the first and the last day of its items for those of its own ends that follow them. Ideas and what is cancelled do not count; of a
    /// trip without any other day nothing changes. An end that does not follow bounds the other.
    package mutating func follow(_ items: [TripItem], start: Bool, end: Bool) {
        let spans = ItemCourse.all(of: items.filter(\.takesPlace)).compactMap(\.span)
        guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() else { return }
        if start { startDay = end ? first : min(first, endDay ?? first) }
        if end { endDay = max(last, startDay ?? last) }
    }

    /// A day of an item that lies outside of the trip's, the first if it is one; nil if none does. An open end bounds nothing, and ideas and what
    /// is cancelled are nowhere. The one rule for findings and for warnings at entry.
    package func dayOutside(_ course: ItemCourse) -> Day? {
        guard takesPlace, course.item.takesPlace, let span = course.span else { return nil }
        if let startDay, span.lowerBound < startDay { return span.lowerBound }
        if let last = effectiveEndDay, span.upperBound > last { return span.upperBound }
        return nil
    }

    var takesPlace: Bool { stage != .idea && stage != .cancelled }

    /// How many days it has; nil while an end is open.
    package var dayCount: Int? { startDay.flatMap { first in effectiveEndDay.map { first.distance(to: $0) + 1 } } }
}
