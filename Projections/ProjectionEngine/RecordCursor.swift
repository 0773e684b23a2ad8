public import Events
import LMDB
import Platform

/// Looks up the record of one entity after another. Entities that were created together have ids that lie
/// together, and so do their records.
///
/// It must not outlive the read that it belongs to.
public struct RecordCursor: ~Copyable {
    private var keys: KeyCursor

    init(_ keys: consuming KeyCursor) { self.keys = keys }

    /// The record of an entity for reading in place, or nil. O(log n).
    public mutating func record(of entity: EntityReference) throws -> RecordView? {
        guard let value = try entity.withBytes({ key throws in try keys.value(of: key) }) else { return nil }
        return try RecordView(row: value)
    }
}

extension RecordView {
    /// The record that a row holds; throws `ProjectionError.damaged` if that is none.
    @inline(__always)
    package init(row value: UnsafeRawBufferPointer) throws(ProjectionError) {
        value.prefetch()
        do { try self.init(value) } catch { throw .damaged("a record", error) }
    }
}
