import EventLog
import Events
package import ProjectionEngine
import Trips

/// A request to a store, as a value: answered once, from the cache where the answer is there (`TripQuerying.fetch(_:)`), or followed
/// (`TripStore.live(_:)`, `@Live`).
///
/// ```swift
/// let page = try store.fetch(.rows(of: Query<Book>().limit(20)))
/// for try await update in store.live(.rows(of: Query<Book>().limit(20))) { show(update.rows) }
/// ```
public struct FetchRequest<Answer: Sendable>: Sendable {
    /// Tells it from all other requests.
    let identity: any Hashable & Sendable
    let source: FetchSource
    /// Whether what the log describes decides what is there, and how it is read.
    let readsDeclarations: Bool
    /// Whether a live query can show more than its first page.
    let isPaged: Bool
    let answer: @Sendable (borrowing TripViews, FetchContext) throws -> Answer
    /// Makes the answer one that nothing up to a later position changed.
    private let moved: (@Sendable (Answer, Position) -> Answer)?

    init(
        _ identity: some Hashable & Sendable, of source: FetchSource = .store, readsDeclarations: Bool = false,
        isPaged: Bool = false, moved: (@Sendable (Answer, Position) -> Answer)? = nil,
        _ answer: @escaping @Sendable (borrowing TripViews, FetchContext) throws -> Answer
    ) {
        self.identity = identity
        self.source = source
        self.readsDeclarations = readsDeclarations
        self.isPaged = isPaged
        self.answer = answer
        self.moved = moved
    }

    init<Row>(
        rows identity: some Hashable & Sendable, of source: FetchSource = .store, readsDeclarations: Bool = false,
        isPaged: Bool = false, _ answer: @escaping @Sendable (borrowing TripViews, FetchContext) throws -> Answer
    ) where Answer == Rows<Row> {
        self.init(
            identity, of: source, readsDeclarations: readsDeclarations, isPaged: isPaged, moved: { $0.at($1) }, answer)
    }

    /// The rows of a view of the app.
    package init<Row>(
        rowsOfView name: String, _ bounds: KeyBounds,
        _ rows: @escaping @Sendable (borrowing ViewSnapshot) throws -> [Row]
    ) where Answer == Rows<Row> {
        self.init(rows: FetchIdentity.rows(ofView: name, bounds), of: .app) { views, _ in
            try views.listed(rows(views.snapshot))
        }
    }

    /// The sums of a view of the app.
    package init<Row>(
        sumsOfView name: String, _ bounds: KeyBounds,
        _ rows: @escaping @Sendable (borrowing ViewSnapshot) throws -> [Row]
    ) where Answer == Rows<Row> {
        self.init(rows: FetchIdentity.sums(ofView: name, bounds), of: .app) { views, _ in
            try views.listed(rows(views.snapshot))
        }
    }

    /// The answer of some views, from their cache if it is there.
    func answer(of views: ViewReader, _ context: FetchContext) throws -> Answer {
        views.notice()
        let version = readsDeclarations ? context.known?.changeCount ?? 0 : 0
        let (found, position) = try views.cached(identity, version: version) {
            try answer(TripViews($0.alias(), in: context.known), context)
        }
        return moved?(found, position) ?? found
    }
}

extension FetchRequest: Equatable {
    /// Whether they ask for the same.
    public static func == (a: FetchRequest, b: FetchRequest) -> Bool {
        AnyHashable(a.identity) == AnyHashable(b.identity)
    }
}

/// The views that have the answer to a request.
enum FetchSource: Sendable {
    case store
    case app
    /// The views of words, or the store's, in which a search looks at all entities if that is said.
    case words(amongAll: Bool)
}

/// All on which an answer depends beside the views.
struct FetchContext: Sendable {
    /// The kinds and fields that the store knows.
    var known: KnownSchema?
    /// The end of the rows that a live query shows already: they are read with the page, and do not count towards its limit.
    var shown: PageCursor?
    /// The fields in which a search looks; nil inside of a read.
    var searchedFields: SearchedFields?
    /// Whether the views are those of words.
    var isIndexed = false
}

/// The identities of requests that are no `Query`.
enum FetchIdentity: Hashable, Sendable {
    /// By the type of the entities.
    case entities(ObjectIdentifier, in: EntityReference?)
    case rows(ofView: String, KeyBounds)
    case sums(ofView: String, KeyBounds)
    case search([UInt8], [ConcreteKind], in: EntityReference?, limit: Int, PageCursor?)
}

/// The identity of a request that may look at many entities.
protocol LongRunning {
    /// Whether answering may look at many entities: at many beside those of its page, or at all of them for want of a limit.
    func takesLong(in views: borrowing TripViews) throws -> Bool
}

/// The identity of a request that is made of a `Query`.
struct QueryIdentity<Entity: TripEntity>: Hashable, Sendable, LongRunning {
    enum Answer: Hashable, Sendable {
        case page(PageCursor?)
        case withTotals(PageCursor?)
        case count, existence, ids
        case related(PageCursor?, GroupKey<Entity>)
        case withChildren(PageCursor?)
        case groups([GroupKey<Entity>], measured: GroupKey<Entity>?)
    }

    let answer: Answer
    let query: Query<Entity>

    init(_ answer: Answer, _ query: Query<Entity>) {
        self.answer = answer
        self.query = query
    }

    func takesLong(in views: borrowing TripViews) throws -> Bool { try views.takesLong(query) }
}
