import EventLog
import Events

extension Projection {
    /// Adds the rows of an entity, and throws for invalid ones. `isAccumulating` is the view's kind, passed in so that
    /// it is not read for each row.
    @inline(__always)
    func collect(
        _ entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink, isAccumulating: Bool
    ) throws(ProjectionFault) {
        sink.beginCall()
        do {
            try rows(of: entity, record, into: &sink)
        } catch {
            throw ProjectionFault(view: name, entity: entity, reason: "\(error)")
        }
        guard sink.isFaultless(isAccumulating) else { throw fault(of: sink, entity) }
    }

    /// Adds the rows of an event, likewise.
    @inline(__always)
    func collect(
        _ event: borrowing EventView, at position: EventPosition, into sink: inout RowSink, isAccumulating: Bool
    ) throws(ProjectionFault) {
        sink.beginCall()
        rows(of: event, at: position, into: &sink)
        guard sink.isFaultless(isAccumulating) else { throw fault(of: sink, event.entity) }
    }

    @inline(never)
    private func fault(of sink: RowSink, _ entity: EntityReference) -> ProjectionFault {
        ProjectionFault(view: name, entity: entity, reason: objection(to: sink))
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

extension RowSink {
    /// Whether the rows are valid for a view that accumulates or not.
    @inline(__always)
    fileprivate func isFaultless(_ isAccumulating: Bool) -> Bool {
        objection == nil && !(isAccumulating ? hasUniqueRows : hasContributions)
    }
}
