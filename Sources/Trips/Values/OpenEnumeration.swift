import Events

/// A choice among named numbers, which may grow: numbers unknown to this version are kept.
public protocol OpenEnumeration: RawRepresentable<UInt32>, Hashable, Sendable, LosslessStringConvertible, Codable {
    init(rawValue: UInt32)

    /// The values that this version knows, with their names; the first has the number 0 and is the default.
    static var known: [(value: Self, name: String)] { get }
}

extension OpenEnumeration {
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
    func isSame(as other: Self) -> Bool { rawValue == other.rawValue }
    var text: String { description }
    static var clearedJSON: JSONValue { .string(cleared.description) }
}

/// Whether all of an entity is there. An app may write the outline of one at once, and the rest when a slow source has delivered it.
public struct ProcessingStatus: OpenEnumeration, DefaultedFieldValue {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let ready = ProcessingStatus(rawValue: 0)
    public static let processing = ProcessingStatus(rawValue: 1)
    public static let failed = ProcessingStatus(rawValue: 2)

    public static let known: [(value: ProcessingStatus, name: String)] = [
        (.ready, "ready"), (.processing, "processing"), (.failed, "failed"),
    ]
}
