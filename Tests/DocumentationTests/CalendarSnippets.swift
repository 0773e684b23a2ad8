import Foundation
import StoreSupport
import TestSupport
import Testing
import TripFormats
import TripStore

@Suite("The page on calendars and tables")
struct CalendarSnippets {
    @Test("A trip as a calendar, and back")
    func calendars() async throws {
        let store = try await TripStore.temporary()
        let trip = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 4)))
        try await store.create(Activity(name: "Castle", in: trip, days: Day(2027, 5, 2)...Day(2027, 5, 2)))
        // begin Calendars
        var calendar = TripCalendar(name: "Lisbon")
        calendar.entries = try store.read { views in try [views.calendarEntry(of: trip)].compactMap { $0 } }
        let (text, warnings) = calendar.text()  // to write to a file, as UTF-8

        let read = try CalendarItems(reading: Array(text.utf8), zone: "Europe/Lisbon")
        for entry in read.entries {
            print(entry.line, entry.item.kind, entry.item.name)
        }
        // end
        #expect(warnings.isEmpty && read.entries.map(\.item.name) == ["Castle"] && read.trips.map(\.id) == [trip])
        try await store.expectInvariants()
        await store.close()
    }

    @Test("A calendar into a trip, and out of it again")
    func importing() async throws {
        let store = try await TripStore.temporary()
        let trip = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 4)))
        let file = SourceFile.path("Tools/samples/calendars/airline-style.ics")
        // begin Calendars-import
        let options = ImportOptions(timeZone: .current, currency: "EUR", destination: .trip(trip))
        let report = try await Importer(store: store, options: options).run(path: file, by: "ana") { progress in
            print(progress.stage, progress.bytesRead, "of", progress.total)
        }
        for warning in report.warnings { print(warning) }
        if let correlation = report.correlation {
            try await store.undo(.correlation(correlation))  // takes the whole import back
        }
        // end
        #expect(report.created.values.reduce(0, +) == 2)
        #expect(try store.items(of: trip).isEmpty)
        try await store.expectInvariants()
        await store.close()
    }
}
