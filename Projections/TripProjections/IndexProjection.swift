package import Events
import Foundation
package import ProjectionEngine
package import Trips

/// The rows of an index: for each entity of its kind that is there the values of the index's fields, and the id (16). The value of a
/// row is 1 if some text was cut.
package struct IndexProjection: Projection {
    package let name: String
    package let version: UInt32 = 1
    package let source = RowSource.entities
    package let definition: IndexDefinition

    /// Nil if this version does not know the definition.
    package init?(_ bytes: [UInt8]) {
        guard let definition = IndexDefinition(bytes) else { return nil }
        self.definition = definition
        name = "index-" + bytes.hexadecimal
    }

    package func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard definition.covers(entity), try record.isPresent() else { return }
        let key = try definition.key(of: record)
        sink.put(
            key: { bytes in
                bytes.append(contentsOf: key.bytes)
                bytes.append(entity.id)
            }, value: { if key.isCut { $0.append(1 as UInt8) } })
    }
}
