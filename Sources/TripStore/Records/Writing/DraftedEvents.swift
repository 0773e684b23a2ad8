import Events
import Trips

/// Proposed events, validated as far as possible without state, and encoded except for the timestamps of what their
/// author saw.
///
/// What a planner needs of nearly every event is adjacent in one block of memory, because the values of events are
/// scattered. A draft is made while earlier commits are planned.
struct DraftedEvents: Sendable {
    struct Entry: Sendable {
        let entity: EntityReference
        let verb: Verb
        /// The range of the event's message.
        fileprivate let message: Range<Int>
        /// The parent to which it assigns its entity; nil if it does not write it. Within that, nil if it clears it.
        let parent: EntityReference??
        /// The proof of the fast path for the event alone; nil if there is none.
        let proof: FastProof?
        /// Whether a change of it names the value that its author saw.
        let namesSeen: Bool
        /// Whether it adds to a counter: what it writes depends on the writing replica.
        let counts: Bool
    }

    /// Enough for most events.
    private static let bytesPerEvent = 256

    /// The proposed events, with what they write to fields that others replaced.
    let events: [TripEvent]
    /// One for each event, in their order.
    private(set) var entries: [Entry] = []
    /// The faults of events if nothing is held of their entities, by the events' indexes. Usually empty.
    private var faults: [Int: ValidationError] = [:]
    /// The kinds and fields in namespaces that the events use, each once: the store must know them, and the log is to have their names.
    private(set) var used: [UsedPart] = []
    private var writer: PayloadWriter

    /// Validates each event alone, as a store knows its kind, which is most of the validation.
    init(_ proposed: [TripEvent], in known: KnownSchema?) {
        let events = TripEvent.writingFormerFields(proposed, in: known)
        self.init(reserving: events)
        var changes: [PayloadWriter.Change] = []
        for event in events { add(event, isChecked: false, in: known, &changes) }
    }

    /// An event that was validated before.
    init(checked event: TripEvent) {
        self.init(reserving: [event])
        var changes: [PayloadWriter.Change] = []
        add(event, isChecked: true, in: nil, &changes)
    }

    private init(reserving events: [TripEvent]) {
        self.events = events
        entries.reserveCapacity(events.count)
        writer = PayloadWriter(
            author: "", causation: nil, correlation: nil, reservingCapacity: events.count * Self.bytesPerEvent)
    }

    private mutating func add(
        _ event: TripEvent, isChecked: Bool, in known: KnownSchema?, _ changes: inout [PayloadWriter.Change]
    ) {
        // The values stay in place as long as the event exists: pointers to them may leave the closures that lend them.
        defer { withExtendedLifetime(event) {} }
        var (namesSeen, counts) = (false, false)
        if event.entity.kind.isNamespaced { note(UsedPart(kind: ConcreteKind(event.entity))) }
        for index in event.writes.indices {
            let value = event.writes[index].value?.withUnsafeBytes { $0 }
            let key = event.writes[index].path.key.withUnsafeBytes { $0 }
            changes.append(
                PayloadWriter.Change(field: event.writes[index].field, key: key, value: value, seen: nil))
            if !key.isEmpty, event.writes[index].path.element == .ownShare { counts = true }
            if event.writes[index].saw != .current { namesSeen = true }
            if event.writes[index].field > FieldPath.highestBuiltIn {
                note(UsedPart(kind: ConcreteKind(event.entity), number: event.writes[index].field))
            }
        }
        var proof: FastProof?
        if !isChecked {
            do throws(ValidationError) { proof = try event.validateAlone(changes, in: known) } catch {
                faults[entries.count] = error
            }
        }
        let message = writer.add(event.verb, event.entity, changes)
        // They point to memory that may be freed now.
        changes.removeAll(keepingCapacity: true)
        entries.append(
            Entry(
                entity: event.entity, verb: event.verb, message: message,
                parent: EventRules.writtenParent(event), proof: proof, namesSeen: namesSeen, counts: counts))
    }

    private mutating func note(_ part: UsedPart) {
        if part.needsDescription, !used.contains(part) { used.append(part) }
    }

    /// The first event by which an author writes a kind or a field; nil if none does. What another write implies its author does not write.
    func firstWrite(of part: UsedPart) -> TripEvent? {
        events.first { event in
            (event.verb == .created || event.verb == .edited) && ConcreteKind(event.entity) == part.kind
                && (part.number == 0 || event.writes.contains { $0.field == part.number && !$0.isImplied })
        }
    }

    /// The fault of an event if nothing is held of its entity; nil if there is none.
    func fault(at index: Int) -> ValidationError? { faults.isEmpty ? nil : faults[index] }

    /// The first fault.
    var firstFault: ValidationError? { faults.min { $0.key < $1.key }?.value }

    /// The size of the events in bytes.
    var byteCount: Int { writer.count }

    /// Its memory in bytes.
    var memory: Int { writer.capacity + entries.capacity * MemoryLayout<Entry>.stride }

    /// Runs `body` on an event's message.
    func withMessage<T>(of entry: Entry, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try writer.withBytes(entry.message, body)
    }
}
