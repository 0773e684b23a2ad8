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
    /// Whether there is a kind or a field of the store's own namespace, whose names the log is to have.
    private(set) var usesStoreNamespace = false
    private var writer: PayloadWriter

    /// Validates each event alone, which is most of the validation.
    init(_ proposed: [TripEvent]) {
        let events = TripEvent.mayWriteFormerFields ? proposed.map(\.writingFormerFields) : proposed
        self.init(reserving: events)
        var changes: [PayloadWriter.Change] = []
        for event in events { add(event, isChecked: false, &changes) }
    }

    /// An event that was validated before.
    init(checked event: TripEvent) {
        self.init(reserving: [event])
        var changes: [PayloadWriter.Change] = []
        add(event, isChecked: true, &changes)
    }

    private init(reserving events: [TripEvent]) {
        self.events = events
        entries.reserveCapacity(events.count)
        writer = PayloadWriter(
            author: "", causation: nil, correlation: nil, reservingCapacity: events.count * Self.bytesPerEvent)
    }

    private mutating func add(_ event: TripEvent, isChecked: Bool, _ changes: inout [PayloadWriter.Change]) {
        // The values stay in place as long as the event exists: pointers to them may leave the closures that lend them.
        defer { withExtendedLifetime(event) {} }
        var (namesSeen, counts) = (false, false)
        if StoreNamespace.contains(event.entity) { usesStoreNamespace = true }
        for index in event.writes.indices {
            let value = event.writes[index].value?.withUnsafeBytes { $0 }
            let key = event.writes[index].path.key.withUnsafeBytes { $0 }
            changes.append(
                PayloadWriter.Change(field: event.writes[index].field, key: key, value: value, seen: nil))
            if !key.isEmpty, event.writes[index].path.element == .ownShare { counts = true }
            if event.writes[index].saw != .current { namesSeen = true }
            if event.writes[index].field > FieldPath.highestBuiltIn,
                StoreNamespace.describes(field: event.writes[index].field)
            {
                usesStoreNamespace = true
            }
        }
        var proof: FastProof?
        if !isChecked {
            do throws(ValidationError) { proof = try event.validateAlone(changes) } catch {
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
