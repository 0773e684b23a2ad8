import EventLog
import Events

extension Projection {
    /// The most bytes that a key may have.
    static var keySizeLimit: Int { 511 }

    /// Adds the rows of an entity, and finds fault with what cannot be kept.
    func collect(
        _ entity: EntityReference, _ record: RecordView, into sink: inout RowSink
    ) throws(ProjectionFault) {
        do {
            try rows(of: entity, record, into: &sink)
        } catch {
            throw ProjectionFault(view: name, entity: entity, reason: "\(error)")
        }
        try check(sink, entity)
    }

    /// Adds the rows of an event, likewise.
    func collect(_ event: EventView, at place: EventPlace, into sink: inout RowSink) throws(ProjectionFault) {
        rows(of: event, at: place, into: &sink)
        try check(sink, event.entity)
    }

    private func check(_ sink: RowSink, _ entity: EntityReference) throws(ProjectionFault) {
        switch rowKind {
        case .unique where !sink.contributions.isEmpty:
            throw ProjectionFault(
                view: name, entity: entity, reason: "it adds to a row, and its rows are said to be unique")
        case .accumulating where !sink.unique.isEmpty:
            throw ProjectionFault(
                view: name, entity: entity, reason: "it puts a row, and its rows are said to accumulate")
        default: break
        }
        for row in sink.unique { try check(row.key, entity) }
        for row in sink.contributions { try check(row.key, entity) }
    }

    private func check(_ key: [UInt8], _ entity: EntityReference) throws(ProjectionFault) {
        guard key.isEmpty || key.count > Self.keySizeLimit else { return }
        throw ProjectionFault(
            view: name, entity: entity,
            reason: "a key has \(key.count) bytes, and keys have 1 to \(Self.keySizeLimit)")
    }
}
