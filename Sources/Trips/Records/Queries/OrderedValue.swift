import Events
import Foundation

/// A field's value as queries compare it.
///
/// Values of one type are ordered: numbers, days, instants and choices as numbers, moments by their instants, text by its Unicode scalars,
/// amounts of money within one currency, and all else by its bytes. Values of different types, or amounts in different currencies, are
/// neither equal nor ordered.
package enum OrderedValue: Sendable {
    case integer(Int64)
    case number(Double)
    case text(String)
    case money(Int64, currency: String)
    case bytes([UInt8])

    /// Less than 0 if this value precedes another, 0 if it is equal; nil if they are not ordered.
    func compared(to other: OrderedValue) -> Int? {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): Self.sign(a, b)
        // NaN equals itself and sorts first, so that the order is total.
        case (.number(let a), .number(let b)):
            a.isNaN || b.isNaN ? (a.isNaN ? 0 : 1) - (b.isNaN ? 0 : 1) : Self.sign(a, b)
        case (.text(let a), .text(let b)): Self.order(a, b)
        case (.money(let a, let currency), .money(let b, let other)):
            Self.order(currency, other) == 0 ? Self.sign(a, b) : nil
        case (.bytes(let a), .bytes(let b)): a.withUnsafeBytes { a in b.withUnsafeBytes { a.order(before: $0) } }
        default: nil
        }
    }

    /// As above for sorting, where all values have an order: by type, and amounts by currency first.
    package func sorted(before other: OrderedValue) -> Int {
        if let order = compared(to: other) { return order }
        if case .money(_, let currency) = self, case .money(_, let second) = other {
            return Self.order(currency, second)
        }
        return Self.sign(kind, other.kind)
    }

    private var kind: Int {
        switch self {
        case .integer: 0
        case .number: 1
        case .text: 2
        case .money: 3
        case .bytes: 4
        }
    }

    /// By the scalars, which bytes of UTF-8 have the order of. Not by `==`, for which equivalent text is equal.
    private static func order(_ a: String, _ b: String) -> Int {
        var (a, b) = (a, b)
        return a.withUTF8 { a in b.withUTF8 { UnsafeRawBufferPointer(a).order(before: UnsafeRawBufferPointer($0)) } }
    }

    /// That of an amount of money.
    var currency: OrderedValue? { if case .money(_, let currency) = self { .text(currency) } else { nil } }

    /// The entity that it names, if it is the name of one.
    var reference: EntityReference? {
        if case .bytes(let bytes) = self { EntityReference(fieldValue: bytes) } else { nil }
    }

    private static func sign<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : a == b ? 0 : 1 }
}

/// Equal as `compared(to:)` says: text by its scalars.
extension OrderedValue: Hashable {
    package static func == (a: OrderedValue, b: OrderedValue) -> Bool { a.compared(to: b) == 0 }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .integer(let number): hasher.combine(number)
        case .number(let number): hasher.combine(number.isNaN ? 0 : (number == 0 ? 0 : number).bitPattern)
        case .text(let text):
            let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
                hasher.combine(bytes: UnsafeRawBufferPointer($0))
            }
            if isHashed == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
        case .money(let minorUnits, _): hasher.combine(minorUnits)
        case .bytes(let bytes): hasher.combine(bytes)
        }
    }
}

extension FieldValue {
    var ordered: OrderedValue { .bytes(encodedValue ?? []) }

    static func ordered(_ bytes: UnsafeRawBufferPointer?) -> OrderedValue? { decoded(bytes)?.ordered }

    /// For people; empty for what cannot be read.
    static func text(of bytes: UnsafeRawBufferPointer) -> String { decoded(bytes)?.text ?? "" }

    /// From the bytes that a value is written as: empty text and empty data have none.
    static func ordered(ofWritten bytes: [UInt8]) -> OrderedValue {
        // Empty text has no bytes, nor has the first moment of 1970 without a zone.
        bytes.withUnsafeBytes { try? Self(encoded: $0, strictly: false) }?.ordered ?? .bytes(bytes)
    }
}

extension String { var ordered: OrderedValue { .text(self) } }
extension Bool { var ordered: OrderedValue { .integer(self ? 1 : 0) } }
extension Int { var ordered: OrderedValue { .integer(Int64(self)) } }
extension Double { var ordered: OrderedValue { .number(self) } }
extension Day { var ordered: OrderedValue { .integer(Int64(daysSince1970)) } }
extension Moment {
    var ordered: OrderedValue { .integer(milliseconds) }

    static func ordered(_ bytes: UnsafeRawBufferPointer?) -> OrderedValue? { milliseconds(bytes).map { .integer($0) } }
}
extension Money { var ordered: OrderedValue { .money(minorUnits, currency: currency.code) } }
extension Date {
    var ordered: OrderedValue { .integer(milliseconds) }
}
extension DefaultedFieldValue where Self: OpenEnumeration {
    var ordered: OrderedValue { .integer(Int64(rawValue)) }
}

/// What a property has where its field is cleared: an app's property has a default of its own, or none, a built-in one that of its type.
extension EntitySchema.Field {
    /// As queries compare it; nil if the property is nil then.
    func clearedValue(on kind: EntityKind) -> OrderedValue? {
        kind.hasBuiltIn(number) ? type.clearedOrder : cleared.map { type.ordered(ofWritten: $0) }
    }

    /// For people; empty if the property is nil then.
    func clearedText(on kind: EntityKind) -> String {
        if let cleared { return cleared.withUnsafeBytes { type.text(of: $0) } }
        return kind.hasBuiltIn(number) ? type.clearedText : ""
    }
}

extension FieldValue {
    /// The type's default as queries compare it; nil if it has none.
    static var clearedOrder: OrderedValue? { (Self.self as? any DefaultedFieldValue.Type)?.defaultOrder }

    /// The text of the type's default; empty if it has none.
    static var clearedText: String { (Self.self as? any DefaultedFieldValue.Type)?.defaultText ?? "" }
}

extension DefaultedFieldValue {
    fileprivate static var defaultOrder: OrderedValue { cleared.ordered }
    fileprivate static var defaultText: String { cleared.text }
}
