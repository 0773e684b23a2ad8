import EventLog
import Events
import Foundation
import Trips

/// Turns proposed events into those that are written: checked against the state of their entities, each change with the
/// timestamp of the value that its author saw.
struct Preparer {
    /// What stands for the stamp of the commit in the making.
    private static let pending = Stamp(
        timestamp: Timestamp(rawValue: .max), replica: ReplicaID(publicKey: []), hash: .zero)

    /// What is known of an entity that was looked up.
    private struct Known {
        /// Before the commit.
        let version: EntityVersion
        /// With what the commit does to it.
        var state: EntityState
        var isTouched = false
    }

    private let coordinator: WriteCoordinator
    private let expected: [EntityReference: EntityVersion]
    /// Whether writes that change nothing are left out.
    private let leavesOutUnchanged: Bool
    private var places: [EntityReference: Int] = [:]
    private var known: [Known] = []
    /// The entities touched, in the order of the events.
    private(set) var order: [EntityReference] = []
    private(set) var events: [Event] = []
    /// With deletions: what the log held when they were prepared.
    var held = VersionVector()
    /// Where the entity of each event is among those that are known.
    private var eventPlaces: [Int] = []

    init(
        _ coordinator: WriteCoordinator, expected: [EntityReference: EntityVersion], leavesOutUnchanged: Bool
    ) {
        self.coordinator = coordinator
        self.expected = expected
        self.leavesOutUnchanged = leavesOutUnchanged
    }

    /// Makes room for as many events.
    mutating func reserve(_ count: Int) {
        guard places.isEmpty else { return }
        // Made anew: to be told to reserve, a dictionary looks its type up at run time.
        places = Dictionary(minimumCapacity: count)
        known.reserveCapacity(count)
        order.reserveCapacity(count)
        events.reserveCapacity(count)
        eventPlaces.reserveCapacity(count)
    }

    /// Checks what the caller expects, also of entities that no event touches.
    mutating func checkExpectations(_ log: borrowing LogSnapshot) throws {
        for (entity, version) in expected {
            let place = try place(of: entity, log)
            let found = known[place].version
            guard found == version else {
                throw TripStoreError(
                    .versionConflict,
                    "The \(entity.words) is in version \(found) and not in \(version), which was expected. "
                        + "Read it again and repeat the change.",
                    entity: entity, versions: (expected: version, found: found))
            }
        }
    }

    /// Checks that a trip has no items but some.
    func checkItems(of trip: Trip.ID, _ known: Set<EntityReference>, _ log: borrowing LogSnapshot) throws {
        guard let item = try coordinator.items(of: trip, in: log).first(where: { !known.contains($0) }) else { return }
        throw TripStoreError(
            .versionConflict,
            "The \(item.words) was put into the trip \(trip) meanwhile. Look at the trip again and repeat the change.",
            entity: trip.reference)
    }

    /// Checks an event and adds it.
    ///
    /// Throws `TripStoreError` or `ValidationError`.
    mutating func add(_ proposed: TripEvent, _ log: borrowing LogSnapshot) throws {
        let place = try place(of: proposed.entity, log)
        // The state is handed over and let go of before it changes: else its events would be copied for each of them.
        if let event = try event(proposed, known[place].state, log) { append(event, at: place) }
    }

    /// What is written for a proposed event, on the state that it meets; nil if that would change nothing.
    private mutating func event(
        _ proposed: TripEvent, _ state: EntityState, _ log: borrowing LogSnapshot
    ) throws -> Event? {
        var proposed = proposed
        try EventRules.check(proposed.verb, of: proposed.entity, on: state.presence)
        if state.isHeld {
            let isValid = proposed.verb == .edited && proposed.isValidForSure { state.held(at: $0)?.value }
            if !isValid { try proposed.validateValues() }
            proposed.keepUnknownParts { state.held(at: $0)?.value }
            if !isValid { try proposed.validateRules { state.held(at: $0)?.value } }
        } else {
            try proposed.validate(on: nil)
        }
        try checkTrip(of: proposed.entity, proposed.verb, written: EventRules.writtenTrip(proposed), state, log)

        if leavesOutUnchanged && proposed.verb == .edited {
            // To clear what was never written changes nothing, either.
            proposed.writes.removeAll { state.held(at: $0.field)?.value == $0.value }
            if proposed.writes.isEmpty { return nil }
        }
        var event = Event(
            verb: proposed.verb, entity: proposed.entity, changes: proposed.writes.map { change($0, state) })
        if proposed.verb == .deleted || proposed.verb == .restored {
            event.seen = seen(state.record?.register(at: .deletion)?.stamp)
        }
        return event
    }

    /// Adds an event as it is: for what was computed from the state that the expectations name.
    mutating func addUnchecked(_ event: Event, _ log: borrowing LogSnapshot) throws {
        append(event, at: try place(of: event.entity, log))
    }

    /// Adds an event as it is, if the rules of its verb and those of its item's trip let it pass. What is deleted may be
    /// deleted again, in view of what its first deletion did not know.
    ///
    /// Throws `TripStoreError`.
    mutating func addComputed(_ event: Event, _ log: borrowing LogSnapshot) throws {
        let place = try place(of: event.entity, log)
        let state = known[place].state
        if event.verb != .deleted { try EventRules.check(event.verb, of: event.entity, on: state.presence) }
        try checkTrip(of: event.entity, event.verb, written: EventRules.writtenTrip(event), state, log)
        append(event, at: place)
    }

    private mutating func append(_ event: Event, at place: Int) {
        if !known[place].isTouched {
            known[place].isTouched = true
            order.append(event.entity)
        }
        known[place].state.add(event, index: events.count, stamp: Self.pending)
        events.append(event)
        eventPlaces.append(place)
    }

    /// Where an entity is among those that are known; looks it up if it is not.
    private mutating func place(of entity: EntityReference, _ log: borrowing LogSnapshot) throws -> Int {
        if let place = places[entity] { return place }
        let found = try coordinator.record(of: entity, in: log)
        places[entity] = known.count
        known.append(Known(version: found?.version ?? EntityVersion.none, state: EntityState(found)))
        return known.count - 1
    }

    private mutating func checkTrip(
        of entity: EntityReference, _ verb: Verb, written: EntityReference??, _ item: EntityState,
        _ log: borrowing LogSnapshot
    ) throws {
        guard entity.kind.isItem else { return }
        guard let trip = written ?? item.held(at: EventRules.tripField)?.value.flatMap(EventRules.reference(toTrip:))
        else { return }
        let state = known[try place(of: trip, log)].state
        try EventRules.check(trip, isWritten: written != nil, by: verb, of: entity, on: state.presence)
    }

    private func change(_ write: TripEvent.Write, _ state: EntityState) -> Change {
        let held = state.held(at: write.field)
        var seen: Seen?
        switch write.saw {
        case .current: seen = self.seen(held?.stamp)
        case .value(let bytes): seen = held?.value == bytes ? self.seen(held?.stamp) : nil
        }
        return Change(path: Path(field: write.field), value: write.value, seen: seen)
    }

    // What this commit wrote a moment ago has no timestamp yet; within a commit order alone decides.
    private func seen(_ stamp: Stamp?) -> Seen? {
        guard let stamp, stamp != Self.pending else { return nil }
        return Seen(stamp)
    }

    /// The versions that the commit left behind.
    func versions(after appended: Appended) -> [EntityReference: EntityVersion] {
        var versions: [EntityReference: EntityVersion] = Dictionary(minimumCapacity: order.count)
        for (index, event) in events.enumerated() {
            let before = versions[event.entity] ?? known[eventPlaces[index]].version
            versions[event.entity] = before.adding(appended.stamp, index: index)
        }
        return versions
    }
}
