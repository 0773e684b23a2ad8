package import Events

/// The fields of an item that views read: those that decide its days and count in sums, each as the item itself has it, decoded on access.
package struct ItemSlice {
    /// In the order of their numbers, which all kinds of items share.
    private enum Part: Int {
        case trip, start, end, cost, paid, stage, startDay, endDay, paidAmount, checkIn, checkOut
    }

    private static let fields = FieldSlice(
        Activity.schema.numbers(
            of: \.trip, \.start, \.end, \.cost, \.paid, \.stage, \.startDay, \.endDay, \.paidAmount)
            + Lodging.schema.numbers(of: \.checkIn, \.checkOut))

    private let values: FieldSlice.Values

    private subscript(part: Part) -> UnsafeRawBufferPointer? { values[part.rawValue] }

    /// Calls `body` with that of a record; it is not to be used beyond the call. Throws `WireError` if the record cannot be read up to there.
    package static func read(_ record: borrowing RecordView, _ body: (ItemSlice) -> Void) throws(WireError) {
        try fields.withValues(of: record) { body(ItemSlice(values: $0)) }
    }

    /// The bytes of the trip's id; nil if there is none.
    package var tripBytes: UnsafeRawBufferPointer? {
        self[.trip].flatMap { EntityReference.idBytes(in: $0, of: .trip) }
    }

    /// The days in UTC from the first instant to the last, those of the check-in and the check-out where a stay has no other; whole days as
    /// they are. Nil for an item without any time or day, and for most items: those with a start that end by the day after it in UTC are found by
    /// their start alone.
    package var spanBeyondStart: ClosedRange<Day>? {
        let start = day(.start)
        // Fast path: most items have a start and an end that are near each other.
        let end = day(.end) ?? Day.decoded(self[.endDay]) ?? day(.checkOut)
        if let start { return end.flatMap { $0 > start.advanced(by: 1) ? start...$0 : nil } }
        let first = Day.decoded(self[.startDay]) ?? day(.checkIn)
        guard let one = first ?? end else { return nil }
        return one...max(one, end ?? one)
    }

    /// The day of a moment in UTC.
    private func day(_ part: Part) -> Day? { Moment.milliseconds(self[part]).map(Day.init(inUTC:)) }

    /// The value that sums count.
    private var countedValue: UnsafeRawBufferPointer? {
        // Most have the default.
        guard self[.stage] != nil, let stage = PlanningStage.decoded(self[.stage]) else { return self[.cost] }
        return stage.countsCost(PaidStatus.decoded(self[.paid]) ?? .none) ? self[.cost] : self[.paidAmount]
    }

    package var countedCost: Money? { Money.decoded(countedValue) }

    /// The amount that sums count, in minor units, and the currency code as plain bytes; nil if it has no cost, or if these bytes do
    /// not say everything: then use `countedCost`.
    package var plainCountedCost: (minorUnits: Int64, currency: UnsafeRawBufferPointer)? {
        guard let value = countedValue, !value.isEmpty, let cost = Money.parts(of: value) else { return nil }
        // Other text may have to be repaired.
        return cost.currency.isASCII ? cost : nil
    }
}

extension TripItem {
    /// When it starts for its place among the items of its trip: milliseconds since 1970; nil without a time and a first day.
    package var filedStart: Int64? { PlaceSlice.start(self.start?.milliseconds, self.startDay) }
}

extension Day {
    /// The day of an instant in UTC, clamped to the years 1 to 9999.
    fileprivate init(inUTC milliseconds: Int64) {
        self = Day.first.advanced(
            by: Int(milliseconds.flooredDivision(by: 86_400_000).quotient) - Day.first.daysSince1970)
    }
}

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
