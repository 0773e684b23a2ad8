extension Trip {
    /// Takes the first and the last day of its items for those of its own ends that follow them. Ideas and what is cancelled do not count; of a
    /// trip without any other day nothing changes. An end that does not follow bounds the other.
    package mutating func follow(_ items: [TripItem], start: Bool, end: Bool) {
        let spans = ItemCourse.all(of: items.filter(\.takesPlace)).compactMap(\.span)
        guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() else { return }
        if start { startDay = end ? first : min(first, endDay ?? first) }
        if end { endDay = max(last, startDay ?? last) }
    }

    /// How many days it has; nil while an end is open.
    package var dayCount: Int? { startDay.flatMap { first in effectiveEndDay.map { first.distance(to: $0) + 1 } } }
}
