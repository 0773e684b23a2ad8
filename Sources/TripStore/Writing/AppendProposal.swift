import EventLog
import Events
import Trips

/// What a caller proposes to write: held against the commit of an earlier attempt with the same append id.
///
/// To report another commit as the outcome would drop the caller's change without a word.
enum AppendProposal: Sendable {
    /// These events.
    case events([TripEvent])
    /// These events, without the writes that change nothing.
    case changes([TripEvent])
    /// An edit of an entity that is computed from its state, and so may differ from attempt to attempt.
    case edit(EntityReference)
    /// An event that settles a conflict; when it is tried again other things have been seen, and it does the same.
    case settling(Event)

    /// A write that was proposed and is not in the commit: it must have changed nothing.
    struct OmittedWrite: Sendable {
        let entity: EntityReference
        let write: TripEvent.Write
    }

    /// In words what keeps some events from being what an attempt of this proposal would have written, or else the writes
    /// that must have changed nothing.
    func match(_ events: [Event]) -> (difference: String?, omitted: [OmittedWrite]) {
        switch self {
        case .events(let proposed):
            guard proposed.count == events.count else {
                return ("it has \(events.count) events and not \(proposed.count)", [])
            }
            for (proposed, event) in zip(proposed, events)
            where proposed.omitted(by: event)?.isEmpty != true || proposed.writes.count != event.changes.count {
                return ("it does not have what was proposed for the \(proposed.entity.words)", [])
            }
            return (nil, [])
        case .changes(let proposed):
            return Self.match(proposed, events)
        case .edit(let entity):
            let isEdit = events.allSatisfy { $0.verb == .edited && $0.entity == entity }
            return (isEdit ? nil : "it is no edit of the \(entity.words)", [])
        case .settling(let proposed):
            let isSame =
                events.count == 1
                && events.allSatisfy { event in
                    event.verb == proposed.verb && event.entity == proposed.entity
                        && event.changes.map(\.path) == proposed.changes.map(\.path)
                        && event.changes.map(\.value) == proposed.changes.map(\.value)
                }
            return (isSame ? nil : "it did not settle this conflict of the \(proposed.entity.words) in this way", [])
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
    /// Those of its writes that an event does not have; nil if the event is none that this one may have come to.
    fileprivate func omitted(by event: Event) -> [Write]? {
        guard verb == event.verb, entity == event.entity else { return nil }
        var omitted: [Write] = []
        var rest = event.changes[...]
        for write in writes {
            if let change = rest.first, change.path == FieldPath(field: write.field),
                change.value == kept(write, over: change.value)
            {
                rest.removeFirst()
            } else {
                omitted.append(write)
            }
        }
        return rest.isEmpty ? omitted : nil
    }

    /// The value of a write with the parts that this version does not know of the value that stands there.
    private func kept(_ write: Write, over value: [UInt8]?) -> [UInt8]? {
        AppendProposal.OmittedWrite(entity: entity, write: write).value(over: value)
    }
}

extension AppendProposal.OmittedWrite {
    /// What it writes, with the parts that this version does not know of the value that stands there.
    func value(over held: [UInt8]?) -> [UInt8]? {
        var event = TripEvent(.edited, entity, writes: [write])
        event.keepUnknownParts { _ in held }
        return event.writes.first?.value
    }
}
