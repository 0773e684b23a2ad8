import Foundation
import StoreSupport
import Testing
import TripStoreCommands

@Suite("export of itineraries")
struct ItineraryCommandTests {
    private let place = TemporaryFolder()

    private func tool() async throws -> Tool {
        try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name", "Lisbon & Porto", "--start-date", "2027-05-01", "--end-date", "2027-05-03")
        #expect(!trip.isEmpty)
        _ = try await tool.value(
            "add", "activity", "--name", "Tram <28>", "--trip", "Lisbon & Porto", "--start", "2027-05-01T09:30",
            "--start-time-zone", "Europe/Lisbon", "--cost", "12", "--currency", "EUR")
        return tool
    }

    private func text(_ name: String) throws -> String { try String(contentsOfFile: place.path(name), encoding: .utf8) }

    @Test(
        "Both spellings write the same page, which costs are in on request, and which is not replaced without --force")
    func spellings() async throws {
        let tool = try await tool()
        let first = await tool.run("export", place.path("a.html"), "--trip", "Lisbon & Porto", "--costs")
        #expect(first.code == 0 && first.out.first?.hasPrefix("Wrote 1 trip and ") == true, "\(first)")
        let second = await tool.run("export", "Lisbon & Porto", "--html", place.path("b.page"), "--costs", "--json")
        #expect(second.code == 0, "\(second)")
        #expect(try second.object()["format"] as? String == "html" && second.object()["trips"] as? Int == 1)
        let page = try text("a.html")
        #expect(try page == text("b.page"))
        #expect(page.contains("Lisbon &amp; Porto") && page.contains("Tram &lt;28&gt;") && page.contains("12.00 EUR"))
        let again = await tool.run("export", "Lisbon & Porto", "--html", place.path("a.html"))
        #expect(again.code == 2 && again.error.contains("--force"))
        #expect(await tool.run("export", "Lisbon & Porto", "--html", place.path("a.html"), "--force").code == 0)
        #expect(try !text("a.html").contains("12.00 EUR"))
        let piped = await tool.run("export", "Lisbon & Porto", "--html", "-")
        #expect(piped.code == 0)
        await tool.expectInvariants()
    }

    @Test("The page is made on the day that it is in the zone of the configuration, or else of the device")
    func madeOn() async throws {
        let tool = try await tool()
        for (zone, made) in [("", "Sun 2 May 2027"), ("Pacific/Honolulu", "Sat 1 May 2027")] {
            let outcome = await tool.run("export", "Lisbon & Porto", "--html", place.path("\(made).html")) { console in
                // 01:30 in UTC.
                console.now = { Date(timeIntervalSince1970: 1_809_221_400) }
                console.timeZone = .gmt
                console.environment = ["TRIPSTORE_TIME_ZONE": zone]
            }
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try text("\(made).html").contains("Made on \(made)."))
        }
        await tool.expectInvariants()
    }

    @Test("Attachments are in the page on request; what is not here is named in a warning")
    func attachments() async throws {
        let tool = try await tool()
        try Data("%PDF-1.4 a ticket".utf8).write(to: URL(fileURLWithPath: place.path("ticket.pdf")))
        try Data("lost".utf8).write(to: URL(fileURLWithPath: place.path("lost.txt")))
        #expect(await tool.run("attach", "Tram <28>", place.path("ticket.pdf")).code == 0)
        #expect(await tool.run("attach", "Tram <28>", place.path("lost.txt")).code == 0)
        for folder in try FileManager.default.contentsOfDirectory(atPath: tool.path + "/attachments")
        where folder.count == 2 {
            for name in try FileManager.default.contentsOfDirectory(atPath: "\(tool.path)/attachments/\(folder)") {
                let path = "\(tool.path)/attachments/\(folder)/\(name)"
                if try Data(contentsOf: URL(fileURLWithPath: path)) == Data("lost".utf8) {
                    try FileManager.default.removeItem(atPath: path)
                }
            }
        }
        let without = await tool.run("export", place.path("a.html"), "--trip", "Lisbon & Porto")
        #expect(without.code == 0 && without.error.isEmpty)
        #expect(try !text("a.html").contains("ticket.pdf"))
        let with = await tool.run("export", "Lisbon & Porto", "--html", place.path("b.html"), "--attachments")
        #expect(with.code == 0 && with.error.contains("The attachment 'lost.txt' is not in the page"), "\(with)")
        let page = try text("b.html")
        #expect(page.contains("<a download=\"ticket.pdf\" href=\"data:application/pdf;base64,"))
        #expect(page.contains("lost.txt") && page.contains("(not in this page)"))
        await tool.expectInvariants()
    }

    @Test("All trips are one page with a list of them; the options of itineraries are refused for other formats")
    func several() async throws {
        let tool = try await tool()
        _ = try await tool.value("add", "trip", "--name", "Rome")
        #expect(await tool.run("export", place.path("all.html")).code == 0)
        let page = try text("all.html")
        #expect(page.contains("<nav aria-label=\"Trips\">") && page.contains("<bdi>Rome</bdi></h2>"))
        for option in ["--costs", "--attachments"] {
            let outcome = await tool.run("export", place.path("a.json"), option)
            #expect(outcome.code == 64 && outcome.error.contains(option), "\(outcome)")
        }
        #expect(await tool.run("export", "Rome", "--html", place.path("a.html"), "--format", "ics").code == 64)
        #expect(await tool.run("export", "Nowhere", "--html", place.path("a.html")).code == 2)
        #expect(!FileManager.default.fileExists(atPath: place.path("a.html")))
        await tool.expectInvariants()
    }
}
