import Events

/// What contributions come to: of an accumulating row, or of one part of it.
public struct Accumulation: Hashable, Sendable {
    /// How many contributions there are.
    public var count: Int64
    /// Their sum; exact.
    public var amount: Int128

    @inlinable
    public init(count: Int64, amount: Int128) {
        self.count = count
        self.amount = amount
    }

    static let zero = Accumulation(count: 0, amount: 0)

    /// What a row without parts comes to, from the bytes of its value; of a row with parts, what was added to none of them.
    /// Nil if the bytes are no such value.
    public init?(_ value: UnsafeRawBufferPointer) {
        var parts = AccumulatedParts(value)
        guard let first = try? parts.next(), first.part.isEmpty else { return nil }
        self = first.sum
    }

    static func += (a: inout Accumulation, b: Accumulation) {
        a.count &+= b.count
        a.amount &+= b.amount
    }

    static prefix func - (a: Accumulation) -> Accumulation {
        Accumulation(count: 0 &- a.count, amount: 0 &- a.amount)
    }
}
