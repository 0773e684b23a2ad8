import TripStore

@testable import TripFormats

/// A calendar: what is read of it, under small bounds, is read again the same and meets the rules of days and ids.
final class CalendarFuzzer: Fuzzer {
    static let name = "calendar"
    static let longestInput = 1 << 14
    // Each event that recurs has up to so many items.
    static let allocationFactor = 1 << 16

    init(in folder: String) {}

    private static var limits: CalendarLimits {
        var limits = CalendarLimits()
        (limits.longestLine, limits.mostInstances, limits.mostItems, limits.mostRecurring) = (4_096, 20, 200, 20)
        limits.mostRuleDays = 100_000
        return limits
    }

    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        let input = [UInt8](bytes)
        let calendar = try CalendarItems(reading: input, zone: "Europe/Lisbon", limits: Self.limits)
        let again = try CalendarItems(reading: input, zone: "Europe/Lisbon", limits: Self.limits)
        expect(calendar.entries.map(\.item) == again.entries.map(\.item), "the same bytes read differently")
        for entry in calendar.entries {
            expect(!entry.externalID.isEmpty && entry.line > 0, "an entry has no name or line")
            if let start = entry.item.start ?? nil, let end = entry.item.end ?? nil {
                expect(end.milliseconds >= start.milliseconds, "an item ends before it starts")
            }
            try checkCircle(of: entry)
            // What is read can be written as a line, and read as the same text.
            var writer = CalendarWriter()
            writer.begin("VCALENDAR")
            writer.property("SUMMARY", text: entry.item.name)
            writer.end("VCALENDAR")
            let read = try CalendarReader().components(of: Array(writer.text.utf8)).calendars.first
            let name = read?.property("SUMMARY")?.text ?? ""
            let kept = entry.item.name.unicodeScalars.filter {
                $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" || $0 == "\n" || $0 == "\r"
            }
            let lines = String(String.UnicodeScalarView(kept)).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            expect(
                name.unicodeScalars.elementsEqual(lines.unicodeScalars),
                "\(entry.item.name.debugDescription) came back as \(name.debugDescription)")
        }
    }
}

extension CalendarFuzzer {
    /// A stay with the times of an entry has the same times when it is written and read again.
    private func checkCircle(of entry: CalendarItems.Entry) throws {
        var stay = Lodging(name: "", in: .new())
        entry.item.set(on: &stay)
        entry.item.setStay(on: &stay)
        guard ItemTimes(.lodging(stay)) != nil else { return }
        var calendar = TripCalendar(name: "x", hasCosts: true)
        let contents = TripContents(trip: Trip(name: "x"), items: [.lodging(stay)])
        calendar.entries = [TripCalendar.Entry(document: TripDocument(contents: contents), sequences: [:])]
        let read = try CalendarItems(reading: Array(calendar.text().text.utf8), zone: "UTC")
        var copy = stay
        read.entries.first?.item.set(on: &copy)
        read.entries.first?.item.setStay(on: &copy)
        expect(read.entries.count == 1 && TimeFields(stay) == TimeFields(copy), "\(stay) came back as \(copy)")
    }
}

/// A table, after a byte that chooses the mapping.
final class TableFuzzer: Fuzzer {
    static let name = "table"
    static let longestInput = 1 << 14

    private let mappings: [TableMapping]

    init(in folder: String) throws {
        let columns = "\"name\":1,\"start\":2,\"end\":3,\"cost\":4,\"zone\":5,\"kind\":6,\"latitude\":7,\"longitude\":8"
        mappings = try [
            "{\"source\":\"x\",\"header\":false,\"columns\":{\(columns)}}",
            "{\"source\":\"x\",\"delimiter\":\";\",\"decimalSeparator\":\",\",\"dateFormats\":[\"d.M.yyyy H:mm\",\"dd.MM.yyyy\"],"
                + "\"columns\":{\(columns)},\"id\":1}",
            "{\"source\":\"x\",\"columns\":{\"name\":\"n\",\"start\":[\"d\",\"a\"],\"end\":[\"d\",\"b\"],\"cost\":\"c\",\"stage\":\"s\"},"
                + "\"dateFormats\":[\"d MMM yy h:mm a\",\"yyyy-MM-dd HH:mm:ss\"]}",
        ].map { try TableMapping(json: Array($0.utf8)) }
    }

    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        guard let choice = bytes.first else { return }
        let input = [UInt8](bytes.dropFirst())
        // The same bytes may be a mapping.
        _ = try? TableMapping(json: input)
        let table = try TableItems(
            reading: input, mappings[Int(choice) % mappings.count], zone: "Europe/Lisbon", currency: "EUR")
        for entry in table.entries {
            expect(!entry.item.name.isEmpty && entry.line > 0, "an entry has no name or line")
        }
    }
}
