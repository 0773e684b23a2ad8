import TripFormats
import TripStore

/// libical's file of rules: RRULE, DTSTART and INSTANCES, and an empty line between two cases.
enum RecurrenceSuite {
    /// What is wrong with each case; nil where the times are those of the file. Cases that libical does not implement are left out.
    static func faults(_ bytes: [UInt8]) -> [String?] {
        var found: [String?] = []
        var fields: [String: String] = [:]
        let lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for line in lines + [""] {
            guard line.isEmpty else {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2, !line.hasPrefix("#") { fields[String(parts[0])] = String(parts[1]) }
                continue
            }
            if let rule = fields["RRULE"], let start = fields["DTSTART"], let instances = fields["INSTANCES"],
                !instances.contains("***")
            {
                found.append(fault(rule, start, instances.split(separator: ",").map { String($0) }))
            }
            fields = [:]
        }
        return found
    }

    private static func fault(_ rule: String, _ start: String, _ expected: [String]) -> String? {
        let isDay = !start.contains("T")
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:rule@conform.example
            DTSTAMP:20270101T000000Z
            DTSTART\(isDay ? ";VALUE=DATE" : ""):\(start)
            RRULE:\(rule)
            SUMMARY:x
            END:VEVENT
            END:VCALENDAR

            """
        var limits = CalendarLimits()
        (limits.mostInstances, limits.mostDays) = (100_000, 1_000_000)
        do {
            let read = try CalendarItems(reading: Array(text.utf8), zone: "UTC", limits: limits)
            let found = read.entries.compactMap { time($0.item) }.sorted()
            let expected = expected.map { $0.filter { $0 != "Z" } }.sorted()
            if found == expected { return nil }
            // A first time that the rule does not have is one of its times and of its COUNT (RFC 5545, section 3.8.5.3), and for libical
            // neither.
            let isAlone = expected.first != start.filter { $0 != "Z" } && !found.isEmpty
            let others = Array(found.dropFirst())
            if isAlone, others == expected || rule.contains("COUNT=") && others == expected.dropLast() { return nil }
            let warning = read.warnings.texts.first.map { " (\($0))" } ?? ""
            return "\(rule) from \(start): \(found.prefix(4)), \(found.count) in all, and not \(expected.prefix(4)), "
                + "\(expected.count) in all\(warning)"
        } catch {
            return "\(rule) from \(start): \(error)"
        }
    }

    /// The start, as libical writes it.
    private static func time(_ item: ForeignItem) -> String? {
        if let day = item.startDay ?? nil { return "\(day)".filter { $0 != "-" } }
        guard let moment = item.start ?? nil else { return nil }
        let second = moment.milliseconds / 1000
        let ofDay = (second % 86_400 + 86_400) % 86_400
        guard let day = Day(daysSince1970: Int((second - ofDay) / 86_400)) else { return nil }
        let clock = [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
        return "\(day)".filter { $0 != "-" } + "T\(clock)"
    }
}
