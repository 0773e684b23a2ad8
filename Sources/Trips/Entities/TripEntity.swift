public import Events
public import Foundation

/// The fields of a kind of entity. A raw value is the field's number in the log and is never reused for another field.
public protocol EntityField: RawRepresentable<UInt32>, CaseIterable, Hashable, Sendable {}

/// A kind of entity: a value whose fields are each a register of the merge.
///
/// The protocol encodes and decodes a field's bytes; the log, the merge and the views know nothing else of it.
public protocol TripEntity: Identifiable, Hashable, Sendable, Encodable where ID == Identifier<Self> {
    /// The fields and their numbers.
    associatedtype Field: EntityField

    /// The number of the kind in the log.
    static var kind: EntityKind { get }

    /// The fields that this kind has, in the order of their numbers.
    static var fields: [Field] { get }

    /// The same as a set.
    static var fieldSet: Set<Field> { get }

    /// The name of a field for people and in JSON.
    static func name(of field: Field) -> String

    /// When it was first created, by its author's clock; nil until it is stored.
    var createdAt: Date? { get }

    /// When the newest of the writes that count was made, by its author's clock; nil until it is stored.
    var updatedAt: Date? { get }

    /// A blank one: every field has its default.
    init(id: ID)

    /// Reads an entity in place from the bytes of its record, whether it is deleted or not.
    ///
    /// A malformed value leaves its field's default. Throws `WireError` only if the record itself cannot be read.
    init(id: ID, record: borrowing RecordView) throws(WireError)

    /// From a record in memory, whether it is deleted or not.
    init(id: ID, record: EntityRecord)

    /// The bytes of a field's value as `trips.proto` says; nil if the field has its default.
    func encoded(_ field: Field) -> [UInt8]?

    /// Sets a field from the bytes of its value, or to its default. Total: an unreadable value leaves the default, and
    /// text is repaired with U+FFFD.
    mutating func decode(_ field: Field, _ value: [UInt8]?)

    /// Checks the rules of the changed fields, and no others: an entity that a merge made inconsistent elsewhere stays
    /// editable.
    func validate(changing fields: Set<Field>) throws(ValidationError)
}

extension TripEntity {
    /// All, unless the kind says otherwise.
    public static var fields: [Field] { Array(Field.allCases) }

    public static var fieldSet: Set<Field> { Set(fields) }

    /// The name of the case, unless the kind says otherwise.
    public static func name(of field: Field) -> String { String(describing: field) }

    /// The kind and the id, as the log names it.
    public var reference: EntityReference { id.reference }

    /// Checks every rule: for an entity that is about to be created.
    public func validate() throws(ValidationError) { try validate(changing: Self.fieldSet) }

    /// Sets the fields that an event writes and returns them; fields unknown to this version are skipped.
    @discardableResult
    public mutating func apply(_ event: TripEvent) -> Set<Field> {
        write(event)
        return Self.fields(of: event)
    }

    /// The fields that an event writes.
    static func fields(of event: TripEvent) -> Set<Field> {
        var fields = Set<Field>(minimumCapacity: event.writes.count)
        for write in event.writes { if let field = Field(rawValue: write.field) { fields.insert(field) } }
        return fields
    }

    /// Sets the fields that an event writes.
    mutating func write(_ event: TripEvent) {
        for write in event.writes {
            if let field = Field(rawValue: write.field) { decode(field, write.value) }
        }
    }
}
