import TripStore

/// Gathers what is to be written into batches, and hands them over. Used on one thread.
struct ImportSender {
    let store: TripStore
    let basis: ImportBasis
    let tally: ImportTally
    /// Nil if nothing is to be written.
    private let channel: ImportChannel?
    private var draft = ImportDraft()

    init(_ store: TripStore, _ basis: ImportBasis, _ tally: ImportTally, _ channel: ImportChannel?) {
        self.store = store
        self.basis = basis
        self.tally = tally
        self.channel = channel
    }

    /// Throws `CancellationError` if the writer has stopped.
    func checkOpen() throws { try channel?.checkOpen() }

    /// Adds what was decided of a record on what the store held up to a position. What needs no event is counted at once.
    mutating func add(_ record: ImportRecord, _ decision: ImportDecision, at position: Position) throws {
        guard !decision.events.isEmpty else { return tally.count(record, decision) }
        draft.append(record, decision, at: position)
        if draft.isLarge { try send() }
    }

    mutating func sendIfFull() throws { if draft.isFull { try send() } }

    mutating func send() throws {
        guard !draft.records.isEmpty else { return }
        if let channel {
            try channel.send(ImportBatch(draft, store, basis, tally))
        } else {
            tally.count(planned: draft.records, draft.decisions)
        }
        draft = ImportDraft(after: draft)
    }
}
