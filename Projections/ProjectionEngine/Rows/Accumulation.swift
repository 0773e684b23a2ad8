import Events

/// The value of an accumulating row.
public struct Accumulation: Hashable, Sendable {
    /// How many contributions there are.
    public var count: Int64
    /// Their sum; exact.
    public var amount: Int128

    public init(count: Int64, amount: Int128) {
        self.count = count
        self.amount = amount
    }

    static let encodedSize = 24

    static let zero = Accumulation(count: 0, amount: 0)

    /// Count and sum, most significant byte first.
    func encoded() -> [UInt8] { count.bigEndianBytes + amount.bigEndianBytes }

    /// The same, added to other bytes.
    func write(to bytes: inout RowBytes) {
        bytes.append(count)
        bytes.append(amount)
    }

    /// From the bytes of a row; nil if they are none.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.encodedSize else { return nil }
        count = bytes.bigEndian(Int64.self)
        amount = bytes.bigEndian(Int128.self, at: 8)
    }

    static func += (a: inout Accumulation, b: Accumulation) {
        a.count &+= b.count
        a.amount &+= b.amount
    }

    static prefix func - (a: Accumulation) -> Accumulation {
        Accumulation(count: 0 &- a.count, amount: 0 &- a.amount)
    }
}
