public import Observation

/// The newest answer of a live query, for SwiftUI and for everything else that observes.
///
/// ```swift
/// @State private var trips: LiveModel<LiveRows<TripRow>>
/// init(_ store: TripStore) { _trips = State(initialValue: LiveModel(store.live(.starting(in: may)))) }
/// var body: some View { List(trips.rows) { Text($0.trip.name) } }
/// ```
///
/// Queries run on the main actor, for they take microseconds; make the model once and keep it. It is read and changed on the main actor. The first answer is there as soon as it is made; when the model goes, so
/// does the query.
@MainActor
@Observable
public final class LiveModel<Element: Sendable> {
    /// The newest answer; nil if there was none yet, for the views are being built.
    public private(set) var latest: Element?
    /// How many answers there have been.
    public private(set) var refreshes = 0
    /// Why there will be no further answers; nil as long as there may be.
    public private(set) var error: (any Error)?

    @ObservationIgnored private var follower: Follower?

    /// Follows a query. It reads the views once before it returns, which takes microseconds for a page.
    public init(_ query: LiveQuery<Element>) {
        var iterator = query.makeAsyncIterator()
        // Views that are being built answer later; any other failure comes again, and is told then.
        if let first = try? iterator.current() {
            latest = first
            refreshes = 1
        }
        let source = iterator
        follower = Follower(
            Task { [weak self] in
                var iterator = source
                do {
                    while let element = try await iterator.next(isolation: MainActor.shared) {
                        self?.latest = element
                        self?.refreshes += 1
                    }
                } catch { self?.error = error }
            })
    }

    /// Cancels the task that follows the query with the model.
    private final class Follower: Sendable {
        private let task: Task<Void, Never>

        init(_ task: Task<Void, Never>) { self.task = task }

        deinit { task.cancel() }
    }
}

/// What the answer of a query of rows holds, so that a model of it offers its rows.
public protocol LiveRowsAnswer<Row>: Sendable {
    associatedtype Row: Identifiable & Equatable & Sendable
    var rows: [Row] { get }
}

extension LiveRows: LiveRowsAnswer {}

extension LiveModel where Element: LiveRowsAnswer {
    /// The rows of the newest answer; none before there is one.
    public var rows: [Element.Row] { latest?.rows ?? [] }
}
