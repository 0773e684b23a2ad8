import Events
import Foundation

/// A type of which apps' own fields have values.
///
/// Text, numbers, dates, days, moments, money, addresses, bytes, ids and references are. An enumeration with a raw value needs no more
/// than its conformance:
///
/// ```swift
/// enum Mood: String, OwnFieldValue { case good, mixed, bad }
/// ```
///
/// A raw value that a newer version of the app wrote reads as nil, and stays as it is. Where `Int` has 32 bits, a greater one reads as
/// nil.
public protocol OwnFieldValue: Hashable, Sendable {
    /// The bytes of values.
    static var coding: OwnFieldCoding<Self> { get }
}

/// How a type's values are bytes in the log: as those of one of the store's own types.
public struct OwnFieldCoding<Value>: Sendable {
    /// The type that the bytes are of, for checks and for words.
    let type: any FieldValue.Type
    /// No bytes if the value counts as cleared, as empty text does.
    package let encode: @Sendable (Value) -> [UInt8]
    package let decode: @Sendable (UnsafeRawBufferPointer) -> Value?
    /// Whether it has a value wherever the type of the bytes has one.
    var readsAll = false

    /// Whether it has a value for some bytes; nil if it has wherever the type of the bytes has one.
    var isReadable: (@Sendable (UnsafeRawBufferPointer) -> Bool)? {
        if readsAll { return nil }
        let decode = decode
        return { decode($0) != nil }
    }

    func decoded(_ bytes: [UInt8]) -> Value? { bytes.withUnsafeBytes(decode) }

    /// An app's rule for values as one for their bytes. It says nothing of bytes that are no value.
    func rule(_ isValid: (@Sendable (Value) -> Bool)?) -> (@Sendable ([UInt8]) -> Bool)? {
        guard let isValid else { return nil }
        return { decoded($0).map(isValid) ?? true }
    }

    /// The coding of values as those of another type.
    public static func mapped<Stored: OwnFieldValue>(
        to stored: @escaping @Sendable (Value) -> Stored, from read: @escaping @Sendable (Stored) -> Value?
    ) -> OwnFieldCoding {
        let coding = Stored.coding
        return OwnFieldCoding(
            type: coding.type, encode: { coding.encode(stored($0)) }, decode: { coding.decode($0).flatMap(read) })
    }
}

extension FieldValue {
    /// The coding that built-in fields use. A value that a built-in field does not write has `clearedBytes`; without any it is cleared here too.
    public static var coding: OwnFieldCoding<Self> {
        OwnFieldCoding(
            type: Self.self, encode: { $0.encodedValue ?? clearedBytes },
            decode: { bytes in
                do { return try Self(encoded: bytes, strictly: false) } catch { return nil }
            }, readsAll: true)
    }
}

extension OwnFieldValue where Self: RawRepresentable, RawValue: OwnFieldValue {
    public static var coding: OwnFieldCoding<Self> { .mapped(to: \.rawValue, from: { Self(rawValue: $0) }) }
}

extension Identifier: OwnFieldValue where Entity: TripEntity {}
