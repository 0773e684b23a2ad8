import Foundation
import TripStore

/// A time as it was typed, in the zone where it counts.
struct LocalTime {
    let moment: Moment
    /// What is to be known of the time: clocks there skip it, or show it twice. Nil for others, and where an offset was typed.
    let warning: String?

    init(parsing text: String, in zone: String) throws {
        moment = try Moment(parsing: text, in: zone)
        // Behind the day a sign or a Z can only begin an offset.
        let hasOffset = text.dropFirst("2027-05-01".count).contains { "Z+-".contains($0) }
        warning = hasOffset ? nil : try Self.warning(text, moment)
    }

    private static func warning(_ text: String, _ moment: Moment) throws -> String? {
        // In UTC clocks skip nothing: there the milliseconds are what was typed.
        let typed = try Moment(parsing: text, in: "UTC").milliseconds
        guard let zone = moment.timeZone else { return nil }
        if try Moment(parsing: moment.localTime, in: "UTC").milliseconds != typed {
            return "\(text) does not exist in \(moment.zone), where clocks skip it: \(moment.localISO8601) was taken."
        }
        let offset = zone.secondsFromGMT(for: moment.date)
        let later = zone.secondsFromGMT(for: moment.date.addingTimeInterval(86_400))
        let second = Moment(milliseconds: moment.milliseconds + Int64(offset - later) * 1000, zone: moment.zone)
        guard later != offset, second.localTime == moment.localTime else { return nil }
        return "\(text) comes twice in \(moment.zone): the first was taken, \(moment.localISO8601). For the other type "
            + "\(second.localISO8601)."
    }
}

extension Moment {
    /// What clocks show, without the offset.
    var localTime: String {
        let text = localISO8601
        guard let end = text.dropFirst(11).firstIndex(where: { "Z+-".contains($0) }) else { return text }
        return String(text[..<end])
    }
}
