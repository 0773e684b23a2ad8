public import Events
public import ProjectionEngine
public import TripStore
public import Trips

/// A view of an app's own whose rows add up what entities, or events, contribute under a key: given to
/// `TripStore.Options.projections`, and read by the same value.
///
/// ```swift
/// let pages = AppSums<String>("pages-by-author", version: 1) { (book: Book, sums) in
///     sums.add(Int128(book.pages), to: book.author)
/// }
/// for sum in try store.appViews.sums(of: spending) { print(sum.key.first, sum.key.second, sum.count, sum.amount) }
/// ```
///
/// When an entity changes, what it contributed before is taken away again. A text in a key counts with its first 120 bytes, so texts that
/// begin alike add up in one row. The function must depend on its arguments alone: not on
/// time, randomness, a locale or anything outside. Raise the version whenever the function gives other sums.
public struct AppSums<Key: ViewValue>: Projection {
    public let name: String
    public let version: UInt32
    public let rowKind = RowKind.accumulating
    public let source: RowSource
    public let schema: String
    private let ofEntity:
        @Sendable (EntityReference, borrowing RecordView, inout Contributions<Key>) throws(WireError) -> Void
    private let ofEvent: @Sendable (borrowing EventView, EventPosition, inout Contributions<Key>) -> Void

    /// Sums of what the entities of one kind that are present contribute.
    public init<Entity: TripEntity>(
        _ name: String, version: UInt32,
        sums: @escaping @Sendable (_ entity: Entity, _ sums: inout Contributions<Key>) -> Void
    ) {
        self.init(name, version, .entities, SchemaFingerprint.own(Entity.self)) {
            (entity, record, found) throws(WireError) in
            guard let id = Identifier<Entity>(entity), try record.isPresent() else { return }
            sums(try Entity(id: id, record: record), &found)
        }
    }

    /// Sums of what events contribute, whatever becomes of their entities. The event is borrowed: it is valid during the call.
    public init(
        events name: String, version: UInt32,
        sums:
            @escaping @Sendable (
                _ event: borrowing EventView, _ position: EventPosition, _ sums: inout Contributions<Key>
            ) -> Void
    ) {
        self.init(name, version, .events, ofEvent: sums) { (_, _, _) throws(WireError) in }
    }

    init(
        _ name: String, _ version: UInt32, _ source: RowSource, _ schema: String = "",
        ofEvent: @escaping @Sendable (borrowing EventView, EventPosition, inout Contributions<Key>) -> Void = {
            _, _, _ in
        },
        ofEntity:
            @escaping @Sendable (EntityReference, borrowing RecordView, inout Contributions<Key>)
            throws(WireError) -> Void
    ) {
        self.name = name
        self.version = version
        self.source = source
        self.schema = schema
        self.ofEntity = ofEntity
        self.ofEvent = ofEvent
    }

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        var found = Contributions<Key>()
        try ofEntity(entity, record, &found)
        found.add(to: &sink)
    }

    public func rows(of event: borrowing EventView, at position: EventPosition, into sink: inout RowSink) {
        var found = Contributions<Key>()
        ofEvent(event, position, &found)
        found.add(to: &sink)
    }
}

/// Takes what an entity or an event contributes to an `AppSums`.
public struct Contributions<Key: ViewValue> {
    private var added: [(key: [UInt8], sum: Accumulation)] = []

    /// Adds to the sum of a key: an amount, and to its count. The sum is there as long as not both are zero.
    public mutating func add(_ amount: Int128 = 0, count: Int64 = 1, to key: Key) {
        added.append((AppSum<Key>.mark + ViewBytes(key: key).bytes, Accumulation(count: count, amount: amount)))
    }

    fileprivate func add(to sink: inout RowSink) {
        for (key, sum) in added { sink.add(key, count: sum.count, amount: sum.amount) }
    }
}

/// A row of an `AppSums`.
public struct AppSum<Key: ViewValue>: Hashable, Sendable, Identifiable {
    public let key: Key
    /// The number of contributions, in 64 bits.
    public let count: Int64
    /// The sum of their amounts, exact in 128 bits.
    public let amount: Int128
    public let id: RowID

    /// Begins every key: a key may have no bytes of its own, and a row must have some.
    fileprivate static var mark: [UInt8] { [0] }

    /// Nil if the bytes are not such a row.
    init?(_ bytes: [UInt8], _ value: [UInt8]) {
        guard bytes.starts(with: Self.mark) else { return nil }
        var keys = ViewBytes.Reader(bytes[1...])
        guard let key = Key(reading: &keys), keys.isAtEnd, let sum = Accumulation(value) else { return nil }
        self.key = key
        count = sum.count
        amount = sum.amount
        id = RowID(bytes: bytes)
    }
}

extension ViewSnapshot {
    /// The sums of a view, in the order of their keys. O(log n + sums).
    ///
    /// Throws `ProjectionError.unknownView` if the view was not among `TripStore.Options.projections`.
    public func sums<Key>(of view: AppSums<Key>, _ selection: RowSelection<Key> = .all) throws -> [AppSum<Key>] {
        try typedRows(of: view.name, selection.bounds.prefixed(by: AppSum<Key>.mark), AppSum<Key>.init)
    }
}

extension FetchRequest {
    /// The sums of an app's own view, in the order of their keys.
    public static func sums<Key>(
        of view: AppSums<Key>, _ selection: RowSelection<Key> = .all
    ) -> FetchRequest where Answer == Rows<AppSum<Key>> {
        FetchRequest(sumsOfView: view.name, selection.bounds) { try $0.sums(of: view, selection) }
    }
}
