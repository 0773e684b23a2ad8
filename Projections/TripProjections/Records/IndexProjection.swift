package import Events
package import Foundation
package import ProjectionEngine
package import Trips

/// The rows of indexes: for each entity of their kind that is there the number of the index (1), the values of its fields, and the id
/// (16). The value of a row is empty, or 1 if some text was cut, else 0, and where the parents of a kind are of one kind the id of the
/// parent (16).
///
/// Each deleted entity of that kind has a row as well: 255, and the id (16). So a count need not read the parent of each entity.
package struct IndexProjection: Projection {
    package typealias Index = (view: AttachedViews.View, definition: IndexDefinition)

    package let name = AttachedViews.name
    package let version: UInt32 = 1
    package let source = RowSource.entities
    package let indexes: [Index]
    private let kinds: [KindIndexes]
    /// A bit for each number of a kind that has an index; apps' own kinds share theirs.
    private let hasIndex: UInt64

    private init(_ indexes: [Index]) {
        self.indexes = indexes
        let byKind = Dictionary(grouping: indexes, by: \.definition.kind)
        kinds = byKind.map { kind, indexes in KindIndexes(kind, indexes.map { ($0.view.number, $0.definition) }) }
        hasIndex = byKind.keys.reduce(0) { $0 | 1 << UInt64($1.kind.rawValue & 63) }
    }

    /// Of the views whose definitions this version knows.
    package static let make: AttachedViews.Maker = { views in
        let indexes = views.compactMap { view in IndexDefinition(view.definition).map { (view, $0) } }
        return (IndexProjection(indexes), indexes.map(\.0))
    }

    package func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard try record.isPresent() else {
            // The children of a parent that has not come yet are there.
            if record.isCreated, entity.kind.isOnlyParent {
                sink.put { bytes in
                    bytes.append(Self.deletedParents)
                    bytes.append(entity.id)
                }
            }
            return
        }
        guard let kind = kinds(of: entity) else { return }
        try kind.forEachRow(of: record) { row in
            sink.put(
                key: { bytes in
                    bytes.append(row.number)
                    bytes.append(contentsOf: row.key)
                    bytes.append(entity.id)
                },
                value: { bytes in
                    guard row.isCut || row.parent != nil else { return }
                    bytes.append(row.isCut ? 1 : 0 as UInt8)
                    if let parent = row.parent { bytes.append(contentsOf: parent) }
                })
        }
    }

    /// The number of the rows of deleted parents, which have ids alone.
    private static let deletedParents = AttachedViews.reservedNumber

    /// The deleted entities of the kind that is the only parent of others: there is one such kind, so an id is enough. O(those).
    package static func deletedParents(in views: borrowing ViewSnapshot) throws -> Set<UUID> {
        var found: Set<UUID> = []
        let scan = try views.scan(attached: deletedParents)
        while let row = try scan.next() { if row.key.count == 17 { found.insert(row.key.uuid(at: 1)) } }
        return found
    }

    package func haveSameRows(
        _ before: borrowing RecordView, _ after: borrowing RecordView, of entity: EntityReference
    ) throws(WireError) -> Bool {
        guard try before.isPresent() == after.isPresent(), before.isCreated == after.isCreated else { return false }
        guard let kind = kinds(of: entity) else { return true }
        return try kind.haveSameRows(before, after)
    }

    private func kinds(of entity: EntityReference) -> KindIndexes? {
        guard hasIndex >> UInt64(entity.kind.rawValue & 63) & 1 == 1 else { return nil }
        for kind in kinds where kind.kind.covers(entity) { return kind }
        return nil
    }
}
