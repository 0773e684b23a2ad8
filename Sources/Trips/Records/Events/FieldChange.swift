package import Events
import Foundation

/// A new value for one field of one kind of entity, or for one element of a collection.
///
/// ```swift
/// TripEvent(.edited, dune, [.set(\.title, "Dune Messiah"), .set(\.rating, nil)])
/// ```
public struct FieldChange<Entity: TripEntity>: Hashable, Sendable {
    /// The field in the log, and the key of the element.
    package let path: FieldPath
    /// The value's bytes; nil clears.
    package let value: [UInt8]?
    /// The value that the author saw before.
    package let saw: SeenValue

    /// The number of the field in the log.
    package var field: UInt64 { path.field }

    /// From bytes as the log has them: for what `set` does not cover.
    package init(field: UInt64, value: [UInt8]?, saw: SeenValue = .current) {
        self.init(FieldPath(field: field), value: value, saw: saw)
    }

    /// A change of an element, from bytes as the log has them.
    package init(_ path: FieldPath, value: [UInt8]?, saw: SeenValue = .current) {
        self.path = path
        self.value = value
        self.saw = saw
    }

    /// A property gets a value; nil, "" and other defaults clear the field. A property that holds no field, such as the
    /// id, makes a change that is refused with `ValidationError.Code.unknownField`.
    public static func set<Value>(_ property: WritableKeyPath<Entity, Value>, _ value: Value) -> FieldChange {
        var entity = Entity(id: Identifier(.blank))
        entity[keyPath: property] = value
        let field = number(of: property)
        return FieldChange(field: field, value: entity.encoded(field))
    }

    /// A property goes back to its default.
    public static func clear(_ property: PartialKeyPath<Entity>) -> FieldChange {
        FieldChange(field: number(of: property), value: nil)
    }

    /// The change, made in view of another value than the store's.
    package func seeing(_ saw: SeenValue) -> FieldChange { FieldChange(path, value: value, saw: saw) }

    /// 0, which is no field's, if the property holds none.
    private static func number(of property: PartialKeyPath<Entity>) -> UInt64 {
        Entity.schema.number(of: property) ?? 0
    }
}

/// The value that the author of a change saw in the field: a write is in conflict if the authors that wrote
/// over it did not know it.
package enum SeenValue: Hashable, Sendable {
    /// The value that the store holds when the change is written.
    case current
    /// A value that was read earlier, for example when a form was opened; nil if the field was cleared.
    case value([UInt8]?)
    /// The value that the author saw for the write to another field of the same event, by that field's number: this
    /// write follows from that one, as the write of a replaced field does from that of its replacement.
    case implied(by: UInt64)
}

extension TripEntity {
    /// The changes that turn one state into another: the fields whose bytes differ, each with the value that it had.
    ///
    /// A new value keeps the parts of the old one that this version does not know.
    package static func changes(from original: Self, to draft: Self) -> [FieldChange<Self>] {
        var changes: [FieldChange<Self>] = []
        withUnsafePointer(to: original) { original in
            withUnsafePointer(to: draft) { draft in
                for field in schema.erased.ordered where !field.storage.isSame(original, draft) {
                    let old = field.storage.encode(original)
                    var new = field.storage.encode(draft)
                    if let old, let value = new { new = field.type.keepingUnknownParts(of: old, in: value) }
                    // Of a reference that reads as nil its author saw as much as there was to see.
                    let saw: SeenValue = old == nil && field.isNullified ? .current : .value(old)
                    if new != old { changes.append(FieldChange(field: field.number, value: new, saw: saw)) }
                }
            }
        }
        for path in draft.own.paths(differingFrom: original.own) where path.element?.isCounted != true {
            let saw = path.key.isEmpty ? original.own.shown(path.field, before: draft.own) : original.own[path]
            changes.append(FieldChange(path, value: draft.own[path], saw: .value(saw)))
        }
        for (number, count) in draft.own.counts(addedTo: original.own) {
            changes.append(FieldChange(ElementKey.ownShare.path(in: number), value: CounterShare.bytes(count)))
        }
        return changes
    }
}

extension UUID {
    /// Of an entity that is no one's.
    static let blank = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
