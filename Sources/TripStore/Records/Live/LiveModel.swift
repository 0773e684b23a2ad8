public import EventLog
public import Observation
import ProjectionEngine

/// The newest result of a live query, for SwiftUI and other observers.
///
/// ```swift
/// let books = LiveModel(store.live(.rows(of: Query<Book>().limit(20))))
/// show(books.rows)
/// if books.hasMore { books.loadMore() }
/// ```
///
/// A SwiftUI view has one by `@Live`. It is isolated to the main actor, and its queries run there, because they take
/// microseconds. It has the first result when its initialiser returns; the query ends with the model. Only a search or a `Query` that may look
/// at all of many entities runs on another thread, and its first result comes later.
///
/// A failed read does not end the query: the model keeps its last result, sets `error`, and reads again when the views
/// change, or on `retry()`.
@MainActor
@Observable
public final class LiveModel<Element: Sendable> {
    /// The newest result; nil if there was none yet.
    public private(set) var latest: Element?
    /// The number of results so far.
    package private(set) var refreshes = 0
    /// Why the newest read failed; nil if it did not.
    public private(set) var error: (any Error)?

    @ObservationIgnored private var query: LiveQuery<Element>?
    @ObservationIgnored private var iterator: LiveQuery<Element>.Iterator?
    @ObservationIgnored private(set) var follower: Follower?

    /// Follows a query. It reads the views once before it returns, which takes microseconds for a page.
    public init(_ query: LiveQuery<Element>) { follow(query) }

    /// A model without a query, and without a result.
    init() {}

    /// Reads again if the newest read failed; returns when that is done. Otherwise does nothing.
    public func retry() {
        guard error != nil, let query else { return }
        follow(query)
    }

    /// Reads one page more. Does nothing if the result has no further page.
    ///
    /// Rows that other writes insert before the new page make the result longer, and push nothing out of it. Every
    /// change reads all rows again. If the read fails, the rows stay and `retry()` reads the page.
    public func loadMore() {
        guard let latest, let extended = query?.extended(beyond: latest) else { return }
        follow(extended)
    }

    private func follow(_ query: LiveQuery<Element>) {
        self.query = query
        if query.isScan { return followApart(query) }
        iterator = query.iterator(after: latest)
        // Before the read: a change while it runs causes the next read.
        let signal = query.signal
        let start = signal.tick
        guard look() else { return }
        follower = Follower(
            Task { [weak self] in
                var tick = start
                while let newer = await signal.wait(after: tick) {
                    tick = newer
                    guard self?.look() == true else { return }
                }
            })
    }

    /// Follows a query that is evaluated on another thread.
    private func followApart(_ query: LiveQuery<Element>) {
        var iterator = query.iterator(after: latest)
        let signal = query.signal
        follower = Follower(
            Task { [weak self] in
                while true {
                    let tick = signal.tick
                    do {
                        guard let element = try await iterator.next(isolation: MainActor.shared) else { return }
                        // Another query may be followed since, and its result be newer.
                        if Task.isCancelled { return }
                        self?.latest = element
                        self?.refreshes += 1
                        self?.clearError()
                    } catch {
                        if Task.isCancelled { return }
                        self?.error = error
                        guard (error as? TripStoreError)?.code != .closed, await signal.wait(after: tick) != nil else {
                            return
                        }
                    }
                }
            })
    }

    /// Reads the current result. Returns whether there can be further results.
    private func look() -> Bool {
        do {
            if let element = try iterator?.current() {
                latest = element
                refreshes += 1
            }
            clearError()
        } catch let error as TripStoreError where error.isPassing {
            clearError()
        } catch {
            self.error = error
            // A closed store stays closed: there is nothing left to watch.
            if (error as? TripStoreError)?.code == .closed {
                iterator = nil
                follower = nil
            }
        }
        return iterator != nil
    }

    /// Observers are notified of every assignment, even one that changes nothing.
    private func clearError() { if error != nil { error = nil } }

    /// Cancels the task that follows the query with the model.
    final class Follower: Sendable {
        let task: Task<Void, Never>

        init(_ task: Task<Void, Never>) { self.task = task }

        deinit { task.cancel() }
    }
}

/// The rows in the result of a query, for models.
public protocol LiveRowsResult<Row>: Sendable {
    associatedtype Row: Identifiable & Equatable & Sendable
    var rows: [Row] { get }
    /// The cursor of the next page; nil if there is none.
    var next: PageCursor? { get }
    /// The update of the program that is needed to see everything; nil if none is.
    var neededUpdate: NeededUpdate? { get }
}

extension LiveRows: LiveRowsResult {}

/// The state of a list of live rows.
public enum LivePhase: Sendable {
    /// There are no rows yet: the views are being built, or the store is being opened.
    case loading
    /// There are rows.
    case loaded
    /// The result has no rows.
    case empty
    /// The newest read failed. Rows of an earlier one are still there; the model reads again by itself when the views
    /// change, and on `retry()`.
    case failed(any Error)
}

extension LiveModel where Element: LiveRowsResult {
    /// The rows of the newest result; empty before there is one.
    public var rows: [Element.Row] { latest?.rows ?? [] }

    /// Whether `loadMore()` has a page to read.
    public var hasMore: Bool { latest?.next != nil }

    /// The update of the program that is needed to see everything: see `Rows.neededUpdate`.
    public var neededUpdate: NeededUpdate? { latest?.neededUpdate }

    /// The state to show.
    public var phase: LivePhase {
        if let error { return .failed(error) }
        guard let latest else { return .loading }
        return latest.rows.isEmpty ? .empty : .loaded
    }
}

/// Keeps the model of a view for as long as the view asks the same store for the same rows.
///
/// Not observable itself: SwiftUI evaluates a view whose request or store changed anyway.
@MainActor
package final class LiveSlot<Row: Identifiable & Equatable & Sendable> where Row.ID: Sendable {
    private var held: (request: FetchRequest<Rows<Row>>, store: TripStore?, model: LiveModel<LiveRows<Row>>)?

    package init() {}

    /// The model that follows a request. Without a store it is loading.
    package func model(of request: FetchRequest<Rows<Row>>, in store: TripStore?) -> LiveModel<LiveRows<Row>> {
        if let held, held.request == request, held.store === store { return held.model }
        let model = store.map { LiveModel($0.live(request)) } ?? LiveModel()
        held = (request, store, model)
        return model
    }
}
