import EventLog
import Events
import Trips

extension UndoPlan {
    /// Plans to revert the selected edits, deletions and restorations of an entity.
    mutating func undoEdits(
        _ subject: Subject, _ isSelected: (Int) -> Bool, _ auditor: inout Auditor
    ) throws {
        var fate: Verb?
        var writes: [PlannedWrite] = []
        let counters = subject.timeline.counters()
        let corrections = self.corrections(counters, subject, isSelected)
        for correction in corrections where subject.timeline.current(at: correction.path) != correction.value {
            writes.append((correction.path, correction.value, subject.record.register(at: correction.path)?.stamp))
        }
        let corrected = Set(corrections.map(\.path))
        for (path, history) in subject.timeline.writes.sorted(by: { $0.key < $1.key }) {
            guard history.contains(where: { isSelected($0.entry) }), let current = history.last else { continue }
            if path.element?.kind == .share {
                // What another branch of a forked line added does not count.
                let counts = counters[path.field]?.additions ?? [:]
                let isCounted = { (write: EntityTimeline.Write) in
                    counts.keys.contains(subject.timeline.entries[write.entry].stamp.hash)
                }
                if history.contains(where: { isSelected($0.entry) && !isCounted($0) }) {
                    keep(subject, path, .changedSince(subject.timeline.entries[current.entry].commit))
                }
                continue
            }
            if corrected.contains(path) { continue }
            // The rank of an element that is taken out stays, also if a rebalancing wrote it.
            if subject.timeline.isRebalancing(current.entry), isSelected(history[0].entry) { continue }
            guard let own = subject.timeline.owner(of: path, subject.evolved, where: isSelected) else {
                let commit = subject.timeline.entries[current.entry].commit
                let undoesAsWell = subject.timeline.undoesAsWell(current, history, where: isSelected)
                keep(subject, path, undoesAsWell ? .undoneElsewhere(commit) : .changedSince(commit))
                continue
            }
            if let shown = subject.timeline.writeShownInstead(of: path, subject.evolved, where: isSelected) {
                keep(subject, path, .changedSince(subject.timeline.entries[shown.entry].commit))
                continue
            }
            let before = history[..<own].last { !isSelected($0.entry) }
            if let before, before.value == current.value,
                subject.timeline.undoesAsWell(before, history, where: isSelected)
            {
                keep(subject, path, .undoneElsewhere(subject.timeline.entries[before.entry].commit))
                continue
            }
            let previous = before?.value
            if path == .deletion {
                let isForm = forms.all.contains(subject.entity)
                // A form that came later stays deleted, as does one that is unknown here, which a concurrent change may have created.
                let isLater = isForm && (subject.timeline.creation.map { $0 > history[own].entry } ?? true)
                if !isLater, (previous != nil) != subject.record.isDeleted {
                    fate = previous == nil ? .restored : .deleted
                } else if isForm, (isLater ? current.value : previous) != nil {
                    // From now on the deletion is that of this undo.
                    events.append(
                        Event(
                            verb: .deleted, entity: subject.entity,
                            seen: Seen(subject.timeline.entries[current.entry].stamp)))
                }
            } else if previous != current.value, previous != nil || path.element?.kind != .rank {
                // Without a rank an element would go to the begin of its list, if another has put something in its place.
                writes.append((path, previous, subject.timeline.entries[current.entry].stamp))
            }
        }
        let (shownWrites, shown) = showingOthers(writes, subject, isSelected)
        writes = shownWrites.sorted { $0.path < $1.path }
        let values = writes.map { ($0.path, $0.value) }
        if fate != .deleted, fate != nil || !writes.isEmpty, let parent = try missingParent(subject, values, &auditor) {
            let reason = KeptChange.Reason.parentMissing(parent)
            if fate != nil { keep(subject, .deletion, reason) }
            for write in writes { keep(subject, write.path, reason) }
            return
        }
        if let fate {
            isThere[subject.entity] = fate == .restored
            if fate == .deleted {
                // Provisional, as for creations.
                leaving.insert(subject.entity)
                goings.append(Going(subject: subject, isCreation: false))
            } else {
                append(fate, subject)
            }
        }
        guard !writes.isEmpty else { return }
        if fate == .deleted || (fate == nil && subject.record.isDeleted) {
            for write in writes { keep(subject, write.path, .deleted) }
        } else if let fault = fault(subject, values) {
            for write in writes { keep(subject, write.path, .invalid(fault)) }
        } else {
            if values.contains(where: { $0.0 == FieldPath.parent }) { leaving.insert(subject.entity) }
            edit(subject, writes, shown)
        }
    }

    /// What has to stand at the corrections of counters for the selected additions to be taken back, by path. What is not known stays.
    private mutating func corrections(
        _ counters: [UInt64: CounterHistory], _ subject: Subject, _ isSelected: (Int) -> Bool
    ) -> [(path: FieldPath, value: [UInt8])] {
        var corrections: [(path: FieldPath, value: [UInt8])] = []
        for (field, counter) in counters {
            for (hash, count) in counter.additions {
                guard let entry = counter.entries[hash], isSelected(entry), count != 0 else { continue }
                let path = CounterHistory.correction(of: hash, in: field)
                if let count {
                    corrections.append((path, CounterShare.bytes(0 &- count)))
                } else {
                    keep(subject, path, .changedSince(subject.timeline.entries[entry].commit))
                }
            }
        }
        return corrections.sorted { $0.path < $1.path }
    }

    private mutating func edit(_ subject: Subject, _ writes: [PlannedWrite], _ shown: [ShownChange]) {
        let entity = subject.entity
        events.append(
            Event(
                verb: .edited, entity: entity,
                changes: writes.map { Change(path: $0.path, value: $0.value, seen: $0.seen.map { Seen($0) }) }))
        let written = writes.filter { write in !shown.contains { $0.path == write.path } }.map {
            ShownChange(path: $0.path, old: subject.timeline.current(at: $0.path), new: $0.value)
        }
        // A value that is only written again is no change.
        for change in (written + shown).sorted(by: { $0.path < $1.path }) where change.old != change.new {
            changes.append(
                UndoneChange(
                    entity: entity, name: subject.name, verb: .edited,
                    old: subject.timeline.rendering(change.path, change.old),
                    new: subject.timeline.rendering(change.path, change.new)))
        }
    }

    /// The fault that the entity would have, in words.
    private func fault(_ subject: Subject, _ writes: [(FieldPath, [UInt8]?)]) -> String? {
        let event = Event(
            verb: .edited, entity: subject.entity, changes: writes.map { Change(path: $0.0, value: $0.1) })
        let fault = EventRules.fault(of: event, by: .undoing, in: subject.timeline.known) {
            subject.record.register(at: FieldPath(field: $0))?.value
        }
        return fault.map { "\($0)" }
    }
}
