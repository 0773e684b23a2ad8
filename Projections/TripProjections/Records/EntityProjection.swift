public import Events
public import ProjectionEngine
public import Trips

/// A projection of one kind of entity, as a function from the entity to rows: the shortest way to a view of an app's
/// own.
///
/// ```swift
/// let byAuthor = EntityProjection<Book>("by-author", version: 1) { book, sink in
///     sink.put(Array(book.author.utf8.prefix(100)) + [0] + book.id.uuid.bytes)
/// }
/// ```
///
/// The function must depend on the entity alone: not on time, randomness, a locale or anything outside. Missing
/// entities, deleted ones included, have no rows. Raise the version whenever the rows change.
public struct EntityProjection<Entity: TripEntity>: Projection {
    public let name: String
    public let version: UInt32
    public let rowKind: RowKind
    public let source = RowSource.entities
    public let schema = SchemaFingerprint.own(Entity.self)
    private let rows: @Sendable (Entity, inout RowSink) -> Void

    public init(
        _ name: String, version: UInt32, _ rowKind: RowKind = .unique,
        rows: @escaping @Sendable (_ entity: Entity, _ sink: inout RowSink) -> Void
    ) {
        self.name = name
        self.version = version
        self.rowKind = rowKind
        self.rows = rows
    }

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard let id = Identifier<Entity>(entity), try record.isPresent() else { return }
        rows(try Entity(id: id, record: record), &sink)
    }
}
