public import Events
import Foundation
import LMDB
public import ProjectionEngine
public import Trips

/// The entities of apps' own kinds under each parent, kind by kind.
///
/// Key: the parent's id (16) ‖ its kind (2) ‖ id (16), of which the first bytes say the kind; without a parent both are zeros. No value. The
/// query checks whether the parent is there: deleting it writes nothing here.
public struct OwnByParent: Projection {
    public let name = "own-by-parent"
    public let version: UInt32 = 1
    public let source = RowSource.entities

    private static let keySize = 34
    private static let noParent = [UInt8](repeating: 0, count: 18)

    public init() {}

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard entity.kind == .own, try record.isPresent() else { return }
        let parent = try Self.parent(record)?.bytes ?? Self.noParent
        sink.put(parent + entity.id.bytes)
    }

    /// The parent that a record of an app's entity names; nil if it names none.
    package static func parent(_ record: borrowing RecordView) throws(WireError) -> EntityReference? {
        var registers = record.registers
        while let register = try registers.next(), register.field <= FieldPath.parent.field {
            guard register.field == FieldPath.parent.field, register.key.isEmpty else { continue }
            return register.value.flatMap { EntityReference(fieldValue: $0) }
        }
        return nil
    }

    /// What the keys of the entities under a parent begin with.
    package static func prefix(of parent: EntityReference?, kind: OwnKind? = nil) -> [UInt8] {
        (parent?.bytes ?? noParent) + (kind?.prefix ?? [])
    }

    /// The entities under a parent, of one kind or of all, in the order of ids, at most `limit`; nil for those that name no parent. O(results).
    public static func children(
        of parent: EntityReference?, kind: OwnKind? = nil, atMost limit: Int = .max, in views: borrowing ViewSnapshot
    ) throws -> [EntityReference] {
        var found: [EntityReference] = []
        let scan = try views.scan("own-by-parent", KeyBounds(prefix: prefix(of: parent, kind: kind)))
        while found.count < limit, let row = try scan.next() {
            guard row.key.count == keySize else { continue }
            found.append(EntityReference(kind: .own, id: row.key.uuid(at: 18)))
        }
        return found
    }

    /// Those of one kind or of all, whatever their parents are, in the order of ids. O(entities of all apps' kinds).
    public static func all(_ kind: OwnKind? = nil, in views: borrowing ViewSnapshot) throws -> [EntityReference] {
        var found: [EntityReference] = []
        let scan = try views.scan("own-by-parent", KeyBounds(prefix: []))
        while let row = try scan.next() {
            guard row.key.count == keySize else { continue }
            let entity = EntityReference(kind: .own, id: row.key.uuid(at: 18))
            if kind == nil || OwnKind(of: entity) == kind { found.append(entity) }
        }
        return found.sorted { $0.id < $1.id }
    }
}
