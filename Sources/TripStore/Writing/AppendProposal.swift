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
    func match(_ events: [Event]) -> (difference: String?, omitted: [OmittedWrite]) {
        switch self {
        case .events(let proposed):
            guard proposed.count == events.count else {
                return ("it has \(events.count) events and not \(proposed.count)", [])
            }
            for (proposed, event) in zip(proposed, events)
            where proposed.omitted(by: event)?.isEmpty != true {
                return ("it does not have what was proposed for the \(proposed.entity.words)", [])
            }
            return (nil, [])
        case .changes(let proposed):
            return Self.match(proposed, events)
        case .edits(let entities):
            let isEdit = events.allSatisfy { $0.verb == .edited && entities.contains($0.entity) }
            let words = entities.count == 1 ? entities.first?.words : nil
            return (isEdit ? nil : "it is no edit of the \(words ?? "\(entities.count) entities")", [])
        case .upsert(let entity):
            let isWrite = events.allSatisfy { [.created, .edited].contains($0.verb) && $0.entity == entity }
            return (isWrite ? nil : "it neither creates nor edits the \(entity.words)", [])
        case .resolving(let proposed):
            let isSame =
                events.count == 1
                && events.allSatisfy { event in
                    event.verb == proposed.verb && event.entity == proposed.entity
                        && event.changes.map(\.path) == proposed.changes.map(\.path)
                        && event.changes.map(\.value) == proposed.changes.map(\.value)
                }
            return (isSame ? nil : "it did not resolve this conflict of the \(proposed.entity.words) in this way", [])
        }
    }

    private static func match(
        _ proposed: [TripEvent], _ events: [Event]
    ) -> (difference: String?, omitted: [OmittedWrite]) {
        var omitted: [OmittedWrite] = []
        var rest = events[...]
        for proposed in proposed {
            var writes = proposed.writes
            if let event = rest.first, let left = proposed.omitted(by: event) {
                writes = left
                rest.removeFirst()
            } else if proposed.verb != .edited {
                return ("it does not have what was proposed for the \(proposed.entity.words)", [])
            }
            omitted += writes.map { OmittedWrite(entity: proposed.entity, write: $0) }
        }
        return (rest.first.map { "what it wrote to the \($0.entity.words) was not proposed" }, omitted)
    }
}

extension TripEvent {
    /// Those of its writes that an event does not have; nil if the event cannot result from this one.
    fileprivate func omitted(by event: Event) -> [Write]? {
        guard verb == event.verb, entity == event.entity else { return nil }
        var omitted: [Write] = []
        var counted: Set<UInt64> = []
        var rest = event.changes[...]
        for write in writes {
            if let change = rest.first, isMade(write, by: change) {
                rest.removeFirst()
                if write.path.element == .ownShare { counted.insert(write.field) }
            } else if write.path.element == .ownShare, counted.contains(write.field) {
                // Several additions to a counter are one change.
                continue
            } else {
                omitted.append(write)
            }
        }
        return rest.isEmpty ? omitted : nil
    }

    /// Whether a change may be what became of a write.
    ///
    /// Elements that were given a new key may have been given another in the earlier attempt. By how much a counter grew the change does
    /// not say: it has the replica's sum.
    private func isMade(_ write: Write, by change: Change) -> Bool {
        if change.path == write.path { return change.value == kept(write, over: change.value) }
        guard let element = write.path.element, let made = change.path.element, change.path.field == write.field,
            element.kind == made.kind
        else { return false }
        switch element.kind {
        case .addition, .item: return change.value == write.value && write.value != nil
        case .rank: return true
        case .share: return element == .ownShare
        case .entry, .correction: return false
        }
    }

    /// The value of a write with the unknown parts of the current value.
    private func kept(_ write: Write, over value: [UInt8]?) -> [UInt8]? {
        AppendProposal.OmittedWrite(entity: entity, write: write).value(over: value)
    }
}

extension AppendProposal.OmittedWrite {
    /// Whether it adds 0 to a counter.
    var addsNothing: Bool { CounterShare.value(write.value) == 0 }

    /// The value that it writes, with the unknown parts of the current value.
    func value(over held: [UInt8]?) -> [UInt8]? {
        var event = TripEvent(.edited, entity, writes: [write])
        event.keepUnknownParts { _ in held }
        return event.writes.first?.value
    }
}
