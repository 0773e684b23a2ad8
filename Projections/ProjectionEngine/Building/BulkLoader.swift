import EventLog
import Events
import Foundation
import LMDB
import LMDBFormat

/// Writes sorted rows to a new data file on a thread of its own, while other threads make the next ones.
///
/// `@unchecked Sendable`: every mutable member is accessed with `condition` locked.
final class BulkLoader: @unchecked Sendable {
    /// Rows for one part of the file; all follow the rows that it has.
    struct Part: Sendable {
        let number: UInt8
        var rows: RowSink
    }

    /// Rows in a chunk: enough to be fast, few enough that waiting chunks take little memory.
    static let chunkSize = 20_000
    /// The maximum number of waiting chunks.
    private static let waitingLimit = 4

    /// Nil after `stop`. Used by the worker while it loads a chunk, and then by the thread that ends the loading.
    private var file: DataFileBuilder?
    private let worker = WorkerThread(name: "tripstore.loader")
    private let didLoad: @Sendable (_ rows: UInt64) -> Void
    private let condition = NSCondition()
    private var queue = LoadQueue<[Part]>(limit: BulkLoader.waitingLimit)
    private var loaded: UInt64 = 0
    /// Emptied chunks of those that had numbers, for reuse.
    private var spare: [[Part]] = []
    private var failure: (any Error)?

    /// `didLoad` is called on the loader's thread with the number of rows loaded so far.
    init(_ file: DataFileBuilder, didLoad: @escaping @Sendable (_ rows: UInt64) -> Void) {
        self.file = file
        self.didLoad = didLoad
    }

    /// Queues rows for loading; blocks while the queue is full. Leaves empty sinks whose memory can be reused.
    ///
    /// Rows with a number, from 0, are loaded in the order of the numbers, in whatever order they are queued.
    ///
    /// Throws the failure of an earlier chunk, and `CancellationError` after `skip`.
    func load(_ parts: inout [Part], number: Int? = nil) throws {
        guard number != nil || parts.contains(where: { !$0.rows.isEmpty }) else { return }
        condition.lock()
        defer { condition.unlock() }
        while !queue.hasRoom(for: number) && failure == nil { condition.wait() }
        if let failure { throw failure }
        let chunk = parts
        // Chunks without a number come after all that have one, so the spare memory is not needed any more.
        if number == nil { spare = [] }
        if number != nil, let used = spare.popLast() {
            parts = used
        } else {
            for index in parts.indices { parts[index].rows = RowSink() }
        }
        // The queue keeps the chunk, so that the worker has the only reference to it while it loads it.
        for _ in 0..<queue.add(chunk, number: number) { worker.perform { self.loadNext() } }
        condition.broadcast()
    }

    /// Cancels: loads nothing more, and no longer waits for missing numbers.
    func skip() {
        condition.lock()
        failure = failure ?? CancellationError()
        queue.forgetEarly()
        condition.broadcast()
        condition.unlock()
    }

    private func loadNext() {
        let hasFailed = condition.withLock { failure != nil }
        guard var chunk = condition.withLock({ queue.takeNext() }) else { return }
        let outcome = Result { if !hasFailed { try write(chunk) } }
        let count = chunk.reduce(0) { $0 + UInt64($1.rows.rows.count) }
        let total = condition.withLock {
            if case .failure(let error) = outcome { failure = failure ?? error }
            loaded += count
            return loaded
        }
        // Before it counts as loaded: who waits for everything has been told of everything.
        if !hasFailed { didLoad(total) }
        condition.lock()
        queue.finishOne()
        if chunk.count > 1, spare.count < Self.waitingLimit {
            for index in chunk.indices { chunk[index].rows.removeAll() }
            spare.append(chunk)
        }
        condition.broadcast()
        condition.unlock()
    }

    private func write(_ chunk: [Part]) throws {
        // Released again before the chunk counts as loaded, so that no thread holds the file after `stop`.
        guard let file = condition.withLock({ file }) else { throw CancellationError() }
        for part in chunk where !part.rows.isEmpty {
            let writer = file.part(part.number)
            try part.rows.bytes.withBytes { bytes in
                for row in part.rows.rows { try writer.append(bytes.part(row.keyRange), bytes.part(row.valueRange)) }
            }
        }
    }

    /// Waits until everything is loaded. Throws the first failure.
    func finish() throws {
        try condition.withLock {
            while !queue.isEmpty { condition.wait() }
            if let failure { throw failure }
        }
    }

    /// Discards waiting chunks, waits for the one that is being loaded, and releases the file.
    func stop() {
        skip()
        condition.lock()
        while !queue.isEmpty { condition.wait() }
        file = nil
        condition.unlock()
    }
}
