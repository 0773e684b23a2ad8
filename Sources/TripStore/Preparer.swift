import EventLog
import Events
import Foundation
import Trips

/// Turns proposed events into those that are written: checked against the state of their entities, each change with the
/// timestamp of the value that its author saw.
struct Preparer {
    /// What stands for the stamp of the commit in the making.
    private static let pending = Stamp(
        timestamp: Timestamp(rawValue: .max), replica: ReplicaID(publicKey: []), hashPrefix: .max)

    /// From where the state of entities is taken.
    enum Ground {
        /// A transaction that is about to append: as it sees them.
        case transaction
        /// The views, which show all up to a position, before there is a transaction.
        case views(Position)
        /// What a load left in memory, and the views for the rest.
        case load(LoadedRecords)
    }

    /// What is known of an entity that was looked up.
    private struct Known {
        let found: EntityRecord?
        /// With what the commit does to it; nil as long as nobody asked for that.
        var current: EntityRecord?
        /// The event that is not merged yet: mostly nobody asks again.
        var unmerged: Int?
        var isTouched = false
        /// Whether the views did not show what was found.
        var isLoaded = false
    }

    private let coordinator: WriteCoordinator
    private let ground: Ground
    private let expected: [EntityReference: EntityVersion]
    /// Whether writes that change nothing are left out.
    private let leavesOutUnchanged: Bool
    private var places: [EntityReference: Int] = [:]
    private var known: [Known] = []
    /// The entities touched, in the order of the events.
    private(set) var order: [EntityReference] = []
    private(set) var events: [Event] = []
    /// Where the entity of each event is among those that are known.
    private var eventPlaces: [Int] = []

    init(
        _ coordinator: WriteCoordinator, _ ground: Ground, expected: [EntityReference: EntityVersion],
        leavesOutUnchanged: Bool
    ) {
        self.coordinator = coordinator
        self.ground = ground
        self.expected = expected
        self.leavesOutUnchanged = leavesOutUnchanged
    }

    /// The entities whose state was looked at: as long as nobody writes to one of them, what was prepared holds.
    var basis: some Sequence<EntityReference> { places.keys }

    /// Checks what the caller expects, also of entities that no event touches.
    mutating func checkExpectations(_ log: borrowing LogSnapshot) throws {
        for (entity, version) in expected {
            let place = try place(of: entity, log)
            let found = known[place].found?.version ?? .none
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

    /// Checks an event and adds it. `isChecked` says that it passed `validateAlone()`.
    ///
    /// Throws `TripStoreError` or `ValidationError`.
    mutating func add(_ proposed: TripEvent, isChecked: Bool = false, _ log: borrowing LogSnapshot) throws {
        var proposed = proposed
        let entity = proposed.entity
        let place = try place(of: entity, log)
        let record = state(at: place)
        try checkVerb(proposed, record, log)
        if let record {
            if !isChecked { try proposed.validateValues() }
            proposed.keepUnknownParts(of: record)
            try proposed.validateRules(on: record)
        } else if !isChecked {
            try proposed.validate(on: nil)
        }
        try checkTrip(proposed, record, log)

        if leavesOutUnchanged && proposed.verb == .edited {
            proposed.writes.removeAll { write in
                record?.register(at: Path(field: write.field))?.value == write.value
            }
            if proposed.writes.isEmpty { return }
        }
        var event = Event(verb: proposed.verb, entity: entity, changes: proposed.writes.map { change($0, record) })
        if proposed.verb == .deleted || proposed.verb == .restored {
            event.seen = seen(record?.register(at: .deletion)?.stamp)
            event.seenNewest = seen(record?.newest)
        }
        append(event, at: place)
    }

    /// Adds an event as it is: for what was computed from the state that the expectations name.
    mutating func addUnchecked(_ event: Event, _ log: borrowing LogSnapshot) throws {
        let place = try place(of: event.entity, log)
        _ = state(at: place)
        append(event, at: place)
    }

    private mutating func append(_ event: Event, at place: Int) {
        if !known[place].isTouched {
            known[place].isTouched = true
            order.append(event.entity)
        }
        known[place].unmerged = events.count
        events.append(event)
        eventPlaces.append(place)
    }

    /// Where an entity is among those that are known; looks it up if it is not.
    private mutating func place(of entity: EntityReference, _ log: borrowing LogSnapshot) throws -> Int {
        if let place = places[entity] { return place }
        var isLoaded = false
        let found: EntityRecord?
        switch ground {
        case .transaction: found = try coordinator.record(of: entity, in: log)
        case .views(let position): found = try coordinator.viewedRecord(of: entity, notBefore: position)
        case .load(let loaded):
            let record = try loaded.record(of: entity)
            isLoaded = record != nil
            found = try record ?? coordinator.viewedRecord(of: entity, notBefore: .start)
        }
        places[entity] = known.count
        known.append(Known(found: found, isLoaded: isLoaded))
        return known.count - 1
    }

    /// The state of an entity after what was added so far. Merges what is not yet: who adds an event asks first.
    private mutating func state(at place: Int) -> EntityRecord? {
        guard let index = known[place].unmerged else { return known[place].current ?? known[place].found }
        var record = known[place].current ?? known[place].found ?? EntityRecord()
        record.apply(events[index], index: index, stamp: Self.pending)
        known[place].current = record
        known[place].unmerged = nil
        return record
    }

    private func checkVerb(
        _ event: TripEvent, _ record: EntityRecord?, _ log: borrowing LogSnapshot
    ) throws {
        let entity = event.entity
        if event.verb == .created {
            guard record?.creation == nil else {
                throw TripStoreError(
                    .alreadyExists,
                    record?.isDeleted == true
                        ? "The \(entity.words) was created before and deleted. Restore it instead."
                        : "The \(entity.words) is there already. Edit it, or give the new one another id.",
                    entity: entity)
            }
            return
        }
        guard let record, record.creation != nil else { throw TripStoreError.unknown(entity) }
        if event.verb == .restored {
            guard record.isDeleted else {
                throw TripStoreError(
                    .notDeleted, "The \(entity.words) is not deleted: there is nothing to restore.", entity: entity)
            }
        } else if record.isDeleted {
            throw TripStoreError.deleted(entity)
        }
    }

    /// An item belongs to a trip that is here and not deleted; what belongs to a deleted one is restored with it.
    private mutating func checkTrip(
        _ event: TripEvent, _ record: EntityRecord?, _ log: borrowing LogSnapshot
    ) throws {
        guard event.entity.kind.isItem else { return }
        let path = Path(field: ItemField.trip.rawValue)
        let written = event.writes.last { $0.field == path.field }
        let isNew = written != nil
        guard let bytes = written.map(\.value) ?? record?.register(at: path)?.value, bytes.count == 16 else { return }
        let trip = Trip.ID(bytes.withUnsafeBytes { $0.uuid() }).reference
        let state = state(at: try place(of: trip, log))
        if state?.isPresent == true { return }
        // An item that a peer put into a trip which never came here may be edited, moved and deleted all the same.
        if !isNew && (state?.creation == nil || event.verb == .deleted) { return }
        throw TripStoreError(
            .unknownTrip,
            state?.isDeleted == true
                ? "The \(trip.words) of the \(event.entity.words) was deleted. Restore the trip, or choose another."
                : "There is no \(trip.words) for the \(event.entity.words). Create the trip first, or choose another.",
            entity: trip)
    }

    private func change(_ write: TripEvent.Write, _ record: EntityRecord?) -> Change {
        let path = Path(field: write.field)
        let register = record?.register(at: path)
        var timestamp: Timestamp?
        switch write.saw {
        case .current: timestamp = seen(register?.stamp)
        case .value(let bytes): timestamp = register?.value == bytes ? seen(register?.stamp) : nil
        }
        return Change(path: path, value: write.value, seen: timestamp)
    }

    // What this commit wrote a moment ago has no timestamp yet; within a commit order alone decides.
    private func seen(_ stamp: Stamp?) -> Timestamp? { stamp == Self.pending ? nil : stamp?.timestamp }

    /// What the commit left behind: of the entities that it touched, and of those that it looked at and had from a load.
    func loaded(at stamp: Stamp) -> [(EntityReference, LoadedRecords.Loaded)] {
        var left = known.map { $0.isLoaded ? $0.found.map { LoadedRecords.Loaded.merged($0) } : nil }
        for (index, event) in events.enumerated() {
            let place = eventPlaces[index]
            guard left[place] != nil || known[place].found != nil || event.verb != .created else {
                left[place] = .created(event, index: index, stamp)
                continue
            }
            var record = left[place]?.record ?? known[place].found ?? EntityRecord()
            left[place] = nil
            record.apply(event, index: index, stamp: stamp)
            left[place] = .merged(record)
        }
        return places.compactMap { entity, place in left[place].map { (entity, $0) } }
    }

    /// The versions that the commit left behind.
    func versions(after appended: Appended) -> [EntityReference: EntityVersion] {
        var versions: [EntityReference: EntityVersion] = [:]
        versions.reserveCapacity(order.count)
        for (index, event) in events.enumerated() {
            let before = versions[event.entity] ?? known[eventPlaces[index]].found?.version ?? .none
            versions[event.entity] = before.adding(appended.stamp, index: index)
        }
        return versions
    }
}
