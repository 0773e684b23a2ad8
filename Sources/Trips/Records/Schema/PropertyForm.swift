package import Events

/// How the values of a property are those of a field in the log.
protocol PropertyForm: Sendable {
    associatedtype Property: Sendable

    /// The value of some bytes; the property's default if there are none, or none that can be read.
    func decoded(_ bytes: UnsafeRawBufferPointer?) -> Property
    /// The bytes of a value; nil for the default.
    func encoded(_ value: Property) -> [UInt8]?
    /// Whether two values have the same bytes.
    func isSame(_ first: Property, _ second: Property) -> Bool
}

/// The type of a property whose values are the store's own: an optional is nil where the field is cleared, another type has its default.
protocol FieldProperty: Sendable {
    associatedtype Value: FieldValue

    /// The default for nil.
    init(ifSet value: Value?)
    /// Nil only where the field is cleared.
    var ifSet: Value? { get }
}

extension Optional: FieldProperty where Wrapped: FieldValue {
    @inline(__always)
    init(ifSet value: Wrapped?) { self = value }
    @inline(__always)
    var ifSet: Wrapped? { self }
}

extension DefaultedFieldValue {
    @inline(__always)
    init(ifSet value: Self?) { self = value ?? .cleared }
    @inline(__always)
    var ifSet: Self? { self }
}

/// A property of one of the store's own types.
struct BuiltInForm<Property: FieldProperty>: PropertyForm {
    @inline(__always)
    func decoded(_ bytes: UnsafeRawBufferPointer?) -> Property { Property(ifSet: Property.Value.decoded(bytes)) }

    func encoded(_ value: Property) -> [UInt8]? { value.ifSet?.encodedValue }

    func isSame(_ first: Property, _ second: Property) -> Bool {
        switch (first.ifSet, second.ifSet) {
        case (nil, nil): true
        // A value may be one that counts as cleared.
        case (let value?, nil), (nil, let value?): value.encodedValue == nil
        case (let first?, let second?): first.isSame(as: second)
        }
    }
}

/// A property of a type that codes its values as those of another: those of apps.
struct CodedForm<Property: Sendable, Value: OwnFieldValue>: PropertyForm {
    private let coding = Value.coding
    /// The property for a value, and where the field is cleared.
    private let property: @Sendable (Value?) -> Property
    /// Nil where the field is cleared.
    private let value: @Sendable (Property) -> Value?
    /// The bytes of the property where the field is cleared; nil if it is nil then.
    let cleared: [UInt8]?

    /// A property that is nil where the field is cleared.
    init() where Property == Value? {
        property = { $0 }
        value = { $0 }
        cleared = nil
    }

    /// A property that has a default where the field is cleared.
    init(default blank: Value) where Property == Value {
        property = { $0 ?? blank }
        value = { $0 == blank ? nil : $0 }
        cleared = coding.encode(blank)
    }

    func decoded(_ bytes: UnsafeRawBufferPointer?) -> Property {
        property(bytes.flatMap { $0.isEmpty ? nil : coding.decode($0) })
    }

    func encoded(_ value: Property) -> [UInt8]? {
        self.value(value).map(coding.encode).flatMap { $0.isEmpty ? nil : $0 }
    }

    func isSame(_ first: Property, _ second: Property) -> Bool { encoded(first) == encoded(second) }
}

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
    /// The purpose of the field; nil if people do not write it.
    package let help: FieldHelp?
    package let theme: FieldTheme
    /// Whether an entity must have it.
    package let isRequired: Bool
    /// Whether it is one in a namespace, which is read and written by its description.
    package let isAdded: Bool
    /// The kind of the store's own namespace that a reference names; nil for others.
    package let storeKind: (any OwnEntity.Type)?
}

extension TripEntity {
    /// The fields, in the order in which people read them.
    package static var fieldOutlines: [FieldOutline] {
        (schema.erased.fields + schema.erased.added).map {
            FieldOutline(
                number: $0.number, name: $0.name, form: $0.type.form, help: $0.help, theme: $0.theme,
                isRequired: $0.rules.isRequired, isAdded: $0.own != nil,
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
