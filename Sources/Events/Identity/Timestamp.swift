public import Foundation

/// A reading of a hybrid logical clock: 48 bits of milliseconds since 1970 and, below them, 16 bits of a counter.
///
/// A replica's timestamps increase and are later than all that it had seen; the counter carries into the milliseconds.
/// After Kulkarni et al., "Logical Physical Clocks" (2014).
public struct Timestamp: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    @usableFromInline
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package init(milliseconds: UInt64, counter: UInt16 = 0) {
        rawValue = milliseconds << 16 | UInt64(counter)
    }

    /// The first timestamp of the millisecond nearest to a date, so that `date` returns that millisecond.
    ///
    /// Dates before 1970 count as 1970, those beyond the range as its end.
    package init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(milliseconds: UInt64(max(0, min(milliseconds, Double(Self.limit - 1)))))
    }

    /// The first millisecond that no timestamp may name: 2^47, in the year 6429. A commit from there is malformed.
    package static let limit: UInt64 = 1 << 47

    package static let zero = Timestamp(rawValue: 0)

    /// Milliseconds since 1970, UTC.
    package var milliseconds: UInt64 { rawValue >> 16 }

    package var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    /// Whether a commit may have it.
    package var isWellFormed: Bool { rawValue > 0 && milliseconds < Self.limit }

    /// The next one.
    package var successor: Timestamp { Timestamp(rawValue: rawValue &+ 1) }

    /// The previous one; zero for zero.
    package var predecessor: Timestamp { Timestamp(rawValue: rawValue == 0 ? 0 : rawValue - 1) }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.rawValue < b.rawValue }
}

/// One number, of all 64 bits.
extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(UInt64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
