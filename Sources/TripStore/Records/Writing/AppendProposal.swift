import EventLog
import Events
import Trips

/// The events that a caller proposes, for comparison with the commit of an earlier attempt with the same append id.
///
/// Reporting another commit as the outcome would silently drop the caller's change.
enum AppendProposal: Sendable {
    /// These events.
    case events([TripEvent])
    /// These events, without the writes that change nothing.
    case changes([TripEvent])
    /// Edits of entities that are computed from their state, and so may differ from attempt to attempt.
    case edits(Set<EntityReference>)
    /// The same of an entity that may be created by it.
    case upsert(EntityReference)
    /// An event that resolves a conflict; a retry may have other `seen` references, and has the same effect.
    case resolving(Event)

    /// A proposed write that is not in the commit: it must have changed nothing.
    struct OmittedWrite: Sendable {
        let entity: EntityReference
        let write: TripEvent.Write
    }

    /// Why some events are not those of an earlier attempt of this proposal, in words; otherwise the writes that must
    /// have changed nothing.
    func match(
        _ events: [Event], in known: KnownSchema?
    ) -> (difference: String?, omitted: [OmittedWrite]) {
        switch self {
        case .events(let proposed):
            guard proposed.count == events.count else {
                return ("it has \(events.count.counted("event")) and not \(proposed.count)", [])
            }
            for (proposed, event) in zip(TripEvent.writingFormerFields(proposed, in: known), events)
            where proposed.omitted(by: event, in: known)?.isEmpty != true {
                return ("it does not have what was proposed for the \(proposed.entity.words(in: known))", [])
            }
            return (nil, [])
        case .changes(let proposed):
            return Self.match(TripEvent.writingFormerFields(proposed, in: known), events, in: known)
        case .edits(let entities):
            let isEdit = events.allSatisfy { $0.verb == .edited && entities.contains($0.entity) }
            let words = entities.count == 1 ? entities.first?.words(in: known) : nil
            return (isEdit ? nil : "it is no edit of the \(words ?? "\(entities.count) entities")", [])
        case .upsert(let entity):
            let isWrite = events.allSatisfy { [.created, .edited].contains($0.verb) && $0.entity == entity }
            return (isWrite ? nil : "it neither creates nor edits the \(entity.words(in: known))", [])
        case .resolving(let proposed):
            let isSame =
                events.count == 1
                && events.allSatisfy { event in
                    // Beside its change it may write fields that this one replaces, or that replace it.
                    event.verb == proposed.verb && event.entity == proposed.entity
                        && proposed.changes.allSatisfy { change in
                            event.changes.contains { $0.path == change.path && $0.value == change.value }
                        }
                        && (event.changes.count == proposed.changes.count
                            || !event.entity.evolvedFields(in: known).isEmpty)
                }
            return (
                isSame
                    ? nil : "it did not resolve this conflict of the \(proposed.entity.words(in: known)) in this way",
                []
            )
        }
    }

    private static func match(
        _ proposed: [TripEvent], _ events: [Event], in known: KnownSchema?
    ) -> (difference: String?, omitted: [OmittedWrite]) {
        var omitted: [OmittedWrite] = []
        var rest = events[...]
        for proposed in proposed {
            var writes = proposed.writes
            if let event = rest.first, let left = proposed.omitted(by: event, in: known) {
                writes = left
                rest.removeFirst()
            } else if proposed.verb != .edited {
                return ("it does not have what was proposed for the \(proposed.entity.words(in: known))", [])
            }
            omitted += writes.map { OmittedWrite(entity: proposed.entity, write: $0) }
        }
        return (rest.first.map { "what it wrote to the \($0.entity.words(in: known)) was not proposed" }, omitted)
    }
}

extension TripEvent {
    /// Those of its writes that an event does not have; nil if the event cannot result from this one.
    ///
    /// Additions to sets, and elements of lists, may have been given other keys in the earlier attempt. By how much a counter grew the event
    /// does not say: it has the replica's sum. Of several writes to a field the last counts.
    fileprivate func omitted(by event: Event, in known: KnownSchema?) -> [Write]? {
        guard verb == event.verb, entity == event.entity else { return nil }
        var rest: [FieldPath: Change] = [:]
        for change in event.changes { rest[change.path] = change }
        var omitted: [Write] = []
        // Elements before ranks, which follow them.
        var names: [FieldPath: FieldPath] = [:]
        let writes = effectiveWrites
        for write in writes where write.path.element?.kind != .rank {
            guard let change = made(write, among: rest, in: known) else {
                omitted.append(write)
                continue
            }
            rest[change.path] = nil
            if let element = write.path.element, element.kind == .listElement, let made = change.path.element {
                names[ElementKey(.rank, element.name).path(in: write.field)] =
                    ElementKey(.rank, made.name).path(in: write.field)
            }
        }
        for write in writes where write.path.element?.kind == .rank {
            // An event that is built a second time has other ranks.
            if rest.removeValue(forKey: names[write.path] ?? write.path) == nil { omitted.append(write) }
        }
        // Which fields a write implies may have changed with the app's version.
        omitted.removeAll(where: \.isImplied)
        return rest.isEmpty ? omitted : nil
    }

    /// The last write to each path, and all additions to a counter as one.
    private var effectiveWrites: [Write] {
        var places: [FieldPath: Int] = [:]
        var effective: [Write] = []
        for write in writes {
            guard let place = places[write.path] else {
                places[write.path] = effective.count
                effective.append(write)
                continue
            }
            if write.path.element == .ownShare {
                let sum = CounterShare.value(effective[place].value) &+ CounterShare.value(write.value)
                effective[place].value = CounterShare.bytes(sum)
            } else {
                effective[place] = write
            }
        }
        return effective
    }

    /// The change that became of a write; nil if there is none.
    private func made(_ write: Write, among changes: [FieldPath: Change], in known: KnownSchema?) -> Change? {
        if let change = changes[write.path] {
            let kept = AppendProposal.OmittedWrite(entity: entity, write: write).value(over: change.value, in: known)
            return change.value == kept ? change : nil
        }
        guard let element = write.path.element else { return nil }
        return changes.values.filter { change in
            guard change.path.field == write.field, let made = change.path.element, made.kind == element.kind else {
                return false
            }
            if element == .ownShare { return true }
            // Nothing was seen at a new key.
            return (element.kind == .addition || element.kind == .listElement) && change.seen == nil
                && write.value != nil
                && change.value == write.value
        }.min { $0.path < $1.path }
    }
}

extension AppendProposal.OmittedWrite {
    /// Whether it adds 0 to a counter.
    var addsNothing: Bool { CounterShare.value(write.value) == 0 }

    /// The value that it writes, with the unknown parts of the current value.
    func value(over held: [UInt8]?, in known: KnownSchema?) -> [UInt8]? {
        var event = TripEvent(.edited, entity, writes: [write])
        event.keepUnknownParts(in: known) { _ in held }
        return event.writes.first?.value
    }
}
