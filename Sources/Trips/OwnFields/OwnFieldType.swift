public import Events
import Foundation

/// The type of the values of an app's own field, for display where the app is not here.
public struct OwnFieldType: OpenEnumeration {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let data = OwnFieldType(rawValue: 0)
    public static let text = OwnFieldType(rawValue: 1)
    public static let flag = OwnFieldType(rawValue: 2)
    public static let integer = OwnFieldType(rawValue: 3)
    public static let number = OwnFieldType(rawValue: 4)
    public static let instant = OwnFieldType(rawValue: 5)
    public static let day = OwnFieldType(rawValue: 6)
    public static let moment = OwnFieldType(rawValue: 7)
    public static let money = OwnFieldType(rawValue: 8)
    public static let address = OwnFieldType(rawValue: 9)
    public static let uuid = OwnFieldType(rawValue: 10)
    /// The id of an entity, with its kind.
    public static let reference = OwnFieldType(rawValue: 11)

    /// An address on the web, with its title.
    public static let link = OwnFieldType(rawValue: 12)
    /// A name, a telephone number, an address of e-mail and a role.
    public static let contact = OwnFieldType(rawValue: 13)

    public static let known: [(value: OwnFieldType, name: String)] = types.map { ($0.value, $0.name) }

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
extension EntityReference: OwnFieldValue { public static var coding: OwnFieldCoding<EntityReference> { .builtIn() } }

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
