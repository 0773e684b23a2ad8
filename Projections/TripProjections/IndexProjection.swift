package import Events
import Foundation
package import ProjectionEngine
package import Trips

/// The rows of indexes: for each entity of their kind that is there the number of the index (1), the values of its fields, and the id
/// (16). The value of a row is 1 if some text was cut.
package struct IndexProjection: Projection {
    package typealias Index = (view: AttachedViews.View, definition: IndexDefinition)

    package let name = AttachedViews.name
    package let version: UInt32 = 1
    package let source = RowSource.entities
    package let indexes: [Index]
    private let kinds: [KindIndexes]
    /// The kinds that have one, by number; all of the apps' own have one.
    private let hasIndex: UInt64

    private init(_ indexes: [Index]) {
        self.indexes = indexes
        let byKind = Dictionary(grouping: indexes, by: \.definition.kind)
        kinds = byKind.map { kind, indexes in KindIndexes(kind, indexes.map { ($0.view.number, $0.definition) }) }
        hasIndex = byKind.keys.reduce(0) { $0 | 1 << UInt64($1.kindNumber & 63) }
    }

    /// Of the views whose definitions this version knows.
    package static let make: AttachedViews.Maker = { views in
        let indexes = views.compactMap { view in IndexDefinition(view.definition).map { (view, $0) } }
        return (IndexProjection(indexes), indexes.map(\.0))
    }

    package func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard let kind = kinds(of: entity), try record.isPresent() else { return }
        try kind.forEachKey(of: record) { number, key, isCut in
            sink.put(
                key: { bytes in
                    bytes.append(number)
                    bytes.append(contentsOf: key)
                    bytes.append(entity.id)
                }, value: { if isCut { $0.append(1 as UInt8) } })
        }
    }

    package func haveSameRows(
        _ before: borrowing RecordView, _ after: borrowing RecordView, of entity: EntityReference
    ) throws(WireError) -> Bool {
        guard let kind = kinds(of: entity) else { return true }
        guard try before.isPresent() == after.isPresent() else { return false }
        return try kind.haveSameKeys(before, after)
    }

    private func kinds(of entity: EntityReference) -> KindIndexes? {
        guard hasIndex >> UInt64(entity.kind.rawValue & 63) & 1 == 1 else { return nil }
        for kind in kinds where kind.kind.covers(entity) { return kind }
        return nil
    }
}
