package import Foundation
import Trips

/// A date as an export has it: a second of the years 1 to 9999 in UTC, and beside it the milliseconds, which the app does not read.
package struct ExportedInstant {
    private static let first = -62_135_596_800
    private static let last = 253_402_300_799

    private let seconds: Int
    /// 0 to 999.
    let milliseconds: Int

    /// Whether it is in those years, and so written as it is.
    package static func isRepresentable(_ date: Date) -> Bool {
        let total = (date.timeIntervalSince1970 * 1_000).rounded()
        return total >= Double(first) * 1_000 && total < Double(last + 1) * 1_000
    }

    init(_ date: Date) {
        let total = (date.timeIntervalSince1970 * 1_000).rounded()
        guard total >= Double(Self.first) * 1_000 else {
            (seconds, milliseconds) = (Self.first, 0)
            return
        }
        guard total < Double(Self.last + 1) * 1_000 else {
            (seconds, milliseconds) = (Self.last, 0)
            return
        }
        let rest = Int(total) % 1_000
        milliseconds = rest < 0 ? rest + 1_000 : rest
        seconds = (Int(total) - milliseconds) / 1_000
    }

    var secondOfDay: Int {
        let rest = seconds % 86_400
        return rest < 0 ? rest + 86_400 : rest
    }

    /// The calendar's day.
    var day: (year: Int, month: Int, day: Int) {
        let (year, month, day) = CivilCalendar.date(days: Int64((seconds - secondOfDay) / 86_400))
        return (Int(year), Int(month), Int(day))
    }
}
