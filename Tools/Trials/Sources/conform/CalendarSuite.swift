import Foundation
import TripFormats
import TripStore

/// Calendars of suites: every event that RFC 5545 allows is an item.
enum CalendarSuite {
    /// What is wrong; nil if the calendar is read and no event is left out that has what it must have, or if it is refused and is cut off or
    /// no UTF-8.
    static func fault(_ bytes: [UInt8]) -> String? {
        let outline = CalendarOutline(bytes)
        do {
            let read = try CalendarItems(reading: outline.whole, zone: "UTC")
            guard read.skipped > outline.excused else { return nil }
            let warnings = read.warnings.texts.filter { $0.contains("left out") }
            return "\(read.skipped) of \(outline.events) events left out: \(warnings.prefix(2).joined(separator: "; "))"
        } catch {
            return outline.isWhole ? "\(error)" : nil
        }
    }

    /// A calendar that breaks a rule may be refused in words, or read.
    static func faultOfBroken(_ bytes: [UInt8]) -> String? {
        do {
            _ = try CalendarItems(reading: bytes, zone: "UTC")
            return nil
        } catch {
            return error.message.isEmpty ? "it is refused without a word" : nil
        }
    }
}

/// The faults of a calendar that its lines show by themselves.
private struct CalendarOutline {
    /// The file, in a calendar if it is an event alone.
    let whole: [UInt8]
    private(set) var events = 0
    /// Events that the RFC does not allow, or that another one of the file replaces.
    private(set) var excused = 0
    /// Whether it is UTF-8, and every component that begins ends.
    private(set) var isWhole = false

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "").replacing("\n ", with: "")
        let lines = text.split(whereSeparator: \.isNewline).map { $0.uppercased() }
        let isAlone = lines.first { !$0.isEmpty }?.hasPrefix("BEGIN:VEVENT") == true
        whole = isAlone ? Array("BEGIN:VCALENDAR\n".utf8) + bytes + Array("\nEND:VCALENDAR\n".utf8) : bytes
        var event: [String: String]?
        var names: Set<[String]> = []
        var depth = 0
        func count(_ word: String) -> Int { lines.count { $0.hasPrefix("\(word):") } }
        isWhole =
            String(validating: bytes, as: UTF8.self) != nil && count("BEGIN") == count("END")
            && lines.allSatisfy {
                !$0.hasPrefix("END:VCALENDAR") || $0.trimmingCharacters(in: .whitespaces) == "END:VCALENDAR"
            }
        for line in lines {
            if line.hasPrefix("BEGIN:VEVENT") {
                (event, depth) = ([:], 0)
            } else if line.hasPrefix("END:VEVENT"), let ended = event {
                events += 1
                event = nil
                let name = [ended["UID"] ?? "", ended["RECURRENCE-ID"] ?? ""]
                let isNew = name[0].isEmpty || names.insert(name).inserted
                if ended["DTSTART"]?.first?.isNumber != true || !isNew { excused += 1 }
            } else if line.hasPrefix("BEGIN:") {
                depth += 1
            } else if line.hasPrefix("END:") {
                depth -= 1
            } else if depth == 0, let colon = line.firstIndex(of: ":") {
                let name = line.prefix { $0 != ":" && $0 != ";" }
                event?[String(name)] = String(line[line.index(after: colon)...].drop { $0 == " " })
            }
        }
    }
}
