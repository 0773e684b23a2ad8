public import Events
public import Foundation
public import ProjectionEngine
import Trips

/// The entities that no list has: templates.
///
/// Key: id (16). No value. The kind is left out: one kind alone has entities that no list has, and others may have their ids.
public struct Templates: Projection {
    public let name = "templates"
    public let version: UInt32 = 1
    public let source = RowSource.entities

    public init() {}

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard let flag = entity.kind.unlisted, try record.isPresent(), try record.has(flag: flag) else { return }
        sink.put(entity.id.bytes)
    }

    /// The ids of what is there and in no list. O(those).
    public static func all(in views: borrowing ViewSnapshot) throws -> Set<UUID> {
        var found: Set<UUID> = []
        let scan = try views.scan("templates", KeyBounds(prefix: []))
        while let row = try scan.next() { if row.key.count == 16 { found.insert(row.key.uuid()) } }
        return found
    }
}
