import Foundation
import Trips

/// Reads dates in the ISO 8601 form of exports, byte by byte.
///
/// Accepted is `YYYY-MM-DDTHH:MM:SS`, then optionally a fraction of a second, then `Z` or an offset as `+HH:MM`,
/// `+HHMM` or `+HH`. The calendar is the proleptic Gregorian one; a leap second is invalid.
struct ISODate {
    private var next: Int
    private let end: Int

    /// The date that fills `range` of `bytes` exactly; nil if there is none.
    static func parse(_ bytes: [UInt8], _ range: Range<Int>) -> Date? {
        // Valid dates are not shorter; and a hostile length is not worth reading.
        guard range.count >= 20, range.count <= 64 else { return nil }
        var parser = ISODate(next: range.lowerBound, end: range.upperBound)
        return parser.date(bytes)
    }

    private mutating func date(_ bytes: [UInt8]) -> Date? {
        guard let year = number(4, bytes), take("-", bytes), let month = number(2, bytes), take("-", bytes),
            let day = number(2, bytes), take("T", bytes),
            let hour = number(2, bytes), take(":", bytes), let minute = number(2, bytes), take(":", bytes),
            let second = number(2, bytes),
            (1...12).contains(month), day >= 1, day <= ISODate.days(in: month, of: year),
            hour < 24, minute < 60, second < 60,
            let fraction = fraction(bytes), let offset = offset(bytes), next == end
        else { return nil }
        // Foundation counts from 2001-01-01.
        let days = CivilCalendar.days(year: Int64(year), month: Int64(month), day: Int64(day)) - 11_323
        let seconds = Int(days) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// The fraction of a second, 0 if there is none; nil if a point has no digit.
    private mutating func fraction(_ bytes: [UInt8]) -> Double? {
        guard next < end, bytes[next] == UInt8(ascii: ".") else { return 0 }
        next += 1
        var digits = 0.0
        var scale = 1.0
        let first = next
        while next < end, let digit = digit(bytes[next]) {
            // More digits than a Double can represent are read and ignored.
            if next - first < 15 {
                digits = digits * 10 + Double(digit)
                scale *= 10
            }
            next += 1
        }
        return next > first ? digits / scale : nil
    }

    /// Seconds east of UTC.
    private mutating func offset(_ bytes: [UInt8]) -> Int? {
        if take("Z", bytes) { return 0 }
        let isWest = take("-", bytes)
        guard isWest || take("+", bytes), let hours = number(2, bytes), hours < 24 else { return nil }
        var minutes = 0
        if next < end {
            _ = take(":", bytes)
            guard let given = number(2, bytes), given < 60 else { return nil }
            minutes = given
        }
        let seconds = hours * 3_600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    private mutating func number(_ count: Int, _ bytes: [UInt8]) -> Int? {
        guard end - next >= count else { return nil }
        var value = 0
        for index in next..<next + count {
            guard let digit = digit(bytes[index]) else { return nil }
            value = value * 10 + digit
        }
        next += count
        return value
    }

    private func digit(_ byte: UInt8) -> Int? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? Int(digit) : nil
    }

    private mutating func take(_ expected: Unicode.Scalar, _ bytes: [UInt8]) -> Bool {
        guard next < end, bytes[next] == UInt8(ascii: expected) else { return false }
        next += 1
        return true
    }
}

extension Date {
    /// Later by the milliseconds that the file has beside a date; only 1 to 999 count.
    func adding(_ milliseconds: DecimalNumber?) -> Date {
        guard let milliseconds, let number = Int(milliseconds.text), 1...999 ~= number else { return self }
        return addingTimeInterval(Double(number) / 1_000)
    }
}

extension ISODate {
    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
