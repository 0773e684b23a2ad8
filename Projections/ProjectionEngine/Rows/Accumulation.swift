import Events

/// The sum of contributions: of an accumulating row, or of one part of it.
public struct Accumulation: Hashable, Sendable {
    /// The number of contributions.
    public var count: Int64
    /// Their sum; exact.
    public var amount: Int128

    @inlinable
    public init(count: Int64, amount: Int128) {
        self.count = count
        self.amount = amount
    }

    static let zero = Accumulation(count: 0, amount: 0)

    /// The sum of a row without parts, from the bytes of its value; of a row with parts, what was added to none of
    /// them. Nil if the bytes are no such value.
    public init?(_ value: [UInt8]) {
        guard let sum = value.withUnsafeBytes({ Accumulation($0) }) else { return nil }
        self = sum
    }

    /// The sum of a row without parts, from the borrowed bytes of its value; of a row with parts, what was added to
    /// none of them. Nil if the bytes are no such value.
    public init?(_ value: RawSpan) {
        guard let sum = value.withUnsafeBytes({ Accumulation($0) }) else { return nil }
        self = sum
    }

    package init?(_ value: UnsafeRawBufferPointer) {
        var parts = AccumulatedParts(value)
        guard let first = try? parts.next(), first.part.isEmpty else { return nil }
        self = first.sum
    }

    /// The sum of each part of a row, from the bytes of its value, in byte order of the parts; a row without parts has
    /// one without a name. Throws `ProjectionError.damaged` if the bytes are no such value.
    public static func parts(of value: [UInt8]) throws -> [(part: [UInt8], sum: Accumulation)] {
        try value.withUnsafeBytes { try parts(of: $0) }
    }

    /// The sum of each part of a row, from the borrowed bytes of its value, in byte order of the parts; a row without
    /// parts has one without a name. Throws `ProjectionError.damaged` if the bytes are no such value.
    public static func parts(of value: RawSpan) throws -> [(part: [UInt8], sum: Accumulation)] {
        try value.withUnsafeBytes { try parts(of: $0) }
    }

    private static func parts(of value: UnsafeRawBufferPointer) throws -> [(part: [UInt8], sum: Accumulation)] {
        var parts = AccumulatedParts(value)
        var found: [(part: [UInt8], sum: Accumulation)] = []
        while let (part, sum) = try parts.next() { found.append(([UInt8](part), sum)) }
        return found
    }

    static func += (a: inout Accumulation, b: Accumulation) {
        a.count &+= b.count
        a.amount &+= b.amount
    }

    static prefix func - (a: Accumulation) -> Accumulation {
        Accumulation(count: 0 &- a.count, amount: 0 &- a.amount)
    }
}
