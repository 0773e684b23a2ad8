import Events
import Trips

/// Encodes values as parts of keys: bytes whose order is the order of the values.
enum KeyPart {
    /// A day, 4 bytes.
    static func day(_ day: Day) -> [UInt8] { ordered(day).bigEndianBytes }

    /// The day that `day(_:)` wrote, or nil.
    static func day(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Day? {
        guard bytes.count >= offset + 4 else { return nil }
        return Day(daysSince1970: Int32(bitPattern: bytes.bigEndian(UInt32.self, at: offset) ^ 1 << 31))
    }

    /// A signed number: the sign bit is flipped, so that negative ones come first. Its bytes, most significant first,
    /// are in order.
    static func ordered(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }
    static func ordered(_ day: Day) -> UInt32 {
        UInt32(bitPattern: Int32(truncatingIfNeeded: day.daysSince1970)) ^ 1 << 31
    }

    /// Text, in lower case as far as ASCII goes and cut to a length, so that no Unicode table decides the order.
    static func text(_ text: String, upTo limit: Int) -> [UInt8] {
        text.utf8.prefix(limit).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }
}
