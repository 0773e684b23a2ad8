import Dispatch
import Synchronization

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
