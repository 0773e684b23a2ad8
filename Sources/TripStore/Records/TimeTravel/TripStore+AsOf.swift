public import EventLog
import Events
public import Foundation
public import ProjectionEngine
public import Trips

extension TripStore {
    /// The store as it was when the commit at a position had arrived here; before everything for `.start`.
    ///
    /// The views are built from the log, O(commits up to there), unless they are among the few that are kept. For one
    /// entity ask `entity(_:asOf:)`, which reads no more than its own events.
    ///
    /// Throws `TripStoreError.Code.unknownPosition` if the log does not reach so far, or what the log and the medium refuse.
    public func asOf(_ position: Position) async throws -> PastStore { try await asOf(.position(position)) }

    /// The store as what had been written anywhere up to a date makes it, as far as that is held now.
    public func asOf(_ date: Date) async throws -> PastStore { try await asOf(.date(date)) }

    /// The store as of a horizon. `progress` is called with the progress of the build, unless the views are cached, or
    /// being built for another task.
    ///
    /// If the task is cancelled, the build is cancelled unless others wait for it, and this throws `CancellationError`.
    public func asOf(
        _ horizon: Horizon, progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) async throws -> PastStore {
        try check(horizon)
        let past = try await TripStoreError.wrapAsync {
            try await pastCache.views(horizon, of: views, in: log, progress)
        }
        return PastStore(past, interceptor, searchedFields, in: knownSchema)
    }

    /// An entity as it was, from its own events alone; nil if it was not there. O(events of the entity).
    ///
    /// Throws `TripStoreError.Code.unknownPosition`.
    public func entity<Entity: TripEntity>(_ id: Identifier<Entity>, asOf horizon: Horizon) throws -> Entity? {
        try check(horizon)
        return try withAuditor { auditor, _ in
            let record = try auditor.timeline(of: id.reference).record(asOf: horizon)
            guard record.isPresent, try !auditor.isHidden(id.reference, asOf: horizon) else { return nil }
            var entity = Entity(id: id, record: record)
            try entity.nullify { try auditor.isDeleted($0, asOf: horizon) }
            return entity
        }
    }

    /// The entities of apps' kinds under a parent as they were, in the order of ids: for tools. O(events of all that were ever there).
    package func ownEntities(in parent: EntityReference, asOf horizon: Horizon) throws -> [DescribedEntity] {
        try check(horizon)
        let ever = try withAuditor { auditor, _ in try auditor.children(everOf: parent) }
        return try ever.compactMap { DescribedEntity.ID($0) }.compactMap { try entity($0, asOf: horizon) }
            .filter { child in
                try child.parent == parent
                    && !withAuditor { auditor, _ in try auditor.ancestry(of: child.reference, asOf: horizon).isCut }
            }
    }

    /// Refuses positions that the log does not have.
    package func check(_ horizon: Horizon) throws { try TripStoreError.wrap { try Self.check(horizon, in: log) } }

    static func check(_ horizon: Horizon, in log: Log) throws {
        guard case .position(let position) = horizon else { return }
        let last = try log.read { try $0.lastPosition() }
        guard position > last else { return }
        throw TripStoreError(
            .unknownPosition,
            "There is no commit at position \(position): the log ends at \(last). Give a position from 0, before "
                + "everything, to \(last).")
    }
}

extension Auditor {
    /// Whether an entity was hidden because an ancestor was deleted.
    fileprivate mutating func isHidden(_ entity: EntityReference, asOf horizon: Horizon) throws -> Bool {
        try ancestry(of: entity, asOf: horizon).hides(entity, in: known) { ancestor in
            let record = try timeline(of: ancestor).record(asOf: horizon)
            return record.creation != nil && record.isDeleted
        }
    }

    /// Whether an entity was created, and it or an ancestor was deleted.
    mutating func isDeleted(_ entity: EntityReference, asOf horizon: Horizon) throws -> Bool {
        let record = try timeline(of: entity).record(asOf: horizon)
        guard record.creation != nil else { return false }
        return try record.isDeleted || isHidden(entity, asOf: horizon)
    }

    fileprivate mutating func ancestry(of entity: EntityReference, asOf horizon: Horizon) throws -> Ancestry {
        try Ancestry(of: entity) { try timeline(of: $0).record(asOf: horizon).stampedParent(of: $0.kind) }
    }
}

/// A store as it was at a position or at an instant: the same queries, on views that never change.
///
/// ```swift
/// let before = try await store.asOf(receipt.position - 1)
/// let page = try before.fetch(Query<Book>().limit(20))
/// ```
public struct PastStore: TripQuerying {
    private let views: PastViews
    private let interceptor: (any StoreInterceptor)?
    private let searchedFields: SearchedFields
    private let known: KnownSchema

    init(
        _ views: PastViews, _ interceptor: (any StoreInterceptor)?, _ searchedFields: SearchedFields,
        in known: KnownSchema
    ) {
        self.views = views
        self.interceptor = interceptor
        self.searchedFields = searchedFields
        self.known = known
    }

    /// The commits that count.
    public var horizon: Horizon { views.horizon }

    /// The position up to which the log was read when the views were built.
    public var position: Position { views.position }

    public func read<T>(_ body: (borrowing TripViews) throws -> T) throws -> T {
        try TripStoreError.wrap {
            try interceptor?.willRead()
            return try views.read { try body(TripViews($0.alias(), in: known)) }
        }
    }

    public func fetch<Answer>(_ request: FetchRequest<Answer>) throws -> Answer {
        try read { try request.answer($0, FetchContext(known: known, searchedFields: searchedFields)) }
    }

    /// The state of each view. With digests it reads every row.
    package func viewStatus(digests: Bool = false) throws -> [ViewStatus] {
        try TripStoreError.wrap { try views.status(digests: digests) }
    }
}
