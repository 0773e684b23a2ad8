import EventLog
import Events
import ProjectionEngine
import Trips

/// Plans the commits of a load, one after the other: each of their events is checked on what the load did before it and,
/// beyond that, on the views, and written down at once, with the timestamps of the values that its author saw.
///
/// What was planned holds if the commits are stored in this order, with the timestamps that they were given here, and
/// nobody else's come in between.
struct LoadPlanner: ~Copyable {
    /// A commit as it was planned.
    struct Planned: Sendable {
        let payload: [UInt8]
        let timestamp: Timestamp
        /// Whose writes its events name as seen if the load made them.
        let replica: ReplicaID
    }

    /// How many payloads are left alone that were stored last: the writer may have them in its hands still, and to write over
    /// them would copy them.
    private static let fewestUsed = 4
    /// How many are kept at most, and of what size.
    private static let mostUsed = 8
    private static let mostUsedBytes = 1 << 20
    /// How many events ahead memory is asked for.
    private static let lookAhead = 8
    /// Bytes of a payload before its events, and what timestamps add to an event; with most authors, and to most events.
    private static let frontSize = 128
    private static let roomForSeen = 16

    private let authorship: Authorship
    private var clock: LineClock
    /// What the log holds of others: nobody else's commits come in between.
    private var held: VersionVector
    /// What the views show at least.
    private var position: Position
    private var entities: LoadedEntities
    /// What is held of the fields that an event writes, in the order of its changes, and perhaps of one more.
    private var fields: [HeldField] = []
    private var changes: [PayloadWriter.Change] = []
    /// The trip that was looked at last in the commit.
    private var lastTrip: (entity: EntityReference, number: Int)?
    /// Payloads whose memory may be used again.
    private var used: [[UInt8]] = []

    /// The views show everything up to a position.
    init(_ authorship: Authorship, _ clock: LineClock, holding held: VersionVector, at position: Position) {
        self.authorship = authorship
        self.clock = clock
        self.held = held
        self.position = position
        entities = LoadedEntities(of: clock.replica)
    }

    /// Begins anew, likewise.
    mutating func reset(_ clock: LineClock, holding held: VersionVector, at position: Position) {
        self.clock = clock
        self.held = held
        self.position = position
        entities.removeAll(of: clock.replica)
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
        lastTrip = nil
        let entries = commit.draft.entries
        let timestamp = try clock.next()
        var place = Place(commit, timestamp)
        var writer = PayloadWriter(
            author: authorship.author, causation: authorship.causation, correlation: authorship.correlation,
            over: used.count > Self.fewestUsed ? used.removeFirst() : [],
            reservingCapacity: Self.frontSize + commit.draft.byteCount + entries.count * Self.roomForSeen)
        for index in entries.indices {
            // What is known of them lies far and wide.
            let ahead = index + Self.lookAhead
            if ahead < entries.count { entities.prefetch(entries[ahead]) }
            place.index = index
            try add(entries[index], place, on: views, &writer)
        }
        let deletes = entries.contains { $0.verb == .deleted }
        let payload = writer.finish(holding: deletes ? held : VersionVector())
        return Planned(payload: payload, timestamp: timestamp, replica: clock.replica)
    }

    /// Which event is being planned.
    private struct Place {
        let commit: LoadedCommit
        let timestamp: Timestamp
        var index = 0

        init(_ commit: LoadedCommit, _ timestamp: Timestamp) {
            self.commit = commit
            self.timestamp = timestamp
        }

        var event: TripEvent { commit.events[index] }
    }

    private mutating func add(
        _ entry: LoadDraft.Entry, _ place: Place, on views: borrowing ViewSnapshot, _ writer: inout PayloadWriter
    ) throws {
        let number = try entities.number(of: entry.entity, in: views)
        try EventRules.check(entry.verb, of: entry.entity, on: entities.presence(of: number))
        let isHeld = entities.isHeld(number)
        var changed: TripEvent?
        if isHeld {
            try findHeld(entry, number, in: place.commit.draft)
            if try !isFineForSure(entry, in: place.commit.draft) {
                changed = try lookClosely(place.event, entry, number)
            }
        }
        try checkTrip(entry, number, views)
        let message: Range<Int>
        if let changed {
            let draft = try LoadDraft(checked: changed)
            message = try write(draft.entries[0], in: draft, number, place, &writer)
        } else if isHeld {
            message = try write(entry, in: place.commit.draft, number, place, &writer)
        } else {
            message = place.commit.draft.withMessage(of: entry) { writer.add($0) }
        }
        try writer.withBytes(message) {
            try entities.add(entry.verb, $0, trip: entry.trip, at: place.timestamp, to: number)
        }
    }

    /// Finds what is held of the fields that an event writes, and of the other of start and end if it writes one alone.
    private mutating func findHeld(_ entry: LoadDraft.Entry, _ number: Int, in draft: LoadDraft) throws {
        fields.removeAll(keepingCapacity: true)
        try draft.withMessage(of: entry) { bytes in
            try EventView(plain: bytes).forEachChange { fields.append(HeldField($0.field)) }
        }
        if let half = entry.half { fields.append(HeldField(half.other)) }
        try entities.find(&fields, of: number)
    }

    /// Whether a quick look at what was found shows that nothing is left to check of an event, and nothing to keep of what it
    /// replaces.
    private func isFineForSure(_ entry: LoadDraft.Entry, in draft: LoadDraft) throws -> Bool {
        guard entry.isValidForSure && entry.verb == .edited else { return false }
        return try draft.withMessage(of: entry) { bytes in
            var isFine = true
            var index = 0
            try EventView(plain: bytes).forEachChange { change in
                defer { index += 1 }
                guard let value = change.value else { return }
                let mayLose = entities.withValue(of: fields[index]) {
                    TripEvent.mayHaveUnknownParts($0, in: change.field, of: entry.entity.kind)
                }
                if mayLose == true { isFine = false }
                guard let half = entry.half, half.written == change.field, let other = fields.last else { return }
                let isInOrder = entities.withValue(of: other) { half.isInOrderForSure(value, with: $0) }
                if isInOrder == false { isFine = false }
            }
            return isFine
        }
    }

    /// Checks an event on what is held of its entity. Answers it with the parts that this version does not know of the
    /// values that it replaces; nil if there are none.
    private func lookClosely(_ proposed: TripEvent, _ entry: LoadDraft.Entry, _ number: Int) throws -> TripEvent? {
        var failure: (any Error)?
        func held(_ field: UInt32) -> [UInt8]? {
            var found = [HeldField(field)]
            do { try entities.find(&found, of: number) } catch {
                failure = error
                return nil
            }
            return entities.withValue(of: found[0]) { [UInt8]($0) }
        }
        var changed = proposed
        changed.keepUnknownParts(of: held)
        // Of an edit that is valid alone, all that is left is the order of start and end; the rules look at that.
        if !(entry.isValidForSure && entry.verb == .edited && entry.half == nil) { try changed.validateRules(on: held) }
        if let failure { throw failure }
        return changed.writes == proposed.writes ? nil : changed
    }

    private mutating func checkTrip(
        _ entry: LoadDraft.Entry, _ number: Int, _ views: borrowing ViewSnapshot
    ) throws {
        guard entry.entity.kind.isItem, let trip = entry.trip ?? entities.trip(of: number) else { return }
        // Items of a trip mostly come one after the other.
        let tripNumber =
            if let lastTrip, lastTrip.entity == trip { lastTrip.number } else {
                try entities.number(of: trip, in: views)
            }
        lastTrip = (trip, tripNumber)
        try EventRules.check(
            trip, isWritten: entry.trip != nil, by: entry.verb, of: entry.entity, on: entities.presence(of: tripNumber))
    }

    /// Writes an event of an entity of which something is held, with the timestamps of what was found of its fields.
    private mutating func write(
        _ entry: LoadDraft.Entry, in draft: LoadDraft, _ number: Int, _ place: Place, _ writer: inout PayloadWriter
    ) throws -> Range<Int> {
        var deletion: Seen?
        if entry.verb == .deleted || entry.verb == .restored { deletion = try entities.deletion(of: number) }
        // To call a method of the planner from the closure is to copy the planner first, which takes longer than all else here:
        // so what every change asks for is taken out of it.
        var changes: [PayloadWriter.Change] = []
        swap(&changes, &self.changes)
        // They point to what may go afterwards.
        defer {
            changes.removeAll(keepingCapacity: true)
            swap(&changes, &self.changes)
        }
        let own = Seen(timestamp: place.timestamp, replica: clock.replica)
        let earlier = { (seen: Seen?) in seen == own ? nil : seen }
        return try draft.withMessage(of: entry) { [fields] bytes in
            try EventView(plain: bytes).forEachChange { change in
                let found = fields[changes.count]
                // Within a commit there is no time at which something was seen: order alone decides.
                var seen = earlier(found.written)
                if seen != nil, entry.namesSeen, !isSeen(found, by: place.event.writes[changes.count].saw) {
                    seen = nil
                }
                changes.append(
                    PayloadWriter.Change(
                        field: change.field, value: change.value, seen: writer.reference(to: seen)))
            }
            return writer.add(entry.verb, entry.entity, changes, seen: earlier(deletion))
        }
    }

    /// Whether the author of a write saw what was found: if he says what he saw, that is it.
    ///
    /// Not inlined, so that the planner is copied where this is called and nowhere else.
    @inline(never)
    private func isSeen(_ found: HeldField, by saw: SeenValue) -> Bool {
        guard case .value(let bytes) = saw else { return true }
        guard let bytes else { return found.value == nil }
        return entities.withValue(of: found) { bytes.withUnsafeBytes($0.equals) } == true
    }
}
