import EventLog
import Events
import ProjectionEngine
import Trips

/// A query that answers at once and then again whenever, and only when, its answer changes.
///
/// ```swift
/// for try await update in store.live(.starting(in: may)) { show(update.rows) }
/// ```
///
/// Whatever changes it, a task of this process or another process, is seen; other processes' commits within 100 ms.
/// Every iteration takes its own pace: while its consumer is busy nothing is queued, and what it then gets is the newest
/// answer. It ends when its task is cancelled, and throws if the views cannot be read.
///
/// The query runs again only if a key that it read has changed: a change elsewhere costs a look at the list of changed
/// keys.
public struct LiveQuery<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = any Error

    /// The answer as the views stand; nil if it is the same as the one given.
    typealias Evaluation =
        @Sendable (
            _ views: borrowing TripViews, _ log: borrowing LogSnapshot, _ last: Element?
        ) throws -> Element?

    /// What to evaluate for a page more than an answer has; nil if that was all.
    typealias More = @Sendable (_ last: Element) -> Evaluation?

    private let views: ProjectionGroup
    private let log: Log
    private let interceptor: (any StoreInterceptor)?
    private let more: More?
    private let evaluate: Evaluation

    init(
        _ views: ProjectionGroup, _ log: Log, _ interceptor: (any StoreInterceptor)? = nil, more: More? = nil,
        _ evaluate: @escaping Evaluation
    ) {
        self.views = views
        self.log = log
        self.interceptor = interceptor
        self.more = more
        self.evaluate = evaluate
    }

    public func makeAsyncIterator() -> Iterator { makeAsyncIterator(after: nil) }

    /// An iterator whose consumer already has an answer: the first element is one that differs from it.
    func makeAsyncIterator(after last: Element?) -> Iterator { Iterator(views, log, interceptor, evaluate, last) }

    /// Raised whenever the answer may have changed, or can be read again.
    var signal: ChangeSignal { views.signal }

    /// The query for a page more than an answer has; nil if that was all.
    func extended(beyond last: Element) -> LiveQuery? {
        more?(last).map { LiveQuery(views, log, interceptor, more: more, $0) }
    }

    /// One consumer of the query.
    public struct Iterator: AsyncIteratorProtocol {
        private let views: ProjectionGroup
        private let log: Log
        private let interceptor: (any StoreInterceptor)?
        private let evaluate: Evaluation
        private let watch: ChangeSignal.Watch
        private var reading: ProjectionGroup.Reading?
        private var last: Element?

        init(
            _ views: ProjectionGroup, _ log: Log, _ interceptor: (any StoreInterceptor)?,
            _ evaluate: @escaping Evaluation, _ last: Element?
        ) {
            self.views = views
            self.log = log
            self.interceptor = interceptor
            self.evaluate = evaluate
            self.last = last
            watch = views.signal.watch()
        }

        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            var tick = views.signal.tick
            while !Task.isCancelled {
                do {
                    if let element = try current() { return element }
                } catch let error as TripStoreError where error.code == .beingBuilt {
                    // What is being built raises the signal once it is there, or failed.
                }
                guard let newer = await views.signal.wait(after: tick) else { return nil }
                tick = newer
            }
            return nil
        }

        /// The answer, without waiting, if it is another than the last; nil if it is not.
        mutating func current() throws -> Element? { try TripStoreError.wrap { try look() } }

        private mutating func look() throws -> Element? {
            if var reading = self.reading {
                let hasChanged = try views.hasChanged(&reading)
                self.reading = reading
                guard hasChanged else { return nil }
            }
            // The log first, here as everywhere: who reads both in another order could wait for ever while both grow.
            let (element, reading) = try log.read { log in
                try interceptor?.willRead()
                return try views.reading(beside: log) { try evaluate(TripViews($0.alias()), log, last) }
            }
            self.reading = reading
            if let element { last = element }
            return element
        }
    }
}
