public import EventLog

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
