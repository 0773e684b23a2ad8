public import Events
public import Foundation

/// A kind of entity: a value whose fields are each a register of the merge.
///
/// Its schema describes the fields; the log, the merge and the views know nothing else of it.
public protocol TripEntity: Identifiable, Hashable, Sendable, Encodable where ID == Identifier<Self> {
    /// The fields, each described once.
    static var schema: Schema<Self> { get }

    /// The number of the kind in the log.
    static var kind: EntityKind { get }

    /// The values that the store keeps beside the fields. Begins as `StoredState()`.
    var stored: StoredState { get set }

    /// A blank one: every field has its default.
    init(id: ID)
}

/// Values that the store keeps of an entity beside the properties that its schema names.
public struct StoredState: Hashable, Sendable {
    /// Values of fields that are declared outside of the schema, by this app or by others.
    package var own = OwnValues()
    package var createdAt: Date?
    package var updatedAt: Date?

    public init() {}
}

extension TripEntity {
    /// The values of fields that are declared outside of the schema: see `OwnField`.
    package var own: OwnValues {
        get { stored.own }
        // In place: each value that is read would copy those before it.
        _modify { yield &stored.own }
    }

    /// When the entity was first created, by its author's clock; nil until it is stored.
    public var createdAt: Date? { stored.createdAt }

    /// When the newest of the writes that count was made, by its author's clock; nil until it is stored.
    public var updatedAt: Date? { stored.updatedAt }

    package mutating func setTimes(created: Date?, updated: Date?) {
        (stored.createdAt, stored.updatedAt) = (created, updated)
    }

    /// The kind and the id, as the log names it.
    public var reference: EntityReference { id.reference }

    /// The kind's name, as in "book"; of an app's own kind that of its schema.
    package static var kindName: String { schema.erased.name }

    /// The names of the fields in JSON and for people, in the order in which people read them.
    package static var fieldNames: [String] { schema.erased.listed.map(\.name) }

    /// The name of the field that a property holds, as `AuditedChange.field` and JSON have it; nil if it holds none.
    public static func fieldName(of property: PartialKeyPath<Self>) -> String? {
        schema.number(of: property).flatMap { fieldName(of: $0) }
    }

    /// The numbers of the fields, in order.
    package static var fieldNumbers: [UInt64] { schema.erased.ordered.map(\.number) }

    /// The name of the field with a number; nil if there is none.
    package static func fieldName(of number: UInt64) -> String? { schema.erased.field(number)?.name }

    /// The number of the field with a name; nil if there is none.
    package static func fieldNumber(named name: String) -> UInt64? {
        schema.erased.listed.first { $0.name == name }?.number
    }

    /// Sets the fields that an event writes; those unknown to this version, and former fields of an app's kind, are skipped.
    package mutating func apply(_ event: TripEvent) {
        for write in event.writes { decode(write.path, write.value) }
    }

    /// The bytes of a field's value as the log has them; nil if the field has its default, or if there is no such field.
    package func encoded(_ number: UInt64) -> [UInt8]? {
        if number >= Self.schema.erased.lowestOwn { return own[number] }
        return Self.schema.erased.field(number).flatMap { field in
            withUnsafePointer(to: self) { field.storage.encode($0) }
        }
    }

    /// Sets a field from the bytes of its value, or to its default. Total: an unreadable value leaves the default, and
    /// text is repaired with U+FFFD.
    package mutating func decode(_ number: UInt64, _ value: [UInt8]?) {
        decode(FieldPath(field: number), value)
    }

    /// Sets a field, or an element of a collection of an app's field, from the bytes of its value.
    package mutating func decode(_ path: FieldPath, _ value: [UInt8]?) {
        let schema = Self.schema.erased
        guard path.field < schema.lowestOwn else {
            own[path] = value
            return
        }
        guard path.key.isEmpty else { return }
        withUnsafeMutablePointer(to: &self) { entity in
            guard let value else { return schema.decode(path.field, nil, into: entity) }
            value.withUnsafeBytes { schema.decode(path.field, $0, into: entity) }
        }
    }

    /// Clears the references of an entity that are to read as nil: those that `isDeleted` says so of. The record keeps them.
    package mutating func nullify(where isDeleted: (EntityReference) throws -> Bool) rethrows {
        for number in Self.schema.erased.nullified {
            guard let target = encoded(number).flatMap({ EntityReference(fieldValue: $0) }) else { continue }
            if try isDeleted(target) { clear(number) }
        }
        // In place it would copy the values of every entity.
        if own.hasStoreFields { try own.nullify(Self.schema.erased.nullifiedOwn, where: isDeleted) }
    }

    /// Sets a field to its default; an app's field with all of its elements.
    package mutating func clear(_ number: UInt64) {
        if number >= Self.schema.erased.lowestOwn { own.clear(number) } else { decode(number, nil) }
    }
}
