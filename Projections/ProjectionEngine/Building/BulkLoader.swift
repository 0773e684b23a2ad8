import EventLog
import Events
import Foundation
import LMDB
import LMDBFormat

/// Writes sorted rows to a new data file on a thread of its own, while the next ones are made.
///
/// `@unchecked Sendable`: every mutable member is touched with `condition` locked.
final class BulkLoader: @unchecked Sendable {
    /// Rows of one part of the file, after all that it has.
    struct Part: Sendable {
        let number: UInt8
        var rows: RowSink
    }

    /// Rows in a chunk: enough to be fast, few enough that those which wait take little memory.
    static let chunkSize = 20_000
    /// How many chunks may wait.
    private static let waitingLimit = 4

    /// Nil once nothing more is loaded. Used by whoever loads a chunk, and then by whoever ends the loading.
    private var file: DataFileBuilder?
    private let worker = WorkerThread(name: "tripstore.loader")
    private let didLoad: @Sendable (_ rows: UInt64) -> Void
    private let condition = NSCondition()
    private var queue = LoadQueue<[Part]>(limit: BulkLoader.waitingLimit)
    private var loaded: UInt64 = 0
    /// Chunks of those with numbers, emptied.
    private var spare: [[Part]] = []
    private var failure: (any Error)?

    /// `didLoad` is told, on the loader's thread, how many rows were loaded so far.
    init(_ file: DataFileBuilder, didLoad: @escaping @Sendable (_ rows: UInt64) -> Void) {
        self.file = file
        self.didLoad = didLoad
    }

    /// Loads rows soon; waits while there is too much to do. Leaves empty sinks with memory to use again.
    ///
    /// Rows with a number, from 0, are loaded in the order of the numbers, whoever brings them first.
    ///
    /// Throws what went wrong with earlier ones, and `CancellationError` after `skip`.
    func load(_ parts: inout [Part], number: Int? = nil) throws {
        guard number != nil || parts.contains(where: { !$0.rows.isEmpty }) else { return }
        condition.lock()
        defer { condition.unlock() }
        while !queue.hasRoom(for: number) && failure == nil { condition.wait() }
        if let failure { throw failure }
        let chunk = parts
        // After those with numbers nobody uses their memory again.
        if number == nil { spare = [] }
        if number != nil, let used = spare.popLast() {
            parts = used
        } else {
            for index in parts.indices { parts[index].rows = RowSink() }
        }
        // The chunk stays with the queue, so that nothing but the one who loads it has it then.
        for _ in 0..<queue.add(chunk, number: number) { worker.perform { self.loadNext() } }
        condition.broadcast()
    }

    /// Nothing is waited for any longer: what a number was waited for does not come.
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
        condition.lock()
        queue.finishOne()
        if case .failure(let error) = outcome { failure = failure ?? error }
        loaded += count
        let loaded = loaded
        if chunk.count > 1, spare.count < Self.waitingLimit {
            for index in chunk.indices { chunk[index].rows.removeAll() }
            spare.append(chunk)
        }
        condition.broadcast()
        condition.unlock()
        if !hasFailed { didLoad(loaded) }
    }

    private func write(_ chunk: [Part]) throws {
        // Let go of again before the chunk is counted as loaded, so that nobody has it after `stop`.
        guard let file = condition.withLock({ file }) else { throw CancellationError() }
        for part in chunk where !part.rows.isEmpty {
            let writer = file.part(part.number)
            try part.rows.bytes.withBytes { bytes in
                for row in part.rows.rows { try writer.append(bytes.part(row.keyRange), bytes.part(row.valueRange)) }
            }
        }
    }

    /// Waits until everything is loaded. Throws what went wrong.
    func finish() throws {
        try condition.withLock {
            while !queue.isEmpty { condition.wait() }
            if let failure { throw failure }
        }
    }

    /// Gives up what still waits, waits for what is under way, and lets go of the file.
    func stop() {
        skip()
        condition.lock()
        while !queue.isEmpty { condition.wait() }
        file = nil
        condition.unlock()
    }
}
