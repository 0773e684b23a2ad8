import EventLog
import Events
import Foundation
import Trips

/// The events that revert the selected events in the current state of the store; planned again if the state changes
/// meanwhile.
struct UndoPlan {
    let selection: UndoSelection
    var events: [Event] = []
    var changes: [UndoneChange] = []
    var kept: [KeptChange] = []
    /// The entities that the plan is based on, with their versions.
    var expected: [EntityReference: EntityVersion] = [:]
    /// The current children of each entity that is to be deleted, all of which are removed as well.
    private(set) var emptied: [EntityReference: Set<EntityReference>] = [:]
    /// The parents of entities whose edits or restorations were planned, before or after: the plan depends on their
    /// presence.
    var parents: [EntityReference: EntityReference] = [:]
    /// Those that the plan leaves without a parent.
    var orphans: Set<EntityReference> = []
    /// Whether parents exist after the plan: those that the plan itself deletes or restores.
    var isThere: [EntityReference: Bool] = [:]
    private var goings: [Going] = []
    /// What the plan deletes or assigns to another parent.
    var leaving: Set<EntityReference> = []
    /// The forms of entities whose kinds the selected events changed.
    private var forms = SelectedForms()

    init(_ selection: UndoSelection, _ auditor: inout Auditor) throws {
        self.selection = selection
        forms = try SelectedForms(selection, &auditor)
        var levels: [EntityReference: Int] = [:]
        for entity in selection.events.keys { levels[entity] = try Self.level(of: entity, [:], [], &auditor) }
        let entities = levels.sorted { ($0.value, $0.key.id, $0.key.kind) < ($1.value, $1.key.id, $1.key.kind) }
        // Parents must be restored before their children, and can be deleted only after them.
        for entity in entities { try plan(entity.key, &auditor) }
        try keepRings(&auditor)
        for going in goings.reversed() { try settle(going, &auditor) }
        for child in Set(parents.keys).union(orphans) {
            levels[child] = try Self.level(of: child, parents, orphans, &auditor)
        }
        let places = events.enumerated().map { place, event in
            let level = levels[event.entity] ?? 0
            return event.verb == .deleted ? (1, -level, place) : (0, level, place)
        }
        events = places.sorted(by: <).map { [events] in events[$0.2] }
    }

    /// Plans the events of an entity; one that is to be deleted is added to `goings`.
    private mutating func plan(_ entity: EntityReference, _ auditor: inout Auditor) throws {
        let timeline = try auditor.timeline(of: entity)
        let record = timeline.record(asOf: .position(Position(.max)))
        let selected = selection.events[entity] ?? []
        let isSelected = { (place: Int) in
            let entry = timeline.entries[place]
            return selected.contains(UndoSelection.EventID(hash: entry.stamp.hash, index: entry.index))
        }
        let subject = Subject(
            entity: entity, name: Auditor.name(of: timeline), timeline: timeline, record: record,
            evolved: EvolvedHistory(timeline))
        expected[entity] = record.version
        if let newer = forms.inUse[entity] { return keep(subject, nil, .inUse(newer)) }
        let created = timeline.entries.indices.filter { timeline.entries[$0].event.verb == .created }
        if !created.isEmpty, created.allSatisfy(isSelected) {
            undoCreation(subject, isSelected)
        } else {
            try undoEdits(subject, isSelected, &auditor)
        }
    }

    /// What is to be deleted: whether it stays is seen when all else is planned, that below it first.
    private struct Going {
        let subject: Subject
        let isCreation: Bool
    }

    struct Subject {
        let entity: EntityReference
        let name: String
        let timeline: EntityTimeline
        let record: EntityRecord
        /// Of an entity whose kind has fields that replace others.
        let evolved: EvolvedHistory?
    }

    // MARK: Creations

    private mutating func undoCreation(_ subject: Subject, _ isSelected: (Int) -> Bool) {
        guard !subject.record.isDeleted else { return keep(subject, nil, .deleted) }
        if let other = subject.timeline.contribution(besides: isSelected, subject.evolved) {
            return keep(subject, nil, .inUse(other))
        }
        // Provisional: the children decide.
        isThere[subject.entity] = false
        leaving.insert(subject.entity)
        goings.append(Going(subject: subject, isCreation: true))
    }

    /// Deletes an entity, if nothing is left in it that prevents that: anything, where its creation is undone; otherwise what denies it.
    private mutating func settle(_ going: Going, _ auditor: inout Auditor) throws {
        let (subject, entity) = (going.subject, going.subject.entity)
        let children =
            going.isCreation || auditor.known.declared.mayDeny ? try auditor.views.children(of: entity) : []
        let others = children.filter {
            !leaving.contains($0) && (going.isCreation || $0.parentRule(in: auditor.known) == .deny)
        }
        guard others.isEmpty else {
            isThere[entity] = true
            leaving.remove(entity)
            return keep(subject, going.isCreation ? nil : .deletion, .hasChildren(others.count))
        }
        // What is put into others at the same moment is hidden with them: looking for it takes the time of all that the views lack.
        if going.isCreation, entity.kind.isOnlyParent { emptied[entity] = Set(children) }
        append(.deleted, subject)
    }

    // MARK: Edits, deletions and restorations

    private mutating func undoEdits(
        _ subject: Subject, _ isSelected: (Int) -> Bool, _ auditor: inout Auditor
    ) throws {
        var fate: Verb?
        var writes: [PlannedWrite] = []
        let counters = subject.timeline.counters()
        let corrections = self.corrections(counters, subject, isSelected)
        for correction in corrections where subject.timeline.current(at: correction.path) != correction.value {
            writes.append(
                (correction.path, correction.value, subject.record.register(at: correction.path)?.stamp))
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
            if values.contains(where: { $0.0 == FieldPath.parent }) {
                leaving.insert(subject.entity)
            }
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

    // MARK: Recording

    private mutating func append(_ verb: Verb, _ subject: Subject) {
        events.append(
            Event(
                verb: verb, entity: subject.entity,
                seen: (subject.record.register(at: .deletion)?.stamp).map { Seen($0) }))
        changes.append(UndoneChange(entity: subject.entity, name: subject.name, verb: verb, old: nil, new: nil))
    }

    private mutating func keep(_ subject: Subject, _ path: FieldPath?, _ reason: KeptChange.Reason) {
        let field = path.map { path in
            path == .deletion
                ? "deleted" : subject.timeline.rendering(path, nil).name
        }
        kept.append(KeptChange(entity: subject.entity, name: subject.name, field: field, reason: reason))
    }
}
