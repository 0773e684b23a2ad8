public import Events
public import ProjectionEngine
public import TripStore
public import Trips

/// A view of an app's own whose rows have keys and values with types: given to `TripStore.Options.projections`, and read by the
/// same value.
///
/// ```swift
/// let byAuthor = AppView<String, Int?>("by-author", version: 1) { (book: Book, rows) in
///     rows.put(book.author, book.rating)
/// }
/// for row in try store.appViews.rows(of: byAuthor, .key("Herbert")) { print(row.entity, row.value) }
/// ```
///
/// The function must depend on the entity alone: not on time, randomness, a locale or anything outside. Entities that are not there,
/// deleted ones among them, have no rows. Raise the version whenever the function gives other rows.
public struct AppView<Key: ViewValue, Value: ViewValue>: Projection {
    public let name: String
    public let version: UInt32
    public let source = RowSource.entities
    public let schema: String
    private let put:
        @Sendable (EntityReference, borrowing RecordView, inout AppRows<Key, Value>) throws(WireError) -> Void

    /// A view of one kind of entity: the function puts the rows that one has.
    public init<Entity: TripEntity>(
        _ name: String, version: UInt32,
        rows: @escaping @Sendable (_ entity: Entity, _ rows: inout AppRows<Key, Value>) -> Void
    ) {
        self.init(name, version, SchemaFingerprint.own(Entity.self)) { (entity, record, found) throws(WireError) in
            guard let id = Identifier<Entity>(entity), try record.isPresent() else { return }
            rows(try Entity(id: id, record: record), &found)
        }
    }

    init(
        _ name: String, _ version: UInt32, _ schema: String,
        put:
            @escaping @Sendable (EntityReference, borrowing RecordView, inout AppRows<Key, Value>) throws(WireError) ->
            Void
    ) {
        self.name = name
        self.version = version
        self.schema = schema
        self.put = put
    }

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        var found = AppRows<Key, Value>()
        try put(entity, record, &found)
        // The entity ends the key, so that several may have the same.
        for row in found.rows { sink.put(row.key + entity.bytes, row.value) }
    }
}

/// Takes the rows that an entity has in an `AppView`.
public struct AppRows<Key: ViewValue, Value: ViewValue> {
    fileprivate private(set) var rows: [(key: [UInt8], value: [UInt8])] = []

    /// A row; in the place of one that the entity has under the same key.
    public mutating func put(_ key: Key, _ value: Value) {
        let key = ViewBytes(key: key).bytes
        var bytes = ViewBytes(isKey: false)
        bytes.append(value)
        if let index = rows.firstIndex(where: { $0.key == key }) {
            rows[index].value = bytes.bytes
        } else {
            rows.append((key, bytes.bytes))
        }
    }
}

extension AppRows where Value == NoValue {
    /// A row whose key says everything.
    public mutating func put(_ key: Key) { put(key, NoValue()) }
}

/// A row of an `AppView`.
public struct AppRow<Key: ViewValue, Value: ViewValue>: Hashable, Sendable {
    public let key: Key
    public let value: Value
    /// The entity that has the row.
    public let entity: EntityReference
    /// The identity of the row among those of its view.
    public let id: RowID

    /// Nil if the bytes are not such a row.
    init?(_ bytes: [UInt8], _ value: [UInt8]) {
        var (keys, values) = (ViewBytes.Reader(bytes), ViewBytes.Reader(value))
        guard let key = Key(reading: &keys), let entity = EntityReference(reading: &keys), keys.isAtEnd,
            let value = Value(reading: &values), values.isAtEnd
        else { return nil }
        self.key = key
        self.value = value
        self.entity = entity
        id = RowID(bytes: bytes)
    }
}

extension AppRow: Identifiable {}

/// Tells a row of a view from all others, by the bytes of its key: texts that are equal as characters may differ in these.
public struct RowID: Hashable, Sendable {
    let bytes: [UInt8]
}

/// Which rows of an `AppView` to read, in the order of their keys.
public struct RowSelection<Key: ViewValue>: Hashable, Sendable {
    let bounds: KeyBounds

    private init(_ prefix: [UInt8] = [], from lower: [UInt8]? = nil, until upper: [UInt8]? = nil) {
        bounds = KeyBounds(prefix: prefix, lower: lower, upper: upper)
    }

    private init(_ bounds: KeyBounds) { self.bounds = bounds }

    /// All of them.
    public static var all: RowSelection { RowSelection() }

    /// The rows with one key.
    public static func key(_ key: Key) -> RowSelection { RowSelection(ViewBytes(key: key).bytes) }

    /// The rows with keys from one on until before another.
    public static func keys(_ range: Range<Key>) -> RowSelection where Key: Comparable {
        RowSelection(from: ViewBytes(key: range.lowerBound).bytes, until: ViewBytes(key: range.upperBound).bytes)
    }

    /// The rows whose keys have one first part.
    public static func first<First, Second>(_ first: First) -> RowSelection where Key == ViewPair<First, Second> {
        RowSelection(ViewBytes(key: first).bytes)
    }

    /// The rows whose keys have first parts from one on until before another.
    public static func first<First: Comparable, Second>(in range: Range<First>) -> RowSelection
    where Key == ViewPair<First, Second> {
        RowSelection(from: ViewBytes(key: range.lowerBound).bytes, until: ViewBytes(key: range.upperBound).bytes)
    }

    /// The selected rows from the last to the first.
    public var reversed: RowSelection { RowSelection(bounds.reversed) }
}

extension ViewSnapshot {
    /// The rows of a view, in the order of their keys. O(log n + rows).
    ///
    /// Throws `ProjectionError.unknownView` if the view was not among `TripStore.Options.projections`.
    public func rows<Key, Value>(
        of view: AppView<Key, Value>, _ selection: RowSelection<Key> = .all
    ) throws -> [AppRow<Key, Value>] {
        try typedRows(of: view.name, selection.bounds, AppRow<Key, Value>.init)
    }

    /// The rows of a view as values of a type, which are made of their keys and values.
    func typedRows<Row>(
        of view: String, _ bounds: KeyBounds, _ row: (_ key: [UInt8], _ value: [UInt8]) -> Row?
    ) throws -> [Row] {
        var found: [Row] = []
        try forEachRow(of: view, bounds) { key, value in
            guard let row = row([UInt8](key), [UInt8](value)) else {
                throw ProjectionError.damaged("a row of '\(view)'")
            }
            found.append(row)
            return true
        }
        return found
    }
}

extension FetchRequest {
    /// The rows of an app's own view, in the order of their keys. A store that was opened without the view has no answer: that throws.
    public static func rows<Key, Value>(
        of view: AppView<Key, Value>, _ selection: RowSelection<Key> = .all
    ) -> FetchRequest where Answer == Rows<AppRow<Key, Value>> {
        FetchRequest(rowsOfView: view.name, selection.bounds) { try $0.rows(of: view, selection) }
    }
}
