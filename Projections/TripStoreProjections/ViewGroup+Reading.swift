public import Events
public import ProjectionEngine
public import TripStore
public import Trips

/// Reading of an app's own views.
extension ViewGroup {
    /// Reads the views on one snapshot. Any thread; waits for nobody. Nothing may leave `body` but values. Keep it short, and do
    /// not read inside of a read: a write beside it would have to wait.
    ///
    /// Throws `TripStoreError` (`.beingBuilt`, `.notBuilt`, `.closed`, `.unknownView`, `.invalidProjections` if the store was
    /// opened without projections), and what `body` throws.
    public func read<T>(_ body: (borrowing ViewSnapshot) throws -> T) throws -> T {
        try withSnapshot(body)
    }

    /// The rows of a view, in the order of their keys. O(log n + rows); O(1) while they are cached. Throws like `read`.
    public func rows<Key, Value>(
        of view: AppView<Key, Value>, _ selection: RowSelection<Key> = .all
    ) throws -> Rows<AppRow<Key, Value>> {
        try fetch(.rows(of: view, selection))
    }

    /// The sums of a view, in the order of their keys. O(log n + sums); O(1) while they are cached. Throws like `read`.
    public func sums<Key>(of view: AppSums<Key>, _ selection: RowSelection<Key> = .all) throws -> Rows<AppSum<Key>> {
        try fetch(.sums(of: view, selection))
    }

    /// A query of these views, live, as `TripStore.live`.
    ///
    /// It follows changes in the rows that it reads; counting the rows of a view counts as reading all of them.
    public func live<Value: Equatable & Sendable>(
        _ query: @escaping @Sendable (borrowing ViewSnapshot) throws -> Value
    ) throws -> LiveQuery<Value> {
        try liveQuery(query)
    }

    /// Builds the views in a folder that must be new or empty, and compares them with the serving ones.
    public func compare(at path: String) async throws -> [ViewComparison] { try await compared(at: path) }
}

extension ViewSnapshot {
    /// A present entity: created and not deleted. Nil otherwise. Does not check whether its parent is present.
    public func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Entity? {
        guard let record = try record(of: id.reference), try record.isPresent() else { return nil }
        return try Entity(id: id, record: record)
    }
}

extension RecordView {
    /// The entity that the record is of, deleted or not. Throws `WireError` if the record cannot be read.
    public func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws(WireError) -> Entity {
        try Entity(id: id, record: self)
    }

    /// The item that the record is of, of whichever kind, deleted or not; nil if the reference names no item. Throws like `entity(_:)`.
    public func item(_ reference: EntityReference) throws(WireError) -> TripItem? {
        try TripItem(reference, record: self)
    }
}
