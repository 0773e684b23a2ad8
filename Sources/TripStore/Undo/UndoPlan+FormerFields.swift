import Events
import Trips

/// Undoing writes of fields that replace others.
///
/// After an undo such a field shows what it would show without the undone commits. The undo writes the field from which that value is read,
/// even if that has the value already: the write has to be the latest again.
extension UndoPlan {
    typealias PlannedWrite = (path: FieldPath, value: [UInt8]?, seen: Stamp?)

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
        let fields = concerned(planned, subject, isSelected)
        if fields.isEmpty { return (planned, []) }
        var registers: [UInt64: (order: Stamp, value: [UInt8]?)] = [:]
        for number in fields.flatMap({ [$0.number] + $0.formerNumbers }) {
            registers[number] = subject.timeline.register(of: number, without: isSelected)
        }
        let wanted = fields.map { field in field.shown { registers[$0] } }
        var writes = planned
        for (field, wanted) in zip(fields, wanted) where wanted.map({ $0.origin != field.number }) == true {
            // Within a commit it would supersede the field from which its value is to be read.
            writes.removeAll { $0.path == FieldPath(field: field.number) }
        }
        // A write that one field needs may change what others show.
        for _ in fields {
            for (field, wanted) in zip(fields, wanted) {
                guard let wanted else { continue }
                let shown = field.shown { register(of: $0, after: writes, subject) }
                let origin = FieldPath(field: wanted.origin)
                guard shown?.origin != wanted.origin || shown?.value != wanted.value,
                    !writes.contains(where: { $0.path == origin })
                else { continue }
                let stamp = subject.record.register(at: origin)?.stamp
                writes.append((origin, registers[wanted.origin]?.value, stamp))
            }
        }
        let changes = fields.map { field in
            ShownChange(
                path: FieldPath(field: field.number), old: field.shown { register(of: $0, after: [], subject) }?.value,
                new: field.shown { register(of: $0, after: writes, subject) }?.value)
        }
        return (writes, changes)
    }

    /// The fields that read what the selected events or the plan write, and those that share replaced fields with them.
    private func concerned(
        _ planned: [PlannedWrite], _ subject: Subject, _ isSelected: (Int) -> Bool
    ) -> [EvolvedField] {
        let fields = subject.entity.evolvedFields
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

    /// The newest write to a field once the plan is written.
    private func register(
        of number: UInt64, after writes: [PlannedWrite], _ subject: Subject
    ) -> (order: PlannedOrder, value: [UInt8]?)? {
        let path = FieldPath(field: number)
        if let write = writes.first(where: { $0.path == path }) { return (.planned, write.value) }
        return subject.record.register(at: path).map { (.held($0.stamp), $0.value) }
    }
}

/// The order of a write that is held, or that is planned and so later than all of these.
private enum PlannedOrder: Comparable {
    case held(Stamp)
    case planned
}

extension EntityTimeline {
    /// The register that a field would have without the selected events: writes that were undone do not count, and a write of an undo is as
    /// old as the one that it restored.
    fileprivate func register(
        of number: UInt64, without isSelected: (Int) -> Bool
    ) -> (order: Stamp, value: [UInt8]?)? {
        guard let history = writes[FieldPath(field: number)] else { return nil }
        var end = history.endIndex
        func counts(_ write: Write) -> Bool {
            !isSelected(write.entry) && !isUndone(write.entry, before: entries.endIndex, isSelected)
        }
        while let last = history[..<end].lastIndex(where: counts) {
            var origin = last
            while counts(history[origin]), let restored = restored(by: origin, of: history[...], isSelected) {
                origin = restored
            }
            let write = history[origin]
            guard counts(write) else {
                end = origin
                continue
            }
            let isNothing = write.value == nil && UndoMark(entries[write.entry].commit.causation) != nil
            return isNothing ? nil : (entries[write.entry].stamp, write.value)
        }
        return nil
    }

    /// The write to a replaced field whose value a field shows, unless it is selected. Nil if the field shows its own value.
    func writeShownInstead(of path: FieldPath, where isSelected: (Int) -> Bool) -> Write? {
        guard path.key.isEmpty, let field = entity.evolvedField(path.field) else { return nil }
        let shown = field.shown { number in
            writes[FieldPath(field: number)]?.last.map { (order: entries[$0.entry].stamp, value: $0.value) }
        }
        guard let shown, shown.origin != path.field, let history = writes[FieldPath(field: shown.origin)],
            owner(of: history, where: isSelected) == nil
        else { return nil }
        return history.last
    }
}
