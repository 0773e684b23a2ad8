import Events
import Trips

/// What the fields of an entity that replace others show once some writes are added to its record, all in one commit.
struct ShownFields {
    typealias Write = (path: FieldPath, value: [UInt8]?, seen: Stamp?)

    let fields: [EvolvedField]
    let record: EntityRecord

    /// What a field shows after the writes.
    func shown(_ field: EvolvedField, after writes: [Write]) -> (origin: UInt64, value: [UInt8]?)? {
        field.shown { number -> (order: Order, value: [UInt8]?)? in
            let path = FieldPath(field: number)
            if let write = writes.first(where: { $0.path == path }) { return (.added, write.value) }
            return record.register(at: path).map { (.held($0.stamp), $0.value) }
        }
    }

    /// Adds rewrites of the fields from which each wanted value is read, so that they are the latest. `register` returns the value that such
    /// a field is to have.
    func completing(
        _ writes: [Write], wanted: [(origin: UInt64, value: [UInt8]?)?], _ register: (UInt64) -> [UInt8]?
    ) -> [Write] {
        var writes = writes
        // A write that one field needs may change what others show.
        for _ in fields {
            for (field, wanted) in zip(fields, wanted) {
                guard let wanted else { continue }
                let shown = shown(field, after: writes)
                let origin = FieldPath(field: wanted.origin)
                guard shown?.origin != wanted.origin || shown?.value != wanted.value,
                    !writes.contains(where: { $0.path == origin })
                else { continue }
                writes.append((origin, register(wanted.origin), record.register(at: origin)?.stamp))
            }
        }
        return writes
    }

    /// The order of a write that is held, or that is added and so later than all of these.
    private enum Order: Comparable {
        case held(Stamp)
        case added
    }
}

extension ShownFields {
    /// Adds to the change that resolves a conflict those of replaced fields that it implies. If it keeps the value of a replaced field, the
    /// fields that replace that keep showing what they show.
    static func completing(
        _ change: Change, of entity: EntityReference, _ record: EntityRecord, in known: KnownSchema?
    ) -> [Change] {
        let fields = entity.evolvedFields(in: known)
        guard change.path.key.isEmpty, !fields.isEmpty else { return [change] }
        let implied = TripEvent.former(of: change.path.field, value: change.value, in: entity, known)
        var writes: [Write] = [(change.path, change.value, record.register(at: change.path)?.stamp)]
        for (number, value) in implied {
            let path = FieldPath(field: number)
            writes.append((path, value, record.register(at: path)?.stamp))
        }
        let shown = ShownFields(fields: fields, record: record)
        if entity.evolvedField(change.path.field, in: known) == nil,
            change.value == record.register(at: change.path)?.value
        {
            let wanted = fields.map { shown.shown($0, after: []) }
            writes = shown.completing(writes, wanted: wanted) { record.register(at: FieldPath(field: $0))?.value }
        }
        return writes.sorted { $0.path < $1.path }.map {
            Change(path: $0.path, value: $0.value, seen: $0.seen.map { Seen($0) })
        }
    }
}
