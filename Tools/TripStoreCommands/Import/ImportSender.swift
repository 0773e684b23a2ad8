import TripStore

/// Gathers what is to be written into batches, and hands them over. Used on one thread.
struct ImportSender {
    let store: TripStore
    let history: ImportHistory
    let tally: ImportTally
    private let channel: ImportChannel
    private var draft = ImportDraft()

    init(_ store: TripStore, _ history: ImportHistory, _ tally: ImportTally, _ channel: ImportChannel) {
        self.store = store
        self.history = history
        self.tally = tally
        self.channel = channel
    }

    /// Throws `CancellationError` if the writer has stopped.
    func checkOpen() throws { try channel.checkOpen() }

    /// Adds what was decided of a record on what the store held up to a position. What needs no event is counted at once.
    mutating func add(_ record: ImportRecord, _ decision: ImportDecision, at position: Position) throws {
        guard !decision.events.isEmpty else { return tally.count(record, decision) }
        draft.append(record, decision, at: position)
        if draft.isLarge { try send() }
    }

    mutating func sendIfFull() throws { if draft.isFull { try send() } }

    mutating func send() throws {
        guard !draft.records.isEmpty else { return }
        try channel.send(ImportBatch(draft, store, history, tally))
        draft = ImportDraft(after: draft)
    }
}
