import EventLog
public import Observation
import ProjectionEngine

/// The newest answer of a live query, for SwiftUI and for everything else that observes.
///
/// ```swift
/// let trips = LiveModel(store.live(.starting(in: may), limit: 20))
/// show(trips.rows)
/// if trips.hasMore { trips.loadMore() }
/// ```
///
/// A view of SwiftUI has one by `@Live`. It is read and changed on the main actor, and its queries run there, for they
/// take microseconds. The first answer is there as soon as it is made; when the model goes, so does the query.
///
/// A read that fails ends nothing: the model keeps its last answer, sets `error`, and reads again whenever the views
/// change, or on `retry()`.
@MainActor
@Observable
public final class LiveModel<Element: Sendable> {
    /// The newest answer; nil if there was none yet.
    public private(set) var latest: Element?
    /// How many answers there have been.
    public private(set) var refreshes = 0
    /// Why the newest read failed; nil if it did not.
    public private(set) var error: (any Error)?

    @ObservationIgnored private var query: LiveQuery<Element>?
    @ObservationIgnored private var iterator: LiveQuery<Element>.Iterator?
    @ObservationIgnored private(set) var follower: Follower?

    /// Follows a query. It reads the views once before it returns, which takes microseconds for a page.
    public init(_ query: LiveQuery<Element>) { follow(query) }

    /// A model that has nothing to follow yet, and stays without an answer.
    init() {}

    /// Reads again if the newest read failed; returns when that is done. Nothing happens if it did not.
    public func retry() {
        guard error != nil, let query else { return }
        follow(query)
    }

    /// Reads a page more. Nothing happens if the answer has no further page.
    ///
    /// Rows that other writes insert before the new page make the answer longer, and push nothing out of it. Every change
    /// reads all rows anew. If the read fails, the rows stay and `retry()` reads the page.
    public func loadMore() {
        guard let latest, let extended = query?.extended(beyond: latest) else { return }
        follow(extended)
    }

    private func follow(_ query: LiveQuery<Element>) {
        self.query = query
        iterator = query.makeAsyncIterator(after: latest)
        // Before the read: what changes while it runs is then read next.
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

    /// Reads what the views answer now. Returns whether there can be further answers.
    private func look() -> Bool {
        do {
            if let element = try iterator?.current() {
                latest = element
                refreshes += 1
            }
            clearError()
        } catch let error as TripStoreError where error.code == .beingBuilt {
            clearError()
        } catch {
            self.error = error
            // A closed store stays closed: nothing is left to watch.
            if (error as? TripStoreError)?.code == .closed {
                iterator = nil
                follower = nil
            }
        }
        return iterator != nil
    }

    /// Observers are notified of every assignment, also of one that changes nothing.
    private func clearError() { if error != nil { error = nil } }

    /// Cancels the task that follows the query with the model.
    final class Follower: Sendable {
        let task: Task<Void, Never>

        init(_ task: Task<Void, Never>) { self.task = task }

        deinit { task.cancel() }
    }
}
