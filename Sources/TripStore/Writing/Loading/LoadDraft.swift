import Events
import Trips

/// The events of a commit of a load as they are handed over: checked as far as can be said of each alone, and written down
/// but for the timestamps of what their author saw.
///
/// All that a planner asks of nearly every event lies here in one piece of memory, for the values of events lie far and
/// wide. A draft is made beside the planning of those before.
struct LoadDraft: Sendable {
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
        let isValidForSure: Bool
        /// Whether it says for some change which value its author saw.
        let namesSeen: Bool
    }

    /// More than most events have.
    private static let bytesPerEvent = 256

    /// One for each event, in their order.
    private(set) var entries: [Entry] = []
    private var writer: PayloadWriter

    /// Checks what can be said of each event alone, the greater part of the checks. Throws what is wrong with the first
    /// that has something wrong.
    init(_ events: [TripEvent]) throws(ValidationError) {
        self.init(reservingCapacity: events.count)
        var changes: [PayloadWriter.Change] = []
        for index in events.indices { try add(events[index], isChecked: false, &changes) }
    }

    /// An event that was checked before.
    init(checked event: TripEvent) throws(ValidationError) {
        self.init(reservingCapacity: 1)
        var changes: [PayloadWriter.Change] = []
        try add(event, isChecked: true, &changes)
    }

    private init(reservingCapacity count: Int) {
        entries.reserveCapacity(count)
        writer = PayloadWriter(
            author: "", causation: nil, correlation: nil, reservingCapacity: count * Self.bytesPerEvent)
    }

    private mutating func add(
        _ event: TripEvent, isChecked: Bool, _ changes: inout [PayloadWriter.Change]
    ) throws(ValidationError) {
        // The values stay where they are as long as the event is here: their bytes may be pointed to outside the closures
        // that lend them.
        defer { withExtendedLifetime(event) {} }
        var namesSeen = false
        for index in event.writes.indices {
            let value = event.writes[index].value?.withUnsafeBytes { $0 }
            changes.append(PayloadWriter.Change(field: event.writes[index].field, value: value, seen: nil))
            if event.writes[index].saw != .current { namesSeen = true }
        }
        let isValidForSure = isChecked ? false : try event.validateAlone(changes)
        let message = writer.add(event.verb, event.entity, changes)
        // They point to what may go now.
        changes.removeAll(keepingCapacity: true)
        entries.append(
            Entry(
                entity: event.entity, verb: event.verb, message: message,
                trip: event.entity.kind.isItem ? EventRules.writtenTrip(event) : nil,
                half: event.verb == .edited ? HalfOfSpan(event) : nil, isValidForSure: isValidForSure,
                namesSeen: namesSeen))
    }

    /// How many bytes the events have.
    var byteCount: Int { writer.count }

    /// How many bytes of memory it takes.
    var memory: Int { writer.capacity + entries.capacity * MemoryLayout<Entry>.stride }

    /// Runs `body` on an event's message.
    func withMessage<T>(of entry: Entry, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try writer.withBytes(entry.message, body)
    }
}
