import Events
import Trips

/// Undoing writes of fields that replace others.
///
/// After an undo such a field shows what it would show without the undone commits. The undo writes the field from which that value is read,
/// even if that has the value already: the write has to be the latest again.
extension UndoPlan {
    typealias PlannedWrite = ShownFields.Write

    /// What a field shows before and after the undo.
    struct ShownChange {
        let path: FieldPath
        let old: [UInt8]?
        let new: [UInt8]?
    }

    /// Completes the planned writes of an entity, and returns what its fields that replace others show before and after them.
    func showingOthers(
        _ planned: [PlannedWrite], _ subject: Subject, _ isSelected: (Int) -> Bool
    ) -> (writes: [PlannedWrite], shown: [ShownChange]) {
        guard let evolved = subject.evolved else { return (planned, []) }
        let fields = concerned(planned, subject, isSelected)
        if fields.isEmpty { return (planned, []) }
        let registers = evolved.registers(without: isSelected)
        let wanted = fields.map { field in field.shown { registers[$0] } }
        var writes = planned
        for (field, wanted) in zip(fields, wanted) where wanted.map({ $0.origin != field.number }) == true {
            // Within a commit it would supersede the field from which its value is to be read.
            writes.removeAll { $0.path == FieldPath(field: field.number) }
        }
        let shown = ShownFields(fields: fields, record: subject.record)
        writes = shown.completing(writes, wanted: wanted) { registers[$0]?.value }
        let changes = fields.map { field in
            ShownChange(
                path: FieldPath(field: field.number), old: shown.shown(field, after: [])?.value,
                new: shown.shown(field, after: writes)?.value)
        }
        return (writes, changes)
    }

    /// The fields that read what the selected events or the plan write, and those that share replaced fields with them.
    private func concerned(
        _ planned: [PlannedWrite], _ subject: Subject, _ isSelected: (Int) -> Bool
    ) -> [EvolvedField] {
        let fields = subject.entity.evolvedFields(in: subject.timeline.known)
        if fields.isEmpty { return [] }
        var numbers = Set(planned.lazy.filter { $0.path.key.isEmpty }.map(\.path.field))
        for (path, writes) in subject.timeline.writes
        where path.key.isEmpty && writes.contains(where: { isSelected($0.entry) }) { numbers.insert(path.field) }
        var concerned = Set<UInt64>()
        for _ in fields {
            for field in fields where !numbers.isDisjoint(with: [field.number] + field.formerNumbers) {
                concerned.insert(field.number)
                numbers.formUnion([field.number] + field.formerNumbers)
            }
        }
        return fields.filter { concerned.contains($0.number) }
    }
}

extension EntityTimeline {
    /// The write to a replaced field whose value a field shows, unless it is selected. Nil if the field shows its own value.
    func writeShownInstead(
        of path: FieldPath, _ evolved: EvolvedHistory?, where isSelected: (Int) -> Bool
    ) -> Write? {
        guard path.key.isEmpty, let field = entity.evolvedField(path.field, in: known) else { return nil }
        let shown = field.shown { number in
            writes[FieldPath(field: number)]?.last.map { (order: entries[$0.entry].stamp, value: $0.value) }
        }
        guard let shown, shown.origin != path.field,
            owner(of: FieldPath(field: shown.origin), evolved, where: isSelected) == nil
        else { return nil }
        return writes[FieldPath(field: shown.origin)]?.last
    }
}
