import EventLog
import Events
import ProjectionEngine
import Trips

/// A query that returns a result at once, and again whenever, and only when, it changes.
///
/// ```swift
/// for try await update in store.live(.starting(in: may)) { show(update.rows) }
/// ```
///
/// It follows changes of every task of this process and of other processes, the latter within 100 ms. Every iteration
/// has its own pace: while its consumer is busy nothing is queued, and the next element is the newest result. It ends
/// when its task is cancelled, and throws if the views cannot be read.
///
/// The query runs again only if a key that it read has changed: other changes cost a comparison with the list of
/// changed keys.
public struct LiveQuery<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = any Error

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

    /// An iterator whose consumer already has a result: the first element is one that differs from it.
    func makeAsyncIterator(after last: Element?) -> Iterator { Iterator(views, log, interceptor, evaluate, last) }

    /// Raised whenever the result may have changed, or can be read again.
    var signal: ChangeSignal { views.signal }

    /// The query for one page more than a result has; nil if that was all.
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
                    // A build raises the signal when it is finished, or failed.
                }
                guard let newer = await views.signal.wait(after: tick) else { return nil }
                tick = newer
            }
            return nil
        }

        /// The result, without waiting, if it differs from the last; nil if it does not.
        mutating func current() throws -> Element? { try TripStoreError.wrap { try look() } }

        private mutating func look() throws -> Element? {
            if var reading = self.reading {
                let hasChanged = try views.hasChanged(&reading)
                self.reading = reading
                guard hasChanged else { return nil }
            }
            // The log first, here as everywhere: threads that read both in different orders could deadlock while both
            // grow.
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
