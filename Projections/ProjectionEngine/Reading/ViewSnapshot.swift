public import EventLog
public import Events
package import LMDB
import Platform

/// The views of a group after one batch of commits; valid inside the closure it was given to.
public struct ViewSnapshot: ~Copyable {
    let transaction: ReadTransaction
    let generation: Generation
    private let entities: Table
    /// Records what is read, for live queries and the cache.
    let recorder: ReadRecorder?
    /// The position of the views.
    public let position: Position

    init(
        _ transaction: consuming ReadTransaction, _ generation: Generation, at position: Position,
        recorder: ReadRecorder? = nil
    ) {
        self.transaction = transaction
        self.generation = generation
        entities = generation.entities
        self.position = position
        self.recorder = recorder
    }

    /// The position of the views, and the hash there.
    package var checkpoint: Checkpoint {
        (try? generation.checkpoint(transaction)) ?? Checkpoint(position: position, hash: .zero)
    }

    /// The update of the program that is needed to read every commit that the views reflect: until then each of them may lack something. Nil
    /// if this version reads them all. O(log n). Every live query runs again when it changes.
    public var neededUpdate: NeededUpdate? { get throws { try generation.neededUpdate(transaction) } }

    /// A second handle on the same snapshot, for a type that wraps it. It is valid inside the same closure; unlike the
    /// snapshot itself the compiler lets it escape, so it is not for apps.
    package borrowing func alias() -> ViewSnapshot {
        ViewSnapshot(transaction.alias(), generation, at: position, recorder: recorder)
    }

    /// Calls `body` with the record of an entity, borrowed in place, and returns the result; nil if nothing is held of
    /// the entity. O(log n).
    @inlinable
    public func withRecord<T>(
        of entity: EntityReference, _ body: (borrowing RecordView) throws -> T
    ) throws -> T? {
        guard let record = try record(of: entity) else { return nil }
        return try body(record)
    }

    /// The record of an entity in place, or nil; valid as long as the read. O(log n).
    @usableFromInline
    package func record(of entity: EntityReference) throws -> RecordView? {
        let bytes = try entity.withBytes { key throws(StorageError) in
            recorder?.add(.key, key, of: Generation.entitiesName)
            return try transaction.get(key, in: entities)
        }
        guard let bytes else { return nil }
        recorder?.count(bytes)
        return try RecordView(row: bytes)
    }

    /// The entities with that id, of any kind; mostly one.
    public func entities(withID id: [UInt8]) throws -> [EntityReference] {
        var found: [EntityReference] = []
        let scan = try scan(Generation.entitiesName, KeyBounds(prefix: id))
        while let row = try scan.next(), row.key.count == 18 {
            let kind = EntityKind(rawValue: row.key.bigEndian(UInt16.self, at: 16))
            found.append(EntityReference(kind: kind, id: row.key.uuid()))
        }
        return found
    }

    /// A copy of the value of a view's row, or nil. O(log n).
    public func get(_ key: [UInt8], in view: String) throws -> [UInt8]? {
        let table = try table(view)
        recorder?.add(.key(key), of: view)
        let value = try transaction.get(key, in: table)
        recorder?.count(value)
        return value.map { [UInt8]($0) }
    }

    /// Calls `body` with each row of a view, or of `entities`, within bounds, until it returns false. O(log n + rows).
    ///
    /// The bytes are borrowed by each call: `[UInt8](key)` copies them. A live query over the rows runs again for
    /// changes only as far as the walk came.
    public func forEachRow(
        of view: String, _ bounds: KeyBounds, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        let scan = try scan(view, bounds)
        while let row = try scan.next(), try body(row.key.bytes, row.value.bytes) {}
    }

    /// The rows of a view, or of `entities`, within bounds. A live query over them runs again for changes there only.
    package func scan(_ view: String, _ bounds: KeyBounds) throws -> RowScan {
        RowScan(try transaction.cursor(on: table(view)), bounds, view: view, recorder: recorder)
    }

    /// The same snapshot, for reading what no result depends on.
    package borrowing func unrecorded() -> ViewSnapshot {
        ViewSnapshot(transaction.alias(), generation, at: position)
    }

    /// Lets the result depend on all keys with a prefix, for a query that reads them by `unrecorded()`.
    package func depend(onPrefix prefix: [UInt8], of view: String) { recorder?.add(.prefix(prefix), of: view) }

    /// The views that are attached to the generation.
    package var attachedViews: AttachedViews { get throws { try generation.attached(transaction) } }

    /// Lets the group make views that a query lacks, for later ones. Does not wait.
    package func demand(_ definitions: [[UInt8]]) { generation.group.value?.demand(definitions) }

    /// A cursor over the rows of all attached views, for comparing them.
    func cursorOnAttached() throws -> Cursor { try transaction.cursor(on: generation.attachedRows) }

    /// The rows of an attached view within bounds, with its number before each key.
    package func scan(_ view: AttachedViews.View, _ bounds: KeyBounds) throws -> RowScan {
        try scan(attached: view.number, bounds)
    }

    /// The same of the rows with a number that is none of a view's, which the projection has for itself.
    package func scan(attached number: UInt8, _ bounds: KeyBounds = KeyBounds(prefix: [])) throws -> RowScan {
        RowScan(try cursorOnAttached(), bounds.prefixed(by: [number]), view: AttachedViews.name, recorder: recorder)
    }

    /// Looks up single keys, or prefixes, of a view.
    package func lookup(in view: String) throws -> KeyLookup {
        KeyLookup(transaction.alias(), try table(view), view: view, recorder: recorder)
    }

    /// A hint that a query will read about that many keys or prefixes.
    public func expect(parts count: Int) { recorder?.reserve(count) }

    /// Copies of the rows whose keys have a prefix, in order.
    public func rows(
        of view: String, prefix: [UInt8] = [], limit: Int = .max
    ) throws -> [(key: [UInt8], value: [UInt8])] {
        var found: [(key: [UInt8], value: [UInt8])] = []
        let scan = try scan(view, KeyBounds(prefix: prefix))
        while found.count < limit, let row = try scan.next() { found.append(([UInt8](row.key), [UInt8](row.value))) }
        return found
    }

    /// A cursor over a view, or over `entities`. A live query over it runs again for every change of the view.
    package func cursor(on view: String) throws -> Cursor {
        recorder?.add(.prefix([]), of: view)
        return try transaction.cursor(on: table(view))
    }

    /// The row count of a view. O(1).
    public func rowCount(of view: String) throws -> Int {
        recorder?.add(.prefix([]), of: view)
        let part = try part(view)
        return try generation.rowCounts(transaction)[part]
    }

    func table(_ view: String) throws(ProjectionError) -> Table {
        if view == Generation.entitiesName { return entities }
        return generation.views[try index(view)]
    }

    private func part(_ view: String) throws(ProjectionError) -> UInt8 {
        view == Generation.entitiesName ? Generation.entitiesPart : Generation.part(ofView: try index(view))
    }

    private func index(_ view: String) throws(ProjectionError) -> Int {
        guard let index = generation.indexes[view] else {
            let names = ([Generation.entitiesName] + generation.indexes.keys.sorted()).joined(separator: ", ")
            throw ProjectionError(.unknownView, "There is no view '\(view)'. The views are \(names).")
        }
        return index
    }

    /// SHA-256 over a view's rows: equal for equal logs, in whatever order commits arrived. O(rows).
    ///
    /// It covers, for each row in key order, the lengths of key and value (4 bytes each, most significant first) and
    /// both.
    public func digest(of view: String) throws -> Digest {
        var cursor = try cursor(on: view)
        return try Self.digest(&cursor)
    }

    static func digest(_ cursor: inout Cursor) throws -> Digest {
        var builder = DigestBuilder()
        // Each call that adds to a hash costs as much as some 50 bytes of it.
        var bytes: [UInt8] = []
        var row = try cursor.first()
        while let current = row {
            let counts = (UInt32(current.key.count).bigEndian, UInt32(current.value.count).bigEndian)
            withUnsafeBytes(of: counts) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: current.key)
            bytes.append(contentsOf: current.value)
            if bytes.count >= 1 << 16 {
                builder.add(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            row = try cursor.next()
        }
        builder.add(bytes)
        return builder.finish()
    }

    /// The batches since a position with the keys that each changed; nil if they are no longer kept, or if naming them
    /// takes more than `limit` bytes.
    package func invalidations(since position: Position, limit: Int = .max) throws -> [Invalidation]? {
        guard position < self.position else { return [] }
        var found: [Invalidation] = []
        var size = 0
        var cursor = try transaction.cursor(on: generation.changes)
        // Without a batch at or before the position, some in between may have been dropped.
        guard let first = try cursor.first(), try Self.position(first.key) <= position else { return nil }
        var row = try cursor.seek(atOrAfter: position.rawValue + 1)
        while let current = row {
            let end = try Self.position(current.key)
            size += current.value.count
            guard size <= limit else { return nil }
            do { found.append(try Invalidation(position: end, current.value)) } catch {
                throw ProjectionError.damaged("the list of changes", error)
            }
            row = try cursor.next()
        }
        return found
    }

    /// The position in a key of the list of changes.
    private static func position(_ key: UnsafeRawBufferPointer) throws(ProjectionError) -> Position {
        guard key.count == 8 else { throw .damaged("the list of changes") }
        return Position(key.bigEndian(UInt64.self))
    }
}

extension RecordView {
    /// The record in a row; throws `ProjectionError.damaged` if it is invalid.
    @inline(__always)
    package init(row value: UnsafeRawBufferPointer) throws(ProjectionError) {
        value.prefetch()
        do { try self.init(value) } catch { throw .damaged("a record", error) }
    }
}
