extension QueryFields where Entity == Trip {
    /// The days of a trip, of which a condition asks whether they overlap others. A single day stands for both ends.
    public var days: QuerySpan<Trip, Day> { QuerySpan(Self.field(\Trip.startDay), Self.field(\Trip.endDay)) }
}

extension QueryFields where Entity: ItemEntity {
    /// From the start of an item to its end.
    public var time: QuerySpan<Entity, Moment> {
        // All kinds of items have the same numbers.
        QuerySpan(QueryFields<Activity>.field(\.start), QueryFields<Activity>.field(\.end))
    }
}

/// A start and an end in a condition.
public struct QuerySpan<Entity: TripEntity, Value: OwnFieldValue> {
    private let first: QueriedField
    private let last: QueriedField

    init(_ first: QueriedField, _ last: QueriedField) { (self.first, self.last) = (first, last) }

    /// Has something in common with a range that includes both of its ends.
    public func overlap(_ first: Value, _ last: Value) -> Condition<Entity> {
        Condition(.overlaps(self.first, self.last, first.orderedOwn, last.orderedOwn))
    }
}

extension QuerySpan where Value: Comparable {
    public func overlap(_ range: ClosedRange<Value>) -> Condition<Entity> {
        overlap(range.lowerBound, range.upperBound)
    }
}
