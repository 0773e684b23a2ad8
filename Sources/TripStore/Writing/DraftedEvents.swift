import Events
import Trips

/// Proposed events as they are handed over: checked as far as can be said of each alone, and written down but for the
/// timestamps of what their author saw.
///
/// All that a planner asks of nearly every event lies here in one piece of memory, for the values of events lie far and
/// wide. A draft is made beside the planning of the commits before.
struct DraftedEvents: Sendable {
    struct Entry: Sendable {
        let entity: EntityReference
        let verb: Verb
        /// Where the event's message lies.
        fileprivate let message: Range<Int>
        /// The trip to which it says that its item belongs; nil if it says nothing of it. Within that, nil if it clears it.
        let trip: EntityReference??
        /// Of an edit, what is left to look at if it writes the start or the end alone.
        let half: HalfOfSpan?
        /// Whether a quick look showed all that can be said of it alone.
        let isValidOnFastPath: Bool
        /// Whether it says for some change which value its author saw.
        let namesSeen: Bool
    }

    /// More than most events have.
    private static let bytesPerEvent = 256

    /// What was proposed.
    let events: [TripEvent]
    /// One for each event, in their order.
    private(set) var entries: [Entry] = []
    /// What is wrong with events where nothing is held of their entities, by their places. Mostly none are here.
    private var faults: [Int: ValidationError] = [:]
    private var writer: PayloadWriter

    /// Checks what can be said of each event alone, the greater part of the checks.
    init(_ events: [TripEvent]) {
        self.init(reserving: events)
        var changes: [PayloadWriter.Change] = []
        for event in events { add(event, isChecked: false, &changes) }
    }

    /// An event that was checked before.
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
        // The values stay where they are as long as the event is here: their bytes may be pointed to outside the closures
        // that lend them.
        defer { withExtendedLifetime(event) {} }
        var namesSeen = false
        for index in event.writes.indices {
            let value = event.writes[index].value?.withUnsafeBytes { $0 }
            changes.append(PayloadWriter.Change(field: event.writes[index].field, value: value, seen: nil))
            if event.writes[index].saw != .current { namesSeen = true }
        }
        var isValidOnFastPath = false
        if !isChecked {
            do throws(ValidationError) { isValidOnFastPath = try event.validateAlone(changes) } catch {
                faults[entries.count] = error
            }
        }
        let message = writer.add(event.verb, event.entity, changes)
        // They point to what may go now.
        changes.removeAll(keepingCapacity: true)
        entries.append(
            Entry(
                entity: event.entity, verb: event.verb, message: message,
                trip: event.entity.kind.isItem ? EventRules.writtenTrip(event) : nil,
                half: event.verb == .edited ? HalfOfSpan(event) : nil, isValidOnFastPath: isValidOnFastPath,
                namesSeen: namesSeen))
    }

    /// What is wrong with an event if nothing is held of its entity; nil if nothing is.
    func fault(at index: Int) -> ValidationError? { faults.isEmpty ? nil : faults[index] }

    /// What is wrong with the first event that has something wrong.
    var firstFault: ValidationError? { faults.min { $0.key < $1.key }?.value }

    /// How many bytes the events have.
    var byteCount: Int { writer.count }

    /// How many bytes of memory it takes.
    var memory: Int { writer.capacity + entries.capacity * MemoryLayout<Entry>.stride }

    /// Runs `body` on an event's message.
    func withMessage<T>(of entry: Entry, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try writer.withBytes(entry.message, body)
    }
}
