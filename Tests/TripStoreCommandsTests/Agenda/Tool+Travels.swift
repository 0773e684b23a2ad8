import Foundation
import Testing

extension Tool {
    /// A calendar of events, each by the lines between its time stamp and its end.
    static func calendar(_ events: [String], name: String = "", method: String = "PUBLISH") -> String {
        let head =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Case//EN", "METHOD:\(method)"]
            + (name.isEmpty ? [] : ["X-WR-CALNAME:\(name)"])
        let all = events.enumerated().flatMap { index, event in
            ["BEGIN:VEVENT", "UID:a\(index)@plan.example", "DTSTAMP:20270101T000000Z"]
                + event.split(separator: "\n").map { String($0) } + ["END:VEVENT"]
        }
        return (head + all + ["END:VCALENDAR"]).map { $0 + "\r\n" }.joined()
    }

    /// Adds a flight to a trip, from a local time in a zone until another.
    func fly(
        _ name: String, _ trip: String, _ start: (String, String), _ end: (String, String)
    ) async throws {
        _ = try await value(
            "add", "transportation", "--mode", "plane", "--name", name, "--trip", trip, "--start", start.0,
            "--start-time-zone", start.1, "--end", end.0, "--end-time-zone", end.1)
    }
}
