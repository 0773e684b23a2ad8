package import Events

/// How people write the values of a field: what the tool makes its options from, and how a condition in words reads them.
package enum FieldForm: Sendable, Equatable {
    case text, flag, integer, number, day, instant, moment, money, address, uuid
    /// Bytes, or parts that have no form in a line.
    case data
    /// One of some words.
    case choice([String])
    /// The id of an entity of a kind.
    case reference(EntityKind)
    /// An entity of any kind.
    case entity
}

/// A field as the tool sees it: by its number, and without the type of its entity.
package struct FieldOutline: Sendable {
    package let number: UInt64
    package let name: String
    package let form: FieldForm
    /// What the field is for; nil if people do not write it.
    package let help: String?
    /// Which kind of the store's own namespace a reference names; nil for others.
    package let storeKind: (any OwnEntity.Type)?
}

extension TripEntity {
    /// The fields, in the order in which people read them.
    package static var fieldOutlines: [FieldOutline] {
        schema.erased.fields.map {
            FieldOutline(
                number: $0.number, name: $0.name, form: $0.type.form, help: $0.help,
                storeKind: ($0.type as? any ReferenceValue.Type)?.target as? any OwnEntity.Type)
        }
    }

    /// The value of a field, of its own type; nil if it is cleared, or if there is no such field.
    package func fieldValue(_ number: UInt64) -> Any? {
        guard let field = Self.schema.erased.field(number) else { return nil }
        return encoded(number).flatMap { field.type.decoded($0) }
    }

    /// The value of a field that is a choice, by its name; nil if there is none.
    package static func choice(_ number: UInt64, named name: String) -> Any? {
        (schema.erased.field(number)?.type as? any OpenEnumeration.Type)?.init(name)
    }

    /// Sets a field to a value of its type, or clears it; a value of another type clears it as well.
    package mutating func setField(_ number: UInt64, to value: Any?) {
        guard let field = Self.schema.erased.field(number) else { return }
        let known = value as? any FieldValue
        decode(number, known.flatMap { type(of: $0) == field.type ? $0.encodedValue : nil })
    }
}
