import Dispatch
import Foundation
import Synchronization
import TravelingSnails
import TripStore

/// What is to happen to one entity, and what it counts as once it has.
struct ImportStep: Sendable {
    let entity: EntityReference
    /// The trip that the entity, if it is an item, is in or comes into.
    var trip: EntityReference?
    /// Where the file holds it; nil for what the file lacks.
    var place: Place?
    let outcome: ImportReport.Outcome
    let events: [TripEvent]
}

/// The steps of one commit.
struct ImportBatch: Sendable {
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

    /// Whether it deletes what the file lacks.
    let isMirror: Bool
    private let fullEvents: Int
    private(set) var steps: [ImportStep] = []
    /// What was decided without an event on the way to here.
    var report = ImportReport()
    private var eventCount = 0
    private var byteCount = 0

    /// The first.
    init() {
        isMirror = false
        fullEvents = Self.firstEvents
    }

    /// The one after another.
    init(after batch: ImportBatch, isMirror: Bool) {
        self.isMirror = isMirror
        fullEvents = min(batch.fullEvents + batch.fullEvents / 4, Self.mostEvents)
    }

    mutating func append(_ step: ImportStep) {
        steps.append(step)
        eventCount += step.events.count
        for event in step.events {
            byteCount += Self.bytesPerEvent
            for write in event.writes { byteCount += Self.bytesPerWrite + (write.value?.count ?? 0) }
        }
    }

    /// Whether the next trip should begin another commit.
    var isFull: Bool { eventCount >= fullEvents || byteCount >= Self.fullBytes }
    /// Whether not even the items of one trip should go on with it.
    var isLarge: Bool { byteCount >= Self.largeBytes }
}

/// Hands batches from the thread that reads the file to the task that writes them. The reader waits while two are under
/// way, so that memory stays bounded.
final class ImportChannel: Sendable {
    let batches: AsyncThrowingStream<ImportBatch, any Error>
    private let continuation: AsyncThrowingStream<ImportBatch, any Error>.Continuation
    // Raised from 0, for a semaphore must not go while it is below the value that it began with.
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

    /// For the reader, who may go on for long with nothing to send: throws `CancellationError` if the writer has stopped.
    func checkOpen() throws { if isStopped.withLock({ $0 }) { throw CancellationError() } }

    /// For the reader: there are no more, because of an error if one is given.
    func finish(_ error: (any Error)? = nil) { continuation.finish(throwing: error) }

    /// For the writer: a batch is done with.
    func taken() { room.signal() }

    /// For the writer: no more are wanted.
    func stop() {
        isStopped.withLock { $0 = true }
        room.signal()
    }
}
