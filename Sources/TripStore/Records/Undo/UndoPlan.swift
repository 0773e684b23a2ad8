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
    var goings: [Going] = []
    /// What the plan deletes or assigns to another parent.
    var leaving: Set<EntityReference> = []
    /// The forms of entities whose kinds the selected events changed.
    private(set) var forms = SelectedForms()

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
    struct Going {
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

    // MARK: Recording

    mutating func append(_ verb: Verb, _ subject: Subject) {
        events.append(
            Event(
                verb: verb, entity: subject.entity,
                seen: (subject.record.register(at: .deletion)?.stamp).map { Seen($0) }))
        changes.append(UndoneChange(entity: subject.entity, name: subject.name, verb: verb, old: nil, new: nil))
    }

    mutating func keep(_ subject: Subject, _ path: FieldPath?, _ reason: KeptChange.Reason) {
        let field = path.map { $0 == .deletion ? "deleted" : subject.timeline.rendering($0, nil).name }
        kept.append(KeptChange(entity: subject.entity, name: subject.name, field: field, reason: reason))
    }
}
