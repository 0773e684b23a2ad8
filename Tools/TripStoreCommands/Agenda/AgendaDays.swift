import Foundation
import TripStore

/// The days of an agenda on the command line.
enum AgendaDays {
    case today, tomorrow
    case range(ClosedRange<Day>)

    /// Throws `ValidationError` for what is no day and no range.
    init(parsing text: String) throws {
        switch text {
        case "today": self = .today
        case "tomorrow": self = .tomorrow
        default: self = .range(try ClosedRange(parsing: text))
        }
    }

    /// The days; those named by words in the zone of the configuration, or else of the device.
    func days() throws -> ClosedRange<Day> {
        if case .range(let days) = self { return days }
        let zone = try Configuration.current()[.timeZone].flatMap { TimeZone(identifier: $0) }
        let today = Day(.now, in: zone ?? .current)
        let day = if case .tomorrow = self { today.advanced(by: 1) } else { today }
        return day...day
    }
}
