import Events

extension TripEntity {
    /// An entity with another id and the same fields, those of apps included. What this version does not know of a value's parts is copied too.
    package func copied(as id: ID) -> Self {
        var copy = Self(id: id)
        for field in Self.schema.erased.ordered {
            if let value = encoded(field.number) { copy.decode(field.number, value) }
        }
        copy.own = own
        return copy
    }

    /// Puts every day and every moment of the schema so many days later, each at the local time that it has. Days and moments in apps' fields
    /// stay: the store does not know what they mean.
    package mutating func shift(byDays days: Int) {
        let schema = Self.schema.erased
        let lengths = schema.spans.map { milliseconds(of: $0) }
        for field in schema.ordered {
            guard let value = encoded(field.number) else { continue }
            if field.type is Day.Type, let day = Day.decoded(value) {
                decode(field.number, day.advanced(by: days).encodedValue)
            } else if field.type is Moment.Type, let moment = Moment.decoded(value) {
                decode(field.number, moment.advanced(byDays: days).encodedValue)
            }
        }
        // Clocks may be put forward between the new start and the new end: an item does not end before it starts.
        for (span, length) in zip(schema.spans, lengths) {
            guard let length, length >= 0, let start = encoded(span.start).flatMap({ Moment.decoded($0) }),
                var end = encoded(span.end).flatMap({ Moment.decoded($0) }), end.milliseconds < start.milliseconds
            else { continue }
            end.milliseconds = start.milliseconds + length
            decode(span.end, end.encodedValue)
        }
    }

    /// The milliseconds from the start to the end; nil for days, and where one of them is open.
    private func milliseconds(of span: EntitySchema.Span) -> Int64? {
        guard Self.schema.erased.field(span.start)?.type is Moment.Type, let start = encoded(span.start),
            let end = encoded(span.end), let first = Moment.decoded(start), let last = Moment.decoded(end)
        else { return nil }
        return last.milliseconds.subtractingReportingOverflow(first.milliseconds).partialValue
    }

    /// The first day that it names: of moments the local one.
    package var firstDay: Day? {
        Self.schema.erased.ordered.compactMap { field in
            guard let value = encoded(field.number) else { return nil }
            if field.type is Day.Type { return Day.decoded(value) }
            return field.type is Moment.Type ? Moment.decoded(value)?.localDay : nil
        }.min()
    }
}
