public import Events
import Foundation

/// The type of the values of an app's own field, for display where the app is not here.
package enum OwnFieldType: OpenEnumeration {
    case data, text, flag, integer, number, instant, day, moment, money, address, uuid
    /// The id of an entity, with its kind.
    case reference
    /// An address on the web, with its title.
    case link
    /// A name, a telephone number, an address of e-mail and a role.
    case contact
    /// A type that this version does not know, by its number. The store reads a known number as its case.
    case unknown(UInt32)

    package static let known: [(value: OwnFieldType, name: String)] = types.map { ($0.value, $0.name) }

    package var unknownNumber: UInt32? { if case .unknown(let number) = self { number } else { nil } }

    private static let types: [(value: OwnFieldType, name: String, values: any FieldValue.Type)] = [
        (.data, "data", Data.self), (.text, "text", String.self), (.flag, "flag", Bool.self),
        (.integer, "integer", Int.self), (.number, "number", Double.self), (.instant, "instant", Date.self),
        (.day, "day", Day.self), (.moment, "moment", Moment.self), (.money, "money", Money.self),
        (.address, "address", Address.self), (.uuid, "uuid", UUID.self),
        (.reference, "reference", EntityReference.self), (.link, "link", Link.self),
        (.contact, "contact", Contact.self),
    ]

    init(_ type: any FieldValue.Type) {
        if case .reference = type.form {
            self = .reference
        } else {
            self = Self.types.first { $0.values == type }?.value ?? .data
        }
    }

    /// The type of the values; nil for one that this version does not know.
    var values: (any FieldValue.Type)? { Self.types.first { $0.value == self }?.values }
}

/// An entity of any kind: what a reference is where its type does not say to what.
extension EntityReference: FieldValue {
    static var form: FieldForm { .entity }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        guard let found = EntityReference(fieldValue: bytes) else {
            throw WireError("a reference has \(Self.valueSize) bytes, not \(bytes.count)")
        }
        self = found
    }

    var encodedValue: [UInt8]? { fieldValue }
    var text: String { id.uuidString }
}
