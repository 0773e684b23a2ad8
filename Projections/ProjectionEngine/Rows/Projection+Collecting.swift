import EventLog
import Events

extension Projection {
    /// Adds the rows of an entity, and finds fault with what cannot be kept.
    @inline(__always)
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
    @inline(__always)
    func collect(_ event: EventView, at place: EventPlace, into sink: inout RowSink) throws(ProjectionFault) {
        rows(of: event, at: place, into: &sink)
        try check(sink, event.entity)
    }

    @inline(__always)
    private func check(_ sink: RowSink, _ entity: EntityReference) throws(ProjectionFault) {
        if sink.objection == nil, !(sink.hasUniqueRows && sink.hasContributions), sink.isEmpty || isRightKind(sink) {
            return
        }
        throw ProjectionFault(view: name, entity: entity, reason: objection(to: sink))
    }

    private func isRightKind(_ sink: RowSink) -> Bool {
        rowKind == .unique ? !sink.hasContributions : !sink.hasUniqueRows
    }

    private func objection(to sink: RowSink) -> String {
        switch sink.objection {
        case .keySize(let size): "a key has \(size) bytes, and keys have 1 to \(RowSink.keySizeLimit)"
        case .valueSize(let size): "a value has \(size) bytes, and values have at most \(UInt32.max)"
        case .partSize(let size):
            "a part's name has \(size) bytes, and names have at most \(AccumulatedParts.nameLimit)"
        case nil where rowKind == .unique: "it adds to a row, and its rows are said to be unique"
        case nil: "it puts a row, and its rows are said to accumulate"
        }
    }
}
