import Foundation

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
        // Clocks may be put forward between the new start and the new end: nothing ends before it starts.
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
}

extension Moment {
    /// The moment so many days later at which clocks in its zone show the same time. One that clocks show twice has the offset of this moment if
    /// it can, otherwise it is the first; one that they skip is counted from before the gap, as `init(parsing:in:)` does. Where this
    /// platform does not know the zone, a day has 24 hours.
    public func advanced(byDays days: Int) -> Moment {
        // More days than the calendar has lead beyond it all the same.
        let days = Int64(min(max(days, -4_000_000), 4_000_000))
        var moved = self
        guard let timeZone else {
            moved.milliseconds = milliseconds.addingClamped(days * 86_400_000)
            return moved
        }
        let (day, time, offset) = local(in: timeZone)
        let local = (day + days).multipliedClamped(by: 86_400_000).addingClamped(time)
        moved.milliseconds = Self.instant(atLocal: local, in: timeZone, preferring: offset)
        return moved
    }

    /// The instant at which clocks in a zone show a time, both in milliseconds since 1970. `preferred` is an offset in seconds.
    static func instant(atLocal local: Int64, in zone: TimeZone, preferring preferred: Int64? = nil) -> Int64 {
        // The platform is asked only about representable years.
        let asked = min(max(local, representable.lowerBound), representable.upperBound)
        func offset(_ milliseconds: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(milliseconds: milliseconds)))
        }
        // The two offsets around: where they differ, the earlier one is right before and within the change.
        let candidates = [offset(asked - 86_400_000), offset(asked + 86_400_000)]
            .map { ($0, local.addingClamped(-$0 * 1000)) }
        let fitting = candidates.filter { seconds, instant in
            let asked = min(max(instant, representable.lowerBound), representable.upperBound)
            return offset(asked) == seconds
        }
        let kept = preferred.flatMap { preferred in fitting.first { $0.0 == preferred } }
        return kept?.1 ?? fitting.map(\.1).min() ?? candidates[0].1
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func multipliedClamped(by other: Int64) -> Int64 {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
