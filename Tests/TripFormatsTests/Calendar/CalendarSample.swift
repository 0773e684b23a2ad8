import Foundation

/// The calendars and tables that the repository ships.
enum CalendarSample {
    static func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url(name))) }

    static func url(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Tools/samples/\(name)").standardized
    }

    /// A calendar of some lines, which LF separates, between BEGIN and END.
    static func calendar(_ lines: String) -> [UInt8] {
        Array("BEGIN:VCALENDAR\nVERSION:2.0\n\(lines)\nEND:VCALENDAR\n".replacing("\n", with: "\r\n").utf8)
    }

    /// One event with a UID.
    static func event(_ lines: String) -> [UInt8] {
        calendar("BEGIN:VEVENT\nUID:1@test\nSUMMARY:Event\n\(lines)\nEND:VEVENT")
    }
}
