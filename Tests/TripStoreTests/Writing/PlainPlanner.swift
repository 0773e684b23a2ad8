import Events
import TestSupport
import Trips

@testable import TripStore

/// What proposed events become, computed simply from whole merged records: the oracle of the planner.
struct PlainPlanner {
    /// Why something is refused.
    enum Refusal: Hashable, Error {
        case store(String)
        case values(ValidationError.Code)

        init?(_ error: any Error) {
            switch (error as? TripStoreError)?.cause ?? error {
            case let error as TripStoreError: self = .store("\(error.code)")
            case let error as ValidationError: self = .values(error.code)
            default: return nil
            }
        }

        init(_ code: TripStoreError.Code) { self = .store("\(code)") }
    }

    private static let pending = Stamp(
        timestamp: Timestamp(rawValue: .max), replica: ReplicaID(publicKey: []), hash: .zero)

    /// What was written so far.
    private var records: [EntityReference: EntityRecord] = [:]

    /// Applies what was written.
    mutating func add(_ events: [Event], at stamp: Stamp) {
        for (index, event) in events.enumerated() {
            records[event.entity, default: EntityRecord()].apply(event, index: index, stamp: stamp)
        }
    }

    func version(of entity: EntityReference) -> EntityVersion { records[entity]?.version ?? .none }

    /// The events that are written. Throws `Refusal`.
    func plan(_ proposed: [TripEvent], leavingOutUnchanged: Bool) throws -> [Event] {
        var plain = self
        var events: [Event] = []
        for proposed in proposed {
            guard let event = try plain.plan(proposed, leavingOutUnchanged: leavingOutUnchanged) else { continue }
            plain.records[event.entity, default: EntityRecord()].apply(event, index: events.count, stamp: Self.pending)
            events.append(event)
        }
        return events
    }

    private func plan(_ proposed: TripEvent, leavingOutUnchanged: Bool) throws -> Event? {
        var proposed = proposed
        let record = records[proposed.entity]
        let isCreated = record?.creation != nil
        let isDeleted = record?.isDeleted ?? false
        switch proposed.verb {
        case .created: if isCreated { throw Refusal(.alreadyExists) }
        case .restored:
            if !isCreated { throw Refusal(.unknownEntity) }
            if !isDeleted { throw Refusal(.notDeleted) }
        default:
            if !isCreated { throw Refusal(.unknownEntity) }
            if isDeleted { throw Refusal(.deleted) }
        }
        do throws(ValidationError) {
            try proposed.validateValues()
            if let record { proposed.keepUnknownParts(of: record) }
            try proposed.validate(on: record)
        } catch { throw Refusal.values(error.code) }
        try checkTrip(of: proposed, record)
        if leavingOutUnchanged, proposed.verb == .edited {
            proposed.writes.removeAll { record?.register(at: FieldPath(field: $0.field))?.value == $0.value }
            if proposed.writes.isEmpty { return nil }
        }
        let changes = proposed.writes.map { write in
            let register = record?.register(at: FieldPath(field: write.field))
            var seen = self.seen(register?.stamp)
            if case .value(let value) = write.saw, value != register?.value { seen = nil }
            return Change(path: FieldPath(field: write.field), value: write.value, seen: seen)
        }
        var event = Event(verb: proposed.verb, entity: proposed.entity, changes: changes)
        if proposed.verb == .deleted || proposed.verb == .restored {
            event.seen = seen(record?.register(at: .deletion)?.stamp)
        }
        return event
    }

    private func checkTrip(of proposed: TripEvent, _ record: EntityRecord?) throws {
        guard EntityKind.itemKinds.contains(proposed.entity.kind) else { return }
        let field = FieldPath.parent.field
        let written = proposed.writes.last { $0.field == field }
        let value = written.map(\.value) ?? record?.register(at: FieldPath(field: field))?.value
        guard let trip = value.flatMap({ EntityReference(fieldValue: $0) }) else { return }
        let isThere = records[trip]?.isPresent ?? false
        let isMissedByMove = written != nil
        let isMissedOtherwise = records[trip]?.creation != nil && proposed.verb != .deleted
        if !isThere, isMissedByMove || isMissedOtherwise { throw Refusal(.unknownTrip) }
    }

    private func seen(_ stamp: Stamp?) -> Seen? { stamp == Self.pending ? nil : stamp.map { Seen($0) } }
}
