import Events
import Trips

/// The only path from a proposed event to a written one: all writes pass their events to a planner, which checks each
/// against the current state and encodes it, with the timestamps of the values that its author saw.
///
/// The state of an entity consists of the source's record and the events planned since. A commit has a planner of its
/// own, whose source is the views and the commits that they lack. A load has one for all of its commits, whose source
/// is the views from before the load.
struct CommitPlanner: ~Copyable {
    /// The number of events to prefetch ahead.
    private static let lookAhead = 8
    /// The bytes of a payload before its events, and those that timestamps add to an event; enough for most authors and
    /// events.
    private static let frontSize = 128
    private static let roomForSeen = 16
    var memory: EntityMemory
    /// The kinds and fields that the store knows.
    let known: KnownSchema?
    /// Whether writes that change nothing are omitted.
    private let leavesOutUnchanged: Bool
    /// The reference of events of the commit to what the commit itself wrote.
    private var own: Seen
    /// The held values of the fields that an event writes, in the order of its changes, and perhaps one more.
    var fields: [HeldField] = []
    private var changes: [PayloadWriter.Change] = []
    /// What was put under a parent whose deletion it denies, since the source was read.
    private(set) var denying: [EntityReference: Set<EntityReference>] = [:]
    /// The last parent that was read in the commit.
    var lastParent: (entity: EntityReference, number: Int)?
    /// The entities that the commit touches; nil if not needed.
    private(set) var touched: TouchedEntities?

    /// The writing replica.
    var writer: ReplicaID { own.replica }

    /// For one commit of a replica, which has no timestamp yet.
    init(of replica: ReplicaID, leavesOutUnchanged: Bool, in known: KnownSchema?) {
        self.known = known
        self.leavesOutUnchanged = leavesOutUnchanged
        own = Seen(timestamp: Timestamp(rawValue: .max), replica: replica)
        memory = EntityMemory(of: replica)
        touched = TouchedEntities()
    }

    /// For many commits of a replica.
    init(of replica: ReplicaID, in known: KnownSchema?) {
        self.known = known
        leavesOutUnchanged = false
        own = Seen(timestamp: .zero, replica: replica)
        memory = EntityMemory(of: replica)
    }

    /// Begins one of many commits, with its timestamp. Throws `EntityMemory.OutOfReach`.
    mutating func beginCommit(at timestamp: Timestamp) throws(EntityMemory.OutOfReach) {
        own = Seen(timestamp: timestamp, replica: own.replica)
        lastParent = nil
        try memory.beginCommit()
    }

    /// The approximate size of a payload of drafted events in bytes.
    static func room(for draft: DraftedEvents) -> Int {
        frontSize + draft.byteCount + draft.entries.count * roomForSeen
    }

    // MARK: Events

    /// Checks the versions that a caller expects, even of entities that no event touches; before any event is added.
    ///
    /// Throws `TripStoreError.Code.versionConflict`.
    mutating func check<Source: RecordSource & ~Copyable>(
        _ expected: [EntityReference: EntityVersion], on source: borrowing Source
    ) throws {
        for (entity, version) in expected {
            let found = try memory.version(of: memory.number(of: entity, in: source))
            guard found == version else {
                throw TripStoreError(
                    .versionConflict,
                    "The \(entity.words(in: known)) is in version \(found) and not in \(version), which was expected. "
                        + "Read it again and repeat the change.",
                    entity: entity, versions: (expected: version, found: found))
            }
        }
    }

    /// Checks and encodes all events, except those that change nothing if they are to be omitted.
    ///
    /// Throws `TripStoreError` or `ValidationError`, or `EntityMemory.OutOfReach`.
    mutating func add<Source: RecordSource & ~Copyable>(
        _ draft: DraftedEvents, on source: borrowing Source, to writer: inout PayloadWriter
    ) throws {
        let entries = draft.entries
        for index in entries.indices {
            // Their data is scattered in memory.
            let ahead = index + Self.lookAhead
            if ahead < entries.count { memory.prefetch(entries[ahead]) }
            try add(entries[index], index, of: draft, on: source, to: &writer)
        }
    }

    private mutating func add<Source: RecordSource & ~Copyable>(
        _ entry: DraftedEvents.Entry, _ index: Int, of draft: DraftedEvents, on source: borrowing Source,
        to writer: inout PayloadWriter
    ) throws {
        memory.makeRoom()
        let number = try memory.number(of: entry.entity, in: source)
        try EventRules.check(entry.verb, of: entry.entity, on: memory.presence(of: number), in: known)
        if entry.counts {
            let counted = DraftedEvents([try counting(draft.events[index], number)], in: known)
            return try add(counted.entries[0], 0, of: counted, on: source, to: &writer)
        }
        let isHeld = memory.isHeld(number)
        // The event to write if it is not the proposed one.
        var changed: TripEvent?
        if let fault = draft.fault(at: index) {
            guard isHeld else { throw fault }
            try draft.events[index].validateValues(in: known)
        }
        if isHeld {
            try findHeld(entry, number, in: draft)
            if try !isFineOnFastPath(entry, in: draft) {
                changed = try lookClosely(draft.events[index], entry, number)
            }
        }
        if entry.verb == .deleted, known.declared.mayDeny { try checkDenied(entry.entity, on: source) }
        try checkParent(of: entry.entity, entry.verb, written: entry.parent, number, on: source)
        if leavesOutUnchanged, entry.verb == .edited {
            guard let rest = try leavingOutUnchanged(changed ?? draft.events[index], number) else {
                touched?.noteUnchanged(entry.entity, foundIn: try memory.version(of: number))
                return
            }
            if rest.writes.count < draft.events[index].writes.count { changed = rest }
        }
        let message: Range<Int>
        if let changed {
            let draft = DraftedEvents(checked: changed)
            message = try write(draft.entries[0], 0, of: draft, number, to: &writer)
        } else if isHeld {
            message = try write(entry, index, of: draft, number, to: &writer)
        } else {
            message = draft.withMessage(of: entry) { writer.add($0) }
        }
        try note(entry.verb, entry.entity, parent: entry.parent, message, number, in: writer)
    }

    /// Adds an event that was computed from what is in the log.
    ///
    /// `lastParent` is the one under which its commit files the entity in the end; nil if it does not.
    ///
    /// Throws `TripStoreError` or `ValidationError` if the rules do not let it pass, or `EntityMemory.OutOfReach`.
    mutating func add<Source: RecordSource & ~Copyable>(
        _ event: Event, by rules: ComputedEventRules, filedUnder lastParent: EntityReference??,
        on source: borrowing Source, to writer: inout PayloadWriter
    ) throws {
        memory.makeRoom()
        let number = try memory.number(of: event.entity, in: source)
        if rules != .adopting {
            try EventRules.check(computed: event, by: rules, on: memory.presence(of: number), in: known) {
                try value(of: FieldPath(field: $0), number)
            }
            try checkParent(
                of: event.entity, event.verb, written: lastParent, number, isComputed: rules == .undoing, on: source)
            if event.verb == .deleted, known.declared.mayDeny { try checkDenied(event.entity, on: source) }
        }
        let message = writer.add(event)
        try note(event.verb, event.entity, parent: EventRules.writtenParent(event), message, number, in: writer)
    }

    private mutating func note(
        _ verb: Verb, _ entity: EntityReference, parent: EntityReference??, _ message: Range<Int>, _ number: Int,
        in writer: borrowing PayloadWriter
    ) throws {
        if let parent = parent ?? nil, entity.parentRule(in: known) == .deny {
            denying[parent, default: []].insert(entity)
        }
        if touched != nil { touched?.note(entity, number, foundIn: try memory.version(of: number)) }
        try writer.withBytes(message) {
            try memory.add(verb, $0, parent: parent, at: own.timestamp, to: number)
        }
    }

    // MARK: Writing down

    /// Encodes an event of an existing entity, with the timestamps of the field values found.
    private mutating func write(
        _ entry: DraftedEvents.Entry, _ index: Int, of draft: DraftedEvents, _ number: Int,
        to writer: inout PayloadWriter
    ) throws -> Range<Int> {
        let own = own
        // Within a commit nothing has a time at which it was seen: only the order decides.
        let earlier = { (seen: Seen?) in seen == own ? nil : seen }
        var deletion: Seen?
        if entry.verb == .deleted || entry.verb == .restored { deletion = earlier(try memory.deletion(of: number)) }
        // The event's own `seen` comes first in the payload's list.
        _ = writer.reference(to: deletion)
        // Calling a method of the planner from the closure would copy the planner first, which takes longer than
        // everything else here: so what the closure needs is taken out.
        var changes: [PayloadWriter.Change] = []
        swap(&changes, &self.changes)
        // They point to memory that may be freed afterwards.
        defer {
            changes.removeAll(keepingCapacity: true)
            swap(&changes, &self.changes)
        }
        return try draft.withMessage(of: entry) { [fields] bytes in
            try EventView(plain: bytes).forEachChange { change throws(WireError) in
                let found = fields[changes.count]
                var seen = earlier(found.written)
                if seen != nil, entry.namesSeen,
                    try !isSeen(draft.events[index].writes, changes.count, of: entry.entity, number)
                {
                    seen = nil
                }
                changes.append(
                    PayloadWriter.Change(
                        field: change.field, key: change.key, value: change.value, seen: writer.reference(to: seen)))
            }
            return writer.add(entry.verb, entry.entity, changes, seen: deletion)
        }
    }

    /// Whether the author of a write saw the value found: true unless the author says otherwise.
    ///
    /// Not inlined, so that the planner is copied only where this is called.
    @inline(never)
    private func isSeen(
        _ writes: [TripEvent.Write], _ index: Int, of entity: EntityReference, _ number: Int
    ) throws(WireError) -> Bool {
        var index = index
        // The author of a write that follows from another saw what that one's author saw.
        while case .implied(let field) = writes[index].saw {
            guard let origin = writes[..<index].lastIndex(where: { $0.path == FieldPath(field: field) }) else {
                return true
            }
            index = origin
        }
        let found = fields[index]
        guard case .value(let bytes) = writes[index].saw else { return true }
        if let shown = try shownOfOthers(at: found.path, of: entity, number) { return bytes == shown }
        let isSame =
            if let bytes {
                memory.withValue(of: found) { bytes.withUnsafeBytes($0.equals) } == true
            } else {
                found.value == nil
            }
        return isSame ? true : try isHidden(found.path, of: entity, number)
    }
}
