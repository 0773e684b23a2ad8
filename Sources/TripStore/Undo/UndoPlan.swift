import EventLog
import Events
import Foundation
import ProjectionEngine
import TripProjections
import Trips

/// What puts the selected events' effects back, as the store stands; made anew if it moves meanwhile.
struct UndoPlan {
    let selection: UndoSelection
    private(set) var events: [Event] = []
    private(set) var changes: [UndoneChange] = []
    private(set) var kept: [KeptChange] = []
    /// The entities that the plan rests on, in the versions that it was made for.
    private(set) var expected: [EntityReference: EntityVersion] = [:]
    /// What becomes of trips: those that are deleted or restored by the plan itself.
    private var tripsThere: [Trip.ID: Bool] = [:]

    init(_ selection: UndoSelection, _ auditor: inout Auditor) throws {
        self.selection = selection
        let entities = selection.events.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        let (trips, others) = (entities.filter { $0.kind == .trip }, entities.filter { $0.kind != .trip })
        // What items are put into must be there first, and go last.
        for entity in trips { try plan(entity, &auditor) }
        let ofTrips = events
        events = []
        for entity in others { try plan(entity, &auditor) }
        events = ofTrips.filter { $0.verb != .deleted } + events + ofTrips.filter { $0.verb == .deleted }
    }

    private mutating func plan(_ entity: EntityReference, _ auditor: inout Auditor) throws {
        let timeline = try auditor.timeline(of: entity)
        let record = timeline.record(asOf: .position(Position(.max)))
        let selected = selection.events[entity] ?? []
        let isSelected = { (place: Int) in
            let entry = timeline.entries[place]
            return selected.contains(UndoSelection.EventID(stamp: entry.stamp, index: entry.index))
        }
        let subject = Subject(entity: entity, name: Auditor.name(of: timeline), timeline: timeline, record: record)
        expected[entity] = record.version
        let creations = timeline.entries.indices.filter { timeline.entries[$0].event.verb == .created }
        if !creations.isEmpty, creations.allSatisfy(isSelected) {
            try undoCreation(subject, isSelected, &auditor)
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
        _ subject: Subject, _ isSelected: (Int) -> Bool, _ auditor: inout Auditor
    ) throws {
        let (entity, timeline) = (subject.entity, subject.timeline)
        guard !subject.record.isDeleted else { return keep(subject, nil, .deleted) }
        let undone = timeline.undone
        if let other = timeline.entries.indices.last(where: { !isSelected($0) && !undone.contains($0) }) {
            return keep(subject, nil, .inUse(timeline.entries[other].commit))
        }
        if let trip = Trip.ID(entity) {
            let others = try ItemsByTrip.items(of: trip, in: auditor.views).filter { item in
                try !isUndoneCreation(item, &auditor)
            }
            guard others.isEmpty else { return keep(subject, nil, .hasItems(others.count)) }
            tripsThere[trip] = false
        }
        append(.deleted, subject)
    }

    /// Whether the item goes with what is undone.
    private func isUndoneCreation(_ item: EntityReference, _ auditor: inout Auditor) throws -> Bool {
        guard let selected = selection.events[item] else { return false }
        return try auditor.timeline(of: item).entries.allSatisfy {
            selected.contains(UndoSelection.EventID(stamp: $0.stamp, index: $0.index))
        }
    }

    // MARK: Edits, deletions and restorations

    private mutating func undoEdits(
        _ subject: Subject, _ isSelected: (Int) -> Bool, _ auditor: inout Auditor
    ) throws {
        var isThere = !subject.record.isDeleted
        var writes: [(path: Path, value: [UInt8]?, seen: Stamp)] = []
        for (path, history) in subject.timeline.writes.sorted(by: { $0.key < $1.key }) {
            guard history.contains(where: { isSelected($0.entry) }), let current = history.last else { continue }
            guard let own = subject.timeline.owner(of: history, where: isSelected) else {
                keep(subject, path, .changedSince(subject.timeline.entries[current.entry].commit))
                continue
            }
            let previous = history[..<own].last { !isSelected($0.entry) }?.value
            if path == .deletion {
                guard (previous == nil) != isThere else { continue }
                isThere.toggle()
                if let trip = Trip.ID(subject.entity) { tripsThere[trip] = isThere }
                append(isThere ? .restored : .deleted, subject)
            } else if previous != current.value {
                writes.append((path, previous, subject.timeline.entries[current.entry].stamp))
            }
        }
        guard !writes.isEmpty else { return }
        guard isThere else {
            for write in writes { keep(subject, write.path, .deleted) }
            return
        }
        if let trip = try missingTrip(subject, writes.map { ($0.path, $0.value) }, &auditor) {
            for write in writes { keep(subject, write.path, .tripMissing(trip)) }
            return
        }
        if let fault = fault(subject, writes.map { ($0.path, $0.value) }) {
            for write in writes { keep(subject, write.path, .invalid(fault)) }
            return
        }
        edit(subject, writes)
    }

    private mutating func edit(_ subject: Subject, _ writes: [(path: Path, value: [UInt8]?, seen: Stamp)]) {
        let entity = subject.entity
        events.append(
            Event(
                verb: .edited, entity: entity,
                changes: writes.map { Change(path: $0.path, value: $0.value, seen: $0.seen.timestamp) }))
        for write in writes {
            changes.append(
                UndoneChange(
                    entity: entity, name: subject.name, verb: .edited,
                    old: FieldRendering(
                        kind: entity.kind, field: write.path.field, value: subject.timeline.current(at: write.path)),
                    new: FieldRendering(kind: entity.kind, field: write.path.field, value: write.value)))
        }
    }

    /// The trip that an item would be in and that is not there.
    private mutating func missingTrip(
        _ subject: Subject, _ writes: [(Path, [UInt8]?)], _ auditor: inout Auditor
    ) throws -> Trip.ID? {
        guard EntityKind.itemKinds.contains(subject.entity.kind) else { return nil }
        let path = Path(field: ItemField.trip.rawValue)
        let written = writes.first { $0.0 == path }
        guard let bytes = written.map(\.1) ?? subject.timeline.current(at: path), bytes.count == 16 else { return nil }
        let trip = Trip.ID(bytes.withUnsafeBytes { $0.uuid() })
        if let isThere = tripsThere[trip] { return isThere ? nil : trip }
        let record = try auditor.timeline(of: trip.reference).record(asOf: .position(Position(.max)))
        expected[trip.reference] = record.version
        return record.isPresent ? nil : trip
    }

    /// What would be wrong with the entity, in words. Paths that this version does not know are not judged.
    private func fault(_ subject: Subject, _ writes: [(Path, [UInt8]?)]) -> String? {
        var event = TripEvent(.edited, subject.entity)
        for (path, value) in writes where path.key.isEmpty {
            let name = FieldRendering(kind: subject.entity.kind, field: path.field, value: nil).name
            guard name != "field \(path.field)" else { continue }
            event.writes.append(TripEvent.Write(field: path.field, value: value))
        }
        do { try event.validate(on: subject.record) } catch let error {
            // What a merge, or a newer version, wrote may not pass for well-formed; it is put back all the same.
            return error.code == .malformedValue || error.code == .unknownKind ? nil : "\(error)"
        }
        return nil
    }

    // MARK: Taking note

    private mutating func append(_ verb: Verb, _ subject: Subject) {
        events.append(
            Event(
                verb: verb, entity: subject.entity,
                seen: subject.record.register(at: .deletion)?.stamp.timestamp,
                seenNewest: subject.record.newest?.timestamp))
        changes.append(UndoneChange(entity: subject.entity, name: subject.name, verb: verb, old: nil, new: nil))
    }

    private mutating func keep(_ subject: Subject, _ path: Path?, _ reason: KeptChange.Reason) {
        let field = path.map { path in
            path == .deletion
                ? "deleted" : FieldRendering(kind: subject.entity.kind, field: path.field, value: nil).name
        }
        kept.append(KeptChange(entity: subject.entity, name: subject.name, field: field, reason: reason))
    }
}
