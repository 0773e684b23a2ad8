import EventLog
import Events
import ProjectionEngine
import Trips

/// Plans the commits of a load, one after the other: each of their events is checked on what the load did before it and,
/// beyond that, on the views, and written down at once, with the timestamps of the values that its author saw.
///
/// What was planned holds if the commits are stored in this order, with the timestamps that they were given here, and
/// nobody else's come in between.
struct LoadPlanner {
    /// A commit as it was planned.
    struct Planned {
        let payload: [UInt8]
        let timestamp: Timestamp
    }

    /// How many payloads are left alone that were stored last: the writer may have them in its hands still, and to write over
    /// them would copy them.
    private static let fewestUsed = 4
    /// How many are kept at most, and of what size.
    private static let mostUsed = 8
    private static let mostUsedBytes = 1 << 20
    /// How many events ahead memory is asked for.
    private static let lookAhead = 8

    private let authorship: Authorship
    private var clock: LineClock
    /// What the views show at least.
    private var position: Position
    private var entities = LoadedEntities()
    private var changes: [PayloadWriter.Change] = []
    /// Payloads whose memory may be used again.
    private var used: [[UInt8]] = []
    /// Of the commit before, for the next to begin with.
    private var bytesPerEvent = 256

    /// The views show everything up to a position.
    init(_ authorship: Authorship, _ clock: LineClock, at position: Position) {
        self.authorship = authorship
        self.clock = clock
        self.position = position
    }

    /// Begins anew, likewise.
    mutating func reset(_ clock: LineClock, at position: Position) {
        self.clock = clock
        self.position = position
        entities.removeAll()
    }

    /// Takes back a payload that is stored.
    mutating func reuse(_ planned: Planned) {
        if used.count < Self.mostUsed, planned.payload.capacity <= Self.mostUsedBytes { used.append(planned.payload) }
    }

    /// Plans a commit. Throws `LoadedEntities.OutOfReach`, or what is wrong with it; before anything else is planned, the
    /// planner is to be reset then.
    mutating func plan(_ commit: LoadedCommit, on views: borrowing ViewSnapshot) throws -> Planned {
        // Those that are being retired may be served once more.
        guard views.position >= position else { throw LoadedEntities.OutOfReach() }
        try entities.beginCommit()
        let timestamp = try clock.next()
        var writer = PayloadWriter(
            author: authorship.author, causation: authorship.causation, correlation: authorship.correlation,
            over: used.count > Self.fewestUsed ? used.removeFirst() : [],
            reservingCapacity: 128 + commit.events.count * bytesPerEvent)
        let events = commit.events
        for index in events.indices {
            // What is known of them lies far and wide.
            let ahead = index + Self.lookAhead
            if ahead < events.count { entities.prefetch(events[ahead].entity) }
            let isValidForSure = commit.areValidForSure[index]
            try add(events[index], isValidForSure: isValidForSure, at: timestamp, on: views, &writer)
        }
        let payload = writer.finish()
        bytesPerEvent = payload.count / commit.events.count + 16
        return Planned(payload: payload, timestamp: timestamp)
    }

    private mutating func add(
        _ proposed: TripEvent, isValidForSure: Bool, at timestamp: Timestamp, on views: borrowing ViewSnapshot,
        _ writer: inout PayloadWriter
    ) throws {
        let number = try entities.number(of: proposed.entity, in: views)
        try EventRules.check(proposed.verb, of: proposed.entity, on: entities.presence(of: number))
        let isHeld = entities.isHeld(number)
        if isHeld, let changed = try check(proposed, isValidForSure: isValidForSure, number) {
            try write(changed, isHeld, number, at: timestamp, on: views, &writer)
        } else {
            try write(proposed, isHeld, number, at: timestamp, on: views, &writer)
        }
    }

    private mutating func write(
        _ event: TripEvent, _ isHeld: Bool, _ number: Int, at timestamp: Timestamp, on views: borrowing ViewSnapshot,
        _ writer: inout PayloadWriter
    ) throws {
        try checkTrip(of: event, number, views)
        changes.removeAll(keepingCapacity: true)
        for index in event.writes.indices {
            let seen = isHeld ? try self.seen(event.writes[index], number, timestamp) : nil
            changes.append(
                PayloadWriter.Change(
                    field: event.writes[index].field, value: event.writes[index].value?.withUnsafeBytes { $0 },
                    seen: seen))
        }
        var newest: (deletion: Timestamp?, write: Timestamp?) = (nil, nil)
        if event.verb == .deleted || event.verb == .restored { newest = try entities.newest(of: number) }
        // The values stay where they are as long as the event is here: their bytes may be pointed to outside the closures
        // that lend them.
        let range = withExtendedLifetime(event) {
            writer.add(
                event.verb, event.entity, changes, seen: newest.deletion.flatMap { $0 == timestamp ? nil : $0 },
                seenNewest: newest.write.flatMap { $0 == timestamp ? nil : $0 })
        }
        // They point to what may go now.
        changes.removeAll(keepingCapacity: true)
        try writer.withBytes(range) { try entities.add(event.verb, $0, at: timestamp, to: number) }
    }

    /// Checks an event on what is held of its entity. Answers it with the parts that this version does not know of the
    /// values that it replaces; nil if there are none.
    private func check(_ proposed: TripEvent, isValidForSure: Bool, _ number: Int) throws -> TripEvent? {
        var failure: (any Error)?
        func look<T>(_ field: UInt32, _ body: (UnsafeRawBufferPointer) -> T) -> T? {
            do { return try entities.withHeld(field, of: number) { $1.map(body) } ?? nil } catch {
                failure = error
                return nil
            }
        }
        func held(_ field: UInt32) -> [UInt8]? { look(field) { [UInt8]($0) } }
        let isValid = isValidForSure && proposed.verb == .edited && proposed.isSpanValidForSure(held)
        var changed: TripEvent?
        if proposed.mayReplaceUnknownParts({ look($0, $1) ?? false }) {
            changed = proposed
            changed?.keepUnknownParts(of: held)
        }
        if !isValid { try (changed ?? proposed).validateRules(on: held) }
        if let failure { throw failure }
        return changed
    }

    private mutating func checkTrip(of event: TripEvent, _ number: Int, _ views: borrowing ViewSnapshot) throws {
        guard event.entity.kind.isItem else { return }
        let written = EventRules.writtenTrip(event)
        guard let trip = try written ?? heldTrip(number) else { return }
        let tripNumber = try entities.number(of: trip, in: views)
        try EventRules.check(trip, isWritten: written != nil, by: event, on: entities.presence(of: tripNumber))
    }

    private func heldTrip(_ number: Int) throws -> EntityReference? {
        try entities.withHeld(EventRules.tripField, of: number) { $1.flatMap { EventRules.reference(toTrip: $0) } }
            ?? nil
    }

    /// When the value was written that the author of a write saw. Within a commit there is no such time: order alone
    /// decides.
    private func seen(_ write: TripEvent.Write, _ number: Int, _ timestamp: Timestamp) throws -> Timestamp? {
        try entities.withHeld(write.field, of: number) { writtenAt, value in
            guard writtenAt != timestamp else { return nil }
            switch write.saw {
            case .current: return writtenAt
            case .value(let bytes):
                guard let bytes else { return value == nil ? writtenAt : nil }
                return value.map { bytes.withUnsafeBytes($0.elementsEqual) } == true ? writtenAt : nil
            }
        } ?? nil
    }
}
