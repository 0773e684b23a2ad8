import TripStore

/// What goes into one commit of an import, as it is gathered.
struct ImportDraft: Sendable {
    /// The approximate number of events of the first commit, and the maximum for any; a trip stays together with its
    /// items. Each commit gets a quarter more than the one before. Small ones come first, so that the writer does not
    /// wait long for the first, and the reader is not done long before the writer with a short file; later ones are
    /// large, because they cost least.
    private static let firstEvents = 100
    private static let mostEvents = 1_000
    /// The size in bytes from which a commit gets no further trip, however few its events.
    private static let fullBytes = 1 << 20
    /// The size in bytes from which even the items of one trip go into the next commit. An item has at most four texts
    /// of 1 MiB, so that the commit stays well below the log's 16 MiB.
    private static let largeBytes = 11 << 20
    /// The bytes of an event, and of each of its writes, in the log beside the value: tags, lengths, an id, timestamps.
    /// Rather too many.
    private static let bytesPerEvent = 64
    private static let bytesPerWrite = 32

    private let fullEvents: Int
    private(set) var records: [ImportRecord] = []
    /// What is to happen to the entity of each record.
    private(set) var decisions: [ImportDecision] = []
    /// Up to which commit of the log the decisions hold, at least.
    private(set) var position = Position(.max)
    private var eventCount = 0
    private var byteCount = 0

    /// The first.
    init() { fullEvents = Self.firstEvents }

    /// The one after another.
    init(after draft: ImportDraft) {
        fullEvents = min(draft.fullEvents + draft.fullEvents / 4, Self.mostEvents)
    }

    mutating func append(_ record: ImportRecord, _ decision: ImportDecision, at position: Position) {
        records.append(record)
        decisions.append(decision)
        self.position = min(self.position, position)
        eventCount += decision.events.count
        for event in decision.events {
            byteCount += Self.bytesPerEvent
            for write in event.writes { byteCount += Self.bytesPerWrite + (write.value?.count ?? 0) }
        }
    }

    /// Whether the next trip should begin another commit.
    var isFull: Bool { eventCount >= fullEvents || byteCount >= Self.fullBytes }
    /// Whether even the items of one trip should go into the next commit.
    var isLarge: Bool { byteCount >= Self.largeBytes }
}
