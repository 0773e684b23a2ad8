import TripStore

/// What goes into one commit of an import, as it is gathered.
struct ImportDraft: Sendable {
    /// About how many events the first commit gets, and how many any gets at most; a trip stays together with its items. Each
    /// gets a quarter more than the one before: small ones first, so that the writer need not wait long for the first, nor at the
    /// end of a short file the reader's work be done long before the writer's; large ones later, for they cost least.
    private static let firstEvents = 100
    private static let mostEvents = 1_000
    /// Bytes at which a commit gets no further trip, however few its events.
    private static let fullBytes = 1 << 20
    /// Bytes at which not even the items of one trip go on in a commit. An item has four texts of 1 MiB at most, so that
    /// the commit stays below the log's 16 MiB with room to spare.
    private static let largeBytes = 11 << 20
    /// What an event and each of its writes take in the log beside the value: tags, lengths, an id, timestamps. Rather
    /// too much.
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
    /// Whether not even the items of one trip should go on with it.
    var isLarge: Bool { byteCount >= Self.largeBytes }
}
