import Events

/// The one of a start and an end that an edit writes alone: it must be in order with the other as it is.
package struct HalfOfSpan: Sendable, Equatable {
    private let kind: EntityKind
    /// The number of the field that is written.
    package let written: UInt64
    /// The number of the other.
    package let other: UInt64
    private let writesStart: Bool

    /// Of a start and an end, the one to which an event gives a value without writing the other; nil if there is none. Events with several
    /// take the full check.
    package init?(_ event: TripEvent) {
        // Kinds of apps have no start and end that are checked together.
        guard let spans = EntitySchema.of(event.entity.kind)?.spans else { return nil }
        for span in spans {
            let start = event.writes.first { $0.field == span.start }
            let end = event.writes.first { $0.field == span.end }
            guard (start == nil) != (end == nil), let written = start ?? end, written.value != nil else { continue }
            kind = event.entity.kind
            self.written = written.field
            writesStart = written.field == span.start
            other = writesStart ? span.end : span.start
            return
        }
        return nil
    }

    /// Fast path: whether a value for the one is certainly in order with the held value of the other.
    package func isInOrderOnFastPath(_ value: UnsafeRawBufferPointer, with held: UnsafeRawBufferPointer) -> Bool {
        // An empty value counts as none.
        if held.isEmpty { return true }
        // The held value may be invalid; then the full rules decide.
        guard let schema = EntitySchema.of(kind), let heldOrder = schema.rules(other)?.fastCheck(held)?.order,
            let order = schema.rules(written)?.fastCheck(value)?.order
        else { return false }
        return writesStart ? order <= heldOrder : heldOrder <= order
    }
}
