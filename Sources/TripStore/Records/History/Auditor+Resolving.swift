import EventLog
import Events
import ProjectionEngine
import Trips

extension Conflict {
    /// The entity to write to resolve it.
    fileprivate var written: EntityReference {
        if case .parentDeletion(let parent) = subject { parent } else { entity }
    }
}

extension Auditor {
    /// The events that resolve a conflict: one, but for an entity that is there as one of another kind.
    mutating func events(
        resolving conflict: Conflict, _ resolution: ConflictResolution
    ) throws -> [Event] {
        let entity = conflict.written
        let timeline = try timeline(of: entity)
        let record = timeline.record(asOf: .position(Position(.max)))
        guard case .field(let path) = conflict.subject else {
            guard case .taking(let side) = resolution else {
                throw TripStoreError(
                    .unusableOption,
                    "The conflict \(conflict.id) is over a deletion, and no value resolves it. Take one of its sides.",
                    entity: conflict.entity)
            }
            if side == .superseded, let events = try events(restoring: conflict) { return events }
            return [
                Event(
                    verb: side == .superseded ? .restored : .deleted, entity: entity,
                    seen: (record.register(at: .deletion)?.stamp).map { Seen($0) })
            ]
        }
        let value: [UInt8]? =
            switch resolution {
            case .bytes(let bytes): bytes?.isEmpty == true && path.key.isEmpty ? nil : bytes
            case .taking(.superseded): conflict.superseded.bytes
            case .taking(.winner), .leaving: conflict.winner.bytes
            }
        let change = Change(path: path, value: value, seen: (record.register(at: path)?.stamp).map { Seen($0) })
        return [Event(verb: .edited, entity: entity, changes: [change])]
    }

    /// Whether a side of a conflict is what is there now.
    mutating func stands(_ side: TripStore.ConflictSide, of conflict: Conflict) throws -> Bool {
        let record = try timeline(of: conflict.written).record(asOf: .position(Position(.max)))
        guard case .field(let path) = conflict.subject else { return record.isDeleted == (side == .winner) }
        return record.register(at: path)?.value == (side == .winner ? conflict.winner : conflict.superseded).bytes
    }

    /// The events that take the superseded side of a conflict with the deletion of a form, where another form is there. A change of the
    /// kind is made again; any other edit is made to the form that is there. Nil if none is: then the entity is restored.
    private mutating func events(restoring conflict: Conflict) throws -> [Event]? {
        let forms = try forms(of: conflict.entity)
        guard conflict.subject == .deletion, let own = forms.first(where: { $0.entity == conflict.entity }),
            let present = forms.first(where: { $0.entity != own.entity && $0.standingDeletion == nil }),
            let edit = own.entries.first(where: {
                $0.stamp.hash == conflict.superseded.commit.hash && $0.index == conflict.superseded.event
            })
        else { return nil }
        func event(_ verb: Verb, _ form: EntityTimeline) -> Event {
            Event(
                verb: verb, entity: form.entity,
                seen: form.writes[.deletion]?.last.map { Seen(form.entries[$0.entry].stamp) })
        }
        let changesKind = own.entries.contains { $0.event.verb == .restored && $0.stamp.hash == edit.stamp.hash }
        if changesKind {
            let children = try views.children(of: present.entity).map { child in
                let seen = try timeline(of: child)
                let stamp = seen.writes[.parent]?.last.map { Seen(seen.entries[$0.entry].stamp) }
                return Event(
                    verb: .edited, entity: child,
                    changes: [Change(path: .parent, value: own.entity.fieldValue, seen: stamp)])
            }
            // All forms, also those that are unknown here, which a concurrent change may have created.
            let others = EntityForms(of: own.entity, own.record(asOf: .position(Position(.max))))?.all ?? []
            let deletions = try others.filter { $0 != own.entity && $0 != present.entity }.map {
                event(.deleted, try timeline(of: $0))
            }
            return [event(.restored, own)] + children + deletions + [event(.deleted, present)]
        }
        let (kind, known) = (present.entity.kind, known)
        let changes = edit.event.changes.compactMap { change -> Change? in
            guard
                EntityForms.isShared(
                    change.path.field, own.entity.kind, kind,
                    {
                        known?.knows(UsedPart(kind: ConcreteKind(present.entity), number: $0)) ?? false
                    })
            else { return nil }
            let seen = present.writes[change.path]?.last.map { Seen(present.entries[$0.entry].stamp) }
            return Change(
                path: change.path,
                value: EntityForms.value(change.value, of: change.path.field, from: own.entity.kind, to: kind),
                seen: seen
            )
        }
        let edits = changes.isEmpty ? [] : [Event(verb: .edited, entity: present.entity, changes: changes)]
        // Deleted again in view of the edit.
        return edits + [event(.deleted, own)]
    }
}
