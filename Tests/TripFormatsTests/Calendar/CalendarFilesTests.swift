import Foundation
import TestSupport
import Testing
import TripStore

@testable import TripFormats

/// The calendars with which Python's icalendar tests itself, where it is installed with them.
@Suite("Calendars of Python's icalendar")
struct CalendarFilesTests {
    static let folder: String? = {
        let script = "import icalendar, os; print(os.path.join(os.path.dirname(icalendar.__file__), 'tests'))"
        guard let output = try? Program.run("python3", ["-c", script]), output.code == 0 else { return nil }
        let path = output.text.split(separator: "\n").last.map { String($0) } ?? ""
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    static let hint: Comment = "python3 with the package icalendar and its tests is not here (pip install icalendar)"

    @Test(
        "Each is read, or refused with its place, and its items can be stored", .enabled(if: folder != nil, hint))
    func read() throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder))
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var (count, refused) = (0, 0)
        for case let file as URL in try #require(files) where file.pathExtension == "ics" {
            count += 1
            let calendar: CalendarItems
            do throws(TextFormatError) {
                calendar = try CalendarItems(
                    reading: [UInt8]((try? Data(contentsOf: file)) ?? Data()), zone: "Europe/Lisbon")
            } catch {
                refused += 1
                #expect(error.place != nil || error.code == .empty, "\(file.lastPathComponent): \(error)")
                continue
            }
            for entry in calendar.entries {
                var item = Activity(name: "", in: .new())
                entry.item.set(on: &item)
                #expect(throws: Never.self, "\(file.lastPathComponent), line \(entry.line)") { try item.validate() }
            }
        }
        // Some of its files are no calendars: events and time zones alone.
        #expect(count - refused > 20, "\(count) files, \(refused) refused")
    }
}
