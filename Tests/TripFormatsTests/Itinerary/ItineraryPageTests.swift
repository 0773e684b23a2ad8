import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("Pages of itineraries")
struct ItineraryPageTests {
    @Test(
        "Times are those of the place, with the zone named where it changes, and an arrival on another day has a line there"
    )
    func zones() async throws {
        let flight = Transportation(
            name: "NH 224", mode: .plane, in: nil, from: try PageFixture.time("2027-04-02T13:35", "Europe/Berlin"),
            until: try PageFixture.time("2027-04-03T09:55", "Asia/Tokyo"))
        let tram = Activity(name: "Tram", in: nil, from: try PageFixture.time("2027-04-02T09:00", "Europe/Berlin"))
        let html = try await PageFixture.page([.activity(tram), .transportation(flight)]).html
        let berlin = "<span class=\"zone\">Berlin time, UTC+2</span>"
        let tokyo = "<span class=\"zone\">Tokyo time, UTC+9</span>"
        #expect(html.components(separatedBy: berlin).count == 2)
        // With the departure, and with the arrival on the next day.
        #expect(html.components(separatedBy: tokyo).count == 3)
        #expect(html.contains("<time datetime=\"2027-04-03T09:55:00+09:00\">09:55</time> +1 day"))
        #expect(html.contains("Arrival: <bdi>NH 224</bdi>") && html.contains("Plane, 13 h 20 min"))
        #expect(html.contains(">Sun 4 Apr 2027</h2>") || html.contains(">Sun 4 – Mon 5 Apr 2027</h2>"))
        #expect(PageFixture.unbalanced(html) == [])
    }

    @Test("Costs are on the page on request, each item's and the sums; a cancelled item is marked")
    func costs() async throws {
        var dinner = Activity(name: "Dinner", in: nil, cost: Money(minorUnits: 1250, "EUR"), paid: .inFull)
        let train = Transportation(name: "Train", mode: .train, in: nil, cost: Money(minorUnits: 9000, "JPY"))
        for shows in [false, true] {
            let html = try await PageFixture.page(
                [.activity(dinner), .transportation(train)], .init(showsCosts: shows)
            ).html
            #expect(html.contains("12.50 EUR, paid in full") == shows && html.contains("9000 JPY, unpaid<") == shows)
            #expect(html.contains("Costs: 12.50 EUR, 9000 JPY, 9000 JPY unpaid") == shows)
        }
        dinner.stage = .cancelled
        let html = try await PageFixture.page([.activity(dinner)]).html
        #expect(html.contains("item cancelled") && html.contains(">Cancelled</span>"))
    }

    @Test("Pictures are shown by what their bytes are, other files are saved, and what is too large or fails is named")
    func attachments() async throws {
        let item = TripItem.activity(Activity(name: "Tram", in: nil))
        func file(_ name: String, _ size: Int64) throws -> AttachedFile {
            AttachedFile(name: name, of: item.reference, content: try PageFixture.content(size))
        }
        let bytes: [String: [UInt8]] = [
            "map.html": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], "ticket.png": Array("%PDF-1.4".utf8),
            "evil.png": Array("<svg onload=alert(1)>".utf8), "second.pdf": Array("%PDF-1.4 2".utf8),
        ]
        var options = ItineraryPage.Options()
        var embedding = ItineraryPage.Embedding { file in
            guard let found = bytes[file.name] else { throw TripStoreError(.missingContent, "It is not here.") }
            return Data(found)
        }
        embedding.mostOfOne = 100
        embedding.mostOfAll = 40
        options.embedding = embedding
        let files = [
            try file("map.html", 9), try file("ticket.png", 8), try file("evil.png", 21), try file("second.pdf", 10),
            try file("large.pdf", 101), try file("gone.pdf", 1),
        ]
        let (html, leftOut) = try await PageFixture.page([item], files: files.map { (item, $0) }, options)
        #expect(html.contains("<img src=\"data:image/png;base64,") && html.contains("alt=\"map.html\""))
        #expect(html.contains("<a download=\"ticket.png\" href=\"data:application/pdf;base64,"))
        #expect(html.contains("<a download=\"evil.png\" href=\"data:application/octet-stream;base64,"))
        #expect(leftOut.map(\.name) == ["second.pdf", "large.pdf", "gone.pdf"])
        #expect(html.components(separatedBy: "(not in this page)").count == 4 && PageFixture.unbalanced(html) == [])
        #expect(try await !PageFixture.page([item], files: files.map { (item, $0) }).html.contains("map.html"))
    }

    @Test("Of thousands of stays at one time the page grows with their number, and not with its square")
    func many() async throws {
        var sizes: [Int] = []
        for count in [500, 1_000] {
            let stays = (0..<count).map { index in
                let first = Day(2027, 1, 1).advanced(by: index)
                return TripItem.lodging(Lodging(name: "Stay", in: nil, days: first...first.advanced(by: count)))
            }
            let html = try await PageFixture.page(stays, of: Trip(name: "Long")).html
            #expect(html.contains("other items going on."))
            sizes.append(html.utf8.count)
        }
        #expect(sizes[1] < sizes[0] * 5 / 2)
    }

    @Test("Checklists are on the page, budgets and who paid with the costs, and who takes part by name")
    func planning() async throws {
        var (trip, ana, ben) = (
            Trip(name: "Japan", days: PageFixture.days), Traveller(name: "Ana"), Traveller(name: "<Ben>")
        )
        trip.travellers = [ana.id, ben.id]
        ana.notes = "secret"
        var dinner = Activity(name: "Dinner", in: trip.id, cost: Money(minorUnits: 1250, "EUR"), paid: .inFull)
        dinner.participants = [ana.id, ben.id]
        dinner.payer = ben.id
        let list = Checklist(name: "Packing", in: trip.id, notes: "Light")
        var passport = ChecklistEntry("Passport", in: list.id, by: ana.id, until: Day(2027, 4, 1))
        passport.isDone = true
        let contents = TripContents(
            trip: trip, items: [.activity(dinner)],
            budgets: [
                Budget(Money(minorUnits: 10_000, "EUR"), in: trip.id),
                Budget(Money(minorUnits: 1_000, "EUR"), for: "activity", in: trip.id),
            ],
            checklists: [list, Checklist(name: "Empty", in: trip.id)],
            entries: [passport, ChecklistEntry("<i>Socks", in: list.id)])
        let document = TripDocument(contents: contents, travellers: [ana.id: ana, ben.id: ben])
        for (costs, lists) in [(false, true), (true, false), (true, true)] {
            var options = ItineraryPage.Options(showsCosts: costs)
            options.showsChecklists = lists
            let html = try await ItineraryPage.html(document, options).html
            #expect(PageFixture.unbalanced(html) == [])
            #expect(html.contains("<dt>For</dt><dd><bdi>&lt;Ben&gt;</bdi>, <bdi>Ana</bdi></dd>"), "\(html)")
            #expect(html.contains("<dt>Paid by</dt><dd><bdi>&lt;Ben&gt;</bdi></dd>") == costs)
            #expect(
                html.contains("<dt>All</dt><dd>12.50 EUR of 100.00 EUR planned, 87.50 EUR left, 12.50 EUR paid</dd>")
                    == costs)
            #expect(
                html.contains("<bdi>activity</bdi></dt><dd>12.50 EUR of 10.00 EUR planned, 2.50 EUR too much") == costs)
            #expect(html.contains("<bdi>Packing</bdi></h2><p class=\"where\">1 of 2 done</p>") == lists)
            #expect(
                html.contains(
                    "aria-label=\"done\">☑</span> <bdi>Passport</bdi> <span class=\"soft\">(<bdi>Ana</bdi>, until Thu 1 Apr 2027)</span>"
                ) == lists)
            #expect(
                html.contains("☐</span> <bdi>&lt;i&gt;Socks</bdi>") == lists
                    && html.contains("<bdi>Empty</bdi></h2>") == lists)
            #expect(!html.contains("secret"))
        }
    }

    @Test("A time beyond all years that clocks know is shown with the zone's last offset")
    func distant() async throws {
        let late = Activity(name: "Late", in: nil, from: Moment(milliseconds: .max - 1, zone: "Asia/Tokyo"))
        let html = try await PageFixture.page([.activity(late)], of: Trip(name: "T")).html
        #expect(html.contains("Tokyo time, UTC+9"))
    }

    @Test("Several trips are listed at the top, and each has headings below that of the page")
    func several() async throws {
        let trips = [Trip(name: "Japan", days: PageFixture.days), Trip(name: "<Rome>")]
        var page = ItineraryPage(of: trips, .init(day: Day(2027, 1, 2)))
        var html = page.head
        for trip in trips {
            _ = try await page.write(TripDocument(contents: TripContents(trip: trip))) { html += $0 }
        }
        html += page.foot
        #expect(html.components(separatedBy: "<h1>").count == 2 && html.contains("<bdi>Japan</bdi></h2>"))
        #expect(html.contains("<li><a href=\"#trip-\(trips[1].id)\"><bdi>&lt;Rome&gt;</bdi></a></li>"))
        #expect(html.contains("id=\"trip-\(trips[1].id)\"") && html.contains("Made on Sat 2 Jan 2027."))
        #expect(PageFixture.unbalanced(html) == [])
    }
}
