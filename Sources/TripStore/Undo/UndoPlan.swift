import EventLog
import Events
import Foundation
import ProjectionEngine
import TripProjections
import Trips

/// The events that revert the selected events in the current state of the store; planned again if the state changes
/// meanwhile.
struct UndoPlan {
    let selection: UndoSelection
    private(set) var events: [Event] = []
    private(set) var changes: [UndoneChange] = []
    private(set) var kept: [KeptChange] = []
    /// The entities that the plan is based on, with their versions.
    private(set) var expected: [EntityReference: EntityVersion] = [:]
    /// The current items of each trip that is to be deleted, all of which are removed as well.
    private(set) var emptied: [Trip.ID: Set<EntityReference>] = [:]
    /// The trips of items whose edits or restorations were planned, before or after: the plan depends on their
    /// presence.
    private(set) var tripsOfItems: [EntityReference: EntityReference] = [:]
    /// Whether trips exist after the plan: those that the plan itself deletes or restores.
    private var tripsThere: [Trip.ID: Bool] = [:]
    /// The items that the plan deletes or assigns to another trip.
    private var leaving: Set<EntityReference> = []

    init(_ selection: UndoSelection, _ auditor: inout Auditor) throws {
        self.selection = selection
        let entities = selection.events.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        // Trips must be restored before their items, and can be deleted only after them.
        var creations: [Subject] = []
        for entity in entities where entity.kind == .trip { try plan(entity, &creations, &auditor) }
        let ofTrips = events
        events = []
        var others: [Subject] = []
        for entity in entities where entity.kind != .trip { try plan(entity, &others, &auditor) }
        for item in others { append(.deleted, item) }
        for trip in creations { try undoCreation(ofTrip: trip, &auditor) }
        events =
            ofTrips.filter { $0.verb != .deleted } + events.filter { $0.entity.kind != .trip }
            + (ofTrips + events).filter { $0.entity.kind == .trip && $0.verb == .deleted }
    }

    /// Plans the events of an entity; one that is to be deleted, because its creation is undone, is added to
    /// `creations`.
    private mutating func plan(
        _ entity: EntityReference, _ creations: inout [Subject], _ auditor: inout Auditor
    ) throws {
        let timeline = try auditor.timeline(of: entity)
        let record = timeline.record(asOf: .position(Position(.max)))
        let selected = selection.events[entity] ?? []
        let isSelected = { (place: Int) in
            let entry = timeline.entries[place]
            return selected.contains(UndoSelection.EventID(hash: entry.stamp.hash, index: entry.index))
        }
        let subject = Subject(entity: entity, name: Auditor.name(of: timeline), timeline: timeline, record: record)
        expected[entity] = record.version
        let created = timeline.entries.indices.filter { timeline.entries[$0].event.verb == .created }
        if !created.isEmpty, created.allSatisfy(isSelected) {
            undoCreation(subject, isSelected, &creations)
        } else {
            try undoEdits(subject, isSelected, &auditor)
        }
    }

    private struct Subject {
        let entity: EntityReference
        let name: String
        let timeline: EntityTimeline
        let record: EntityRecord
    }

    // MARK: Creations

    private mutating func undoCreation(
        _ subject: Subject, _ isSelected: (Int) -> Bool, _ creations: inout [Subject]
    ) {
        guard !subject.record.isDeleted else { return keep(subject, nil, .deleted) }
        if let other = subject.timeline.contribution(besides: isSelected) {
            return keep(subject, nil, .inUse(other))
        }
        // Provisional: the items decide.
        if let trip = Trip.ID(subject.entity) { tripsThere[trip] = false } else { leaving.insert(subject.entity) }
        creations.append(subject)
    }

    /// Deletes a trip whose creation is undone, if nothing is left in it.
    private mutating func undoCreation(ofTrip subject: Subject, _ auditor: inout Auditor) throws {
        guard let trip = Trip.ID(subject.entity) else { return }
        let items = try ItemsByTrip.items(of: trip, in: auditor.views)
        let others = items.filter { !leaving.contains($0) }
        guard others.isEmpty else {
            tripsThere[trip] = true
            return keep(subject, nil, .hasItems(others.count))
        }
        emptied[trip] = Set(items)
        append(.deleted, subject)
    }

    // MARK: Edits, deletions and restorations

    private mutating func undoEdits(
        _ subject: Subject, _ isSelected: (Int) -> Bool, _ auditor: inout Auditor
    ) throws {
        var fate: Verb?
        var writes: [(path: FieldPath, value: [UInt8]?, seen: Stamp?)] = []
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
            guard let own = subject.timeline.owner(of: history, where: isSelected) else {
                keep(subject, path, .changedSince(subject.timeline.entries[current.entry].commit))
                continue
            }
            let previous = history[..<own].last { !isSelected($0.entry) }?.value
            if path == .deletion {
                if (previous != nil) != subject.record.isDeleted { fate = previous == nil ? .restored : .deleted }
            } else if previous != current.value, previous != nil || path.element?.kind != .rank {
                // Without a rank an element would go to the begin of its list, if another has put something in its place.
                writes.append((path, previous, subject.timeline.entries[current.entry].stamp))
            }
        }
        writes.sort { $0.path < $1.path }
        let values = writes.map { ($0.path, $0.value) }
        if fate != .deleted, fate != nil || !writes.isEmpty, let trip = try missingTrip(subject, values, &auditor) {
            if fate != nil { keep(subject, .deletion, .tripMissing(trip)) }
            for write in writes { keep(subject, write.path, .tripMissing(trip)) }
            return
        }
        if let fate {
            if let trip = Trip.ID(subject.entity) { tripsThere[trip] = fate == .restored }
            if fate == .deleted { leaving.insert(subject.entity) }
            append(fate, subject)
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
            edit(subject, writes)
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

    private mutating func edit(_ subject: Subject, _ writes: [(path: FieldPath, value: [UInt8]?, seen: Stamp?)]) {
        let entity = subject.entity
        events.append(
            Event(
                verb: .edited, entity: entity,
                changes: writes.map { Change(path: $0.path, value: $0.value, seen: $0.seen.map { Seen($0) }) }))
        for write in writes {
            changes.append(
                UndoneChange(
                    entity: entity, name: subject.name, verb: .edited,
                    old: FieldRendering(kind: entity.kind, write.path, value: subject.timeline.current(at: write.path)),
                    new: FieldRendering(kind: entity.kind, write.path, value: write.value)))
        }
    }

    /// The trip that an item would be in, if it prevents writing the item.
    private mutating func missingTrip(
        _ subject: Subject, _ writes: [(FieldPath, [UInt8]?)], _ auditor: inout Auditor
    ) throws -> Trip.ID? {
        guard EntityKind.itemKinds.contains(subject.entity.kind) else { return nil }
        let path = FieldPath.parent
        let written = writes.first { $0.0 == path }
        guard let value = written.map(\.1) ?? subject.timeline.current(at: path),
            let trip = EventRules.reference(toTrip: value).flatMap({ Trip.ID($0) })
        else { return nil }
        tripsOfItems[subject.entity] = trip.reference
        let record = try auditor.timeline(of: trip.reference).record(asOf: .position(Position(.max)))
        var state = EventRules.Presence(record)
        if let isThere = tripsThere[trip] {
            state.isDeleted = !isThere
        } else {
            expected[trip.reference] = record.version
        }
        do throws(TripStoreError) {
            try EventRules.check(
                trip.reference, isWritten: written != nil, by: .edited, of: subject.entity, on: state)
            return nil
        } catch { return trip }
    }

    /// The fault that the entity would have, in words.
    private func fault(_ subject: Subject, _ writes: [(FieldPath, [UInt8]?)]) -> String? {
        let event = Event(
            verb: .edited, entity: subject.entity, changes: writes.map { Change(path: $0.0, value: $0.1) })
        return EventRules.fault(of: event, by: .undoing) { subject.record.register(at: FieldPath(field: $0))?.value }
            .map { "\($0)" }
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
                ? "deleted" : FieldRendering(kind: subject.entity.kind, path, value: nil).name
        }
        kept.append(KeptChange(entity: subject.entity, name: subject.name, field: field, reason: reason))
    }
}
