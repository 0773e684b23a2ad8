import Foundation
import TripStore

/// Names the zone of a time where it is another than that of the time before, or its distance from UTC is.
struct ClockZones {
    private var last: String?

    /// As in "Tokyo time, UTC+9"; nil where it is as before. A zone that the platform does not know counts as UTC, and is named so.
    mutating func change(to moment: Moment) -> String? {
        let offset = moment.secondsFromUTC
        let place = Itinerary.Place(city: "", zone: moment.zone).words
        let words = offset.map { place + ", " + Self.words($0) } ?? "UTC, as \(moment.zone) is not known"
        defer { last = words }
        return words == last ? nil : words
    }

    /// As in UTC+5:30.
    private static func words(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        let rest = minutes % 60
        guard minutes > 0 else { return "UTC" }
        return "UTC\(seconds < 0 ? "−" : "+")\(minutes / 60)" + (rest == 0 ? "" : ":\(rest < 10 ? "0" : "")\(rest)")
    }
}
