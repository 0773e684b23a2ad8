import Events

/// A choice among named numbers, which may grow: numbers unknown to this version are kept.
///
/// The numbers of the known values are their indexes in `known`.
package protocol OpenEnumeration: Hashable, Sendable, CaseIterable, LosslessStringConvertible, Codable {
    /// A value that this version does not know, by its number.
    static func unknown(_ number: UInt32) -> Self

    /// The values that this version knows, with their names; the first is the default.
    static var known: [(value: Self, name: String)] { get }

    /// The number of a value that this version does not know; nil for the others.
    var unknownNumber: UInt32? { get }
}

extension OpenEnumeration {
    package init(rawValue: UInt32) {
        self = rawValue < Self.known.count ? Self.known[Int(rawValue)].value : .unknown(rawValue)
    }

    /// The number in the log.
    package var rawValue: UInt32 {
        unknownNumber ?? UInt32(Self.known.firstIndex { $0.value == self } ?? 0)
    }

    /// The values that this version knows.
    public static var allCases: [Self] { known.map(\.value) }

    /// The name of the value, or its number if this version does not know it.
    public var description: String { Self.known.first { $0.value == self }?.name ?? String(rawValue) }

    /// From a name or a number; nil for anything else.
    public init?(_ text: String) {
        if let known = Self.known.first(where: { $0.name == text }) {
            self = known.value
        } else if let number = UInt32(text) {
            self.init(rawValue: number)
        } else {
            return nil
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            let names = Self.known.map(\.name).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is none of \(names)")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension DefaultedFieldValue where Self: OpenEnumeration {
    static var cleared: Self { Self(rawValue: 0) }
    static var form: FieldForm { .choice(known.map(\.name)) }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        let number = try bytes.onlyVarint()
        guard let narrow = UInt32(exactly: number) else { throw WireError("\(number) is over 32 bits") }
        self.init(rawValue: narrow)
    }

    var encodedValue: [UInt8]? { rawValue == 0 ? nil : .varint(UInt64(rawValue)) }
    static var clearedBytes: [UInt8] { [0] }
    func isSame(as other: Self) -> Bool { rawValue == other.rawValue }
    var text: String { description }
    static var clearedJSON: JSONValue { .string(cleared.description) }
}

/// Whether all of an entity is there. An app may write the outline of one at once, and the rest when a slow source has delivered it.
public enum ProcessingStatus: OpenEnumeration, DefaultedFieldValue {
    case ready, processing, failed
    /// A status that this version does not know, by its number. The store reads a known number as its case.
    case unknown(UInt32)

    package static let known: [(value: ProcessingStatus, name: String)] = [
        (.ready, "ready"), (.processing, "processing"), (.failed, "failed"),
    ]

    package var unknownNumber: UInt32? { if case .unknown(let number) = self { number } else { nil } }
}
