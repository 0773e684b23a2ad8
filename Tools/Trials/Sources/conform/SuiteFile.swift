import Foundation

/// A file of a suite, which its path shows.
struct SuiteFile {
    enum Suite {
        /// libical's rules with the times that they have.
        case rules
        /// Calendars that are right, by the name of their suite, and calendars that may be refused.
        case calendar(String)
        case brokenCalendar(String)
        /// JSONTestSuite: the first letter of a name says whether a reader must, must not, or may read the file.
        case json
    }

    /// A file that takes longer counts as failed.
    private static let longest: Double = 10

    let path: String
    let suite: Suite

    var name: String { path.split(separator: "/").suffix(2).joined(separator: "/") }

    /// The files of known suites in a folder, in the order of their paths.
    static func all(in folder: String) -> [SuiteFile] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.sorted().compactMap { SuiteFile(path: "\(folder)/\($0)") }
    }

    /// Nil for a file of no suite.
    init?(path: String) {
        self.path = path
        let parts = path.split(separator: "/").map(String.init)
        let name = parts.last ?? ""
        if name == "icalrecur_test.txt" {
            suite = .rules
        } else if name.hasSuffix(".json"), parts.dropLast().last == "test_parsing" {
            suite = .json
        } else if name.hasSuffix(".ics"), let calendar = Self.calendar(parts, name) {
            suite = calendar
        } else {
            return nil
        }
    }

    private static func calendar(_ parts: [String], _ name: String) -> Suite? {
        func has(_ folders: String...) -> Bool {
            parts.indices.contains { parts[$0...].starts(with: folders) }
        }
        if has("samples", "valid") { return .calendar("ical4j, valid") }
        if has("samples", "invalid") { return .brokenCalendar("ical4j, invalid") }
        if has("autotests") { return .calendar("KDE kitinerary") }
        if has("test-data") { return .brokenCalendar("libical, calendars") }
        guard has("tests", "calendars") || has("tests", "events") else { return nil }
        // These are in the suite because they break a rule.
        let isBroken = ["bad", "broken", "error", "fail", "fuzz", "invalid", "custom_component", "empty"].contains {
            name.lowercased().contains($0)
        }
        return isBroken ? .brokenCalendar("collective/icalendar, broken") : .calendar("collective/icalendar")
    }

    /// The cases of the file, each with the name of its suite and what is wrong, or nil.
    func faults() -> [(suite: String, fault: String?)] {
        let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
        let start = Date.now
        var found: [(suite: String, fault: String?)] =
            switch suite {
            case .rules: RecurrenceSuite.faults(bytes).map { ("libical, recurrence rules", $0) }
            case .calendar(let name): [(name, CalendarSuite.fault(bytes))]
            case .brokenCalendar(let name): [(name, CalendarSuite.faultOfBroken(bytes))]
            case .json: JSONSuite.faults(path, bytes)
            }
        let seconds = Date.now.timeIntervalSince(start)
        if seconds > Self.longest, !found.isEmpty { found[0].fault = "it took \(Int(seconds)) s" }
        return found
    }
}
