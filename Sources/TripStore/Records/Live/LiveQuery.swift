public import EventLog
import ProjectionEngine
import Synchronization
import Trips

/// A query that returns a result at once, and again whenever, and only when, it changes.
///
/// ```swift
/// for try await update in store.live(.rows(of: Query<Book>())) { show(update.rows) }
/// ```
///
/// It follows changes of every task of this process and of other processes, the latter within 100 ms. Every iteration
/// has its own pace: while its consumer is busy nothing is queued, and the next element is the newest result. It ends
/// when its task is cancelled, and throws if the views cannot be read.
///
/// It reads where its consumer runs, for that takes microseconds. A search or a `Query` that may look at all of many entities reads on
/// another thread; a search ends early if its task is cancelled.
///
/// The query runs again only if a key that it read has changed: other changes cost a comparison with the list of
/// changed keys.
public struct LiveQuery<Element: Sendable>: AsyncSequence, Sendable {
    /// The current result; nil if it equals the given one.
    typealias Evaluation =
        @Sendable (
            _ views: borrowing TripViews, _ log: borrowing LogSnapshot, _ last: Element?
        ) throws -> Element?

    /// The evaluation for one page more than a result has; nil if that was all.
    typealias More = @Sendable (_ last: Element) -> Evaluation?

    private let views: ProjectionGroup
    private let log: Log
    private let interceptor: (any StoreInterceptor)?
    private let known: KnownSchema?
    private let more: More?
    /// Whether an evaluation may take so long that it must not block the thread of its consumer.
    let isScan: Bool
    private let evaluate: Evaluation

    init(
        _ views: ProjectionGroup, _ log: Log, _ interceptor: (any StoreInterceptor)?, in known: KnownSchema?,
        more: More? = nil, isScan: Bool = false, _ evaluate: @escaping Evaluation
    ) {
        self.views = views
        self.log = log
        self.interceptor = interceptor
        self.known = known
        self.more = more
        self.isScan = isScan
        self.evaluate = evaluate
    }

    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Element, any Error> { iterator(after: nil) }

    /// An iterator whose consumer already has a result: the first element is one that differs from it.
    func iterator(after last: Element?) -> Iterator {
        Iterator(
            Source(views: views, log: log, interceptor: interceptor, known: known, evaluate: evaluate), isScan: isScan,
            last)
    }

    /// Raised whenever the result may have changed, or can be read again.
    var signal: ChangeSignal { views.signal }

    /// The query for one page more than a result has; nil if that was all.
    func extended(beyond last: Element) -> LiveQuery? {
        more?(last).map { LiveQuery(views, log, interceptor, in: known, more: more, isScan: isScan, $0) }
    }

    /// What is read, and how.
    fileprivate struct Source: Sendable {
        let views: ProjectionGroup
        let log: Log
        let interceptor: (any StoreInterceptor)?
        let known: KnownSchema?
        let evaluate: Evaluation

        /// The same on another thread, where it ends early if the task is cancelled.
        func look(
            since reading: ProjectionGroup.Reading?, _ last: Element?, on thread: ThreadExecutor
        ) async throws -> (element: Element?, reading: ProjectionGroup.Reading) {
            try await withTaskExecutorPreference(thread) {
                try TripStoreError.wrap { try look(since: reading, last) }
            }
        }

        /// The result if it differs from the last, which was read so; nil if it does not.
        func look(
            since reading: ProjectionGroup.Reading?, _ last: Element?
        ) throws -> (element: Element?, reading: ProjectionGroup.Reading) {
            if var reading {
                guard try views.hasChanged(&reading) else { return (nil, reading) }
            }
            // The log first, here as everywhere: threads that read both in different orders could deadlock while both
            // grow.
            return try log.read { log in
                try interceptor?.willRead()
                return try views.reading(beside: log) { try evaluate(TripViews($0.alias(), in: known), log, last) }
            }
        }
    }

    /// One consumer of the query.
    struct Iterator: AsyncIteratorProtocol {
        private let source: Source
        /// Where scans are made.
        private let thread: ThreadExecutor?
        private let watch: ChangeSignal.Watch
        private var reading: ProjectionGroup.Reading?
        private var last: Element?

        fileprivate init(_ source: Source, isScan: Bool, _ last: Element?) {
            self.source = source
            self.last = last
            thread = isScan ? LiveThreads.next() : nil
            watch = source.views.signal.watch()
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            let signal = source.views.signal
            var tick = signal.tick
            while !Task.isCancelled {
                do {
                    if let thread {
                        let looked = try await source.look(since: reading, last, on: thread)
                        if let element = keep(looked) { return element }
                    } else if let element = try current() {
                        return element
                    }
                } catch let error as TripStoreError where error.isPassing {
                    // A build raises the signal when it is finished, or failed, and so does the end of a suspension.
                } catch is CancellationError {
                    return nil
                }
                guard let newer = await signal.wait(after: tick) else { return nil }
                tick = newer
            }
            return nil
        }

        /// The result, without waiting, if it differs from the last; nil if it does not. It is read on this thread.
        mutating func current() throws -> Element? {
            keep(try TripStoreError.wrap { try source.look(since: reading, last) })
        }

        private mutating func keep(_ looked: (element: Element?, reading: ProjectionGroup.Reading)) -> Element? {
            reading = looked.reading
            if let element = looked.element { last = element }
            return looked.element
        }
    }
}

/// The threads on which live queries look at all entities. They are shared, so that many such queries do not start as many threads.
private enum LiveThreads {
    private static let threads = (0..<2).map { _ in ThreadExecutor(name: "tripstore.live") }
    private static let turn = Atomic<UInt>(0)

    static func next() -> ThreadExecutor {
        threads[Int(turn.wrappingAdd(1, ordering: .relaxed).oldValue % UInt(threads.count))]
    }
}

/// The difference between two lists of rows.
public struct RowChanges<ID: Hashable & Sendable>: Sendable, Hashable {
    /// The new rows, in the order of the new list.
    public let inserted: [ID]
    /// The rows that are gone, in the order of the old list.
    public let removed: [ID]
    /// The rows in both lists with changed content, in the order of the new list.
    public let changed: [ID]

    /// O(rows). A row must be in a list only once.
    package init<Row: Identifiable & Equatable>(from old: [Row], to new: [Row]) where Row.ID == ID {
        var before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var inserted: [ID] = []
        var changed: [ID] = []
        for row in new {
            guard let previous = before.removeValue(forKey: row.id) else {
                inserted.append(row.id)
                continue
            }
            if previous != row { changed.append(row.id) }
        }
        self.inserted = inserted
        self.changed = changed
        removed = old.map(\.id).filter { before[$0] != nil }
    }

    public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && changed.isEmpty }
}

/// The rows of a live query, and their changes since the previous update.
public struct LiveRows<Row: Identifiable & Equatable & Sendable>: Sendable where Row.ID: Sendable {
    public let rows: [Row]
    /// The cursor of the next page, if the query is for a page; nil if there is none.
    public let next: PageCursor?
    /// Whether all that there is was looked at, as `Rows.isComplete`.
    public let isComplete: Bool
    /// The position of the log that the rows reflect.
    public let position: Position
    /// The update of the program that is needed to see everything, as `Rows.neededUpdate`: the rows come again when it changes.
    public let neededUpdate: NeededUpdate?
    /// The changes since the previous update; in the first, every row is inserted.
    public let changes: RowChanges<Row.ID>
}
