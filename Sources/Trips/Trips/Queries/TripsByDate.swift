import Events

/// Trips by date, each from its first day to its last. A single day stands for both.
extension Query where Entity == Trip {
    /// All trips with a date, by their first day.
    public static var dated: Query { Query(.not(.isNil(.firstDay)), OrderedView.byFirstDay) }

    /// Trips without a date, by their creation.
    public static var undated: Query { Query(.isNil(.firstDay), OrderedView.byCreation) }

    /// Trips with their first day in a range.
    public static func starting(in days: Range<Day>) -> Query { Query(.firstDay, .firstDay, days) }

    /// Trips with their first day in a range that includes its last day: the only way to name the last day of the calendar.
    public static func starting(in days: ClosedRange<Day>) -> Query { starting(in: Range(including: days)) }

    /// Trips with at least one day in a range, by their first day.
    public static func overlapping(_ days: Range<Day>) -> Query {
        // No day is in an empty range, though trips may begin before it and end behind it.
        days.isEmpty ? starting(in: days) : Query(.startDay, .endDay, days)
    }

    /// Trips with at least one day in a range that includes its last day, by their first day.
    public static func overlapping(_ days: ClosedRange<Day>) -> Query { overlapping(Range(including: days)) }

    private init(_ condition: ConditionNode, _ keys: [SortKey]) {
        self.init()
        self.condition = condition
        sortKeys = keys
    }

    private init(_ first: QueriedField, _ last: QueriedField, _ days: Range<Day>) {
        let (lower, upper) = (Int64(days.lowerBound.daysSince1970), Int64(days.upperBound.daysSince1970) - 1)
        self.init(.overlaps(first, last, .integer(lower), .integer(upper)), OrderedView.byFirstDay)
    }
}

extension Query {
    /// The trips that it asks for; nil if it asks for anything else than for trips by date.
    package var orderedView: OrderedView? {
        predicates.isEmpty ? OrderedView(Entity.kind, condition, sortKeys) : nil
    }
}

extension RecordQuery {
    /// The trips that it asks for; nil if it asks for anything else than for trips by date.
    package var orderedView: OrderedView? {
        evaluation == nil ? OrderedView(entityKind, condition, sortKeys) : nil
    }

    /// The trips with days among which it asks for some, in their order; nil if it does not.
    package var amongOrderedView: OrderedView? {
        OrderedView(entityKind, condition?.conjuncts.first, sortKeys).flatMap { $0.range == .undated ? nil : $0 }
    }
}

/// A query that a view has in order: which trips to list by date, and from which end.
package struct OrderedView: Sendable, Hashable {
    package enum Range: Sendable, Hashable {
        case dated
        case undated
        case starting(Swift.Range<Day>)
        case overlapping(Swift.Range<Day>)
    }

    package let range: Range
    /// From the last to the first.
    package let isReversed: Bool

    fileprivate static let byFirstDay = [SortKey(field: .firstDay, order: .ascending)]
    fileprivate static let byCreation = [SortKey(field: .creation, order: .ascending)]
    fileprivate static let byLastID = SortKey(field: .id, order: .descending)

    fileprivate init?(_ kind: EntityKind, _ condition: ConditionNode?, _ keys: [SortKey]) {
        guard kind == .trip, let condition, let key = keys.first, !key.order.isNatural else { return nil }
        isReversed = key.order.isDescending
        guard isReversed ? keys.count == 2 && keys[1] == Self.byLastID : keys.count == 1 else { return nil }
        switch (key.field, condition) {
        case (.firstDay, .not(.isNil(.firstDay))): range = .dated
        case (.creation, .isNil(.firstDay)): range = .undated
        case (.firstDay, .overlaps(.firstDay, .firstDay, .integer(let first), .integer(let last))):
            guard let days = Self.days(first, last) else { return nil }
            range = .starting(days)
        case (.firstDay, .overlaps(.startDay, .endDay, .integer(let first), .integer(let last))):
            guard let days = Self.days(first, last) else { return nil }
            range = .overlapping(days)
        default: return nil
        }
    }

    private static func days(_ first: Int64, _ last: Int64) -> Swift.Range<Day>? {
        guard let first = Day(daysSince1970: first) else { return nil }
        return first..<max(first, Day(daysSince1970: last)?.nextBound ?? first)
    }

    /// Whether no days bound the range.
    package var isUnbounded: Bool { range == .dated || range == .undated }

    /// The first day of a row in the order of a query for dated trips; nil if it has none.
    package func firstDay(of values: RecordQuery.SortValues) -> Day? {
        guard range != .undated, case .integer(let day)? = values.values.first?.value else { return nil }
        return Day(daysSince1970: day)
    }

    /// The query in words, for messages and to tell its cursors from others.
    package var words: String {
        let trips =
            switch range {
            case .dated: "trips with a date"
            case .undated: "trips without a date"
            case .starting(let days): "trips that start from \(days.lowerBound) until before \(days.upperBound)"
            case .overlapping(let days): "trips with a day from \(days.lowerBound) until before \(days.upperBound)"
            }
        return isReversed ? "\(trips), the last first" : trips
    }
}

extension QueriedField {
    fileprivate static let startDay = QueriedField.field(start)
    fileprivate static let endDay = QueriedField.field(end)
    fileprivate static let firstDay = QueriedField.either(start, end)

    private static let start = Trip.schema.number(of: \.startDay) ?? 0
    private static let end = Trip.schema.number(of: \.endDay) ?? 0
}

extension Range<Day> {
    fileprivate init(including days: ClosedRange<Day>) { self = days.lowerBound..<days.upperBound.nextBound }
}
