import Dispatch
import Synchronization
import TripStore

/// Passes batches from the thread that reads the file to the task that writes them. The reader waits while two are in
/// flight, so that memory stays bounded.
final class ImportChannel: Sendable {
    let batches: AsyncThrowingStream<ImportBatch, any Error>
    private let continuation: AsyncThrowingStream<ImportBatch, any Error>.Continuation
    // Raised from 0, because a semaphore must not be released while it is below its initial value.
    private let room = DispatchSemaphore(value: 0)
    private let isStopped = Mutex(false)

    init() {
        (batches, continuation) = AsyncThrowingStream.makeStream()
        for _ in 0..<2 { room.signal() }
    }

    /// For the reader: waits for room. Throws `CancellationError` if the writer has stopped.
    func send(_ batch: ImportBatch) throws {
        room.wait()
        try checkOpen()
        continuation.yield(batch)
    }

    /// For the reader, which may continue long without sending: throws `CancellationError` if the writer has stopped.
    func checkOpen() throws { if isStopped.withLock({ $0 }) { throw CancellationError() } }

    /// For the reader: there are no more, because of an error if one is given.
    func finish(_ error: (any Error)? = nil) { continuation.finish(throwing: error) }

    /// For the writer: a batch is finished.
    func taken() { room.signal() }

    /// For the writer: no more are wanted.
    func stop() {
        isStopped.withLock { $0 = true }
        room.signal()
    }
}

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
