package import Events

/// The fields of a trip that views read: those that decide its place.
package struct TripSlice {
    private static let fields = FieldSlice(
        Trip.schema.numbers(of: \.startDay, \.endDay) + [EntitySchema.Field.isTemplate.number])

    /// The days under which it is listed: a single end stands for both, and the last is never before the first. Nil if it has neither.
    package let days: ClosedRange<Day>?
    package let isTemplate: Bool

    /// Throws `WireError` if the record cannot be read up to there.
    package init(_ record: borrowing RecordView) throws(WireError) {
        (days, isTemplate) = try Self.fields.withValues(of: record) { values in
            let (start, end) = (Day.decoded(values[0]), Day.decoded(values[1]))
            let days = (start ?? end).map { $0...max($0, end ?? $0) }
            return (days, Bool.decoded(values[2]) ?? false)
        }
    }
}
