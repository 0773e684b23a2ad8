import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("Pages of itineraries")
struct ItineraryPageTests {
    private static let days = Day(2027, 4, 2)...Day(2027, 4, 5)

    private static func time(_ text: String, _ zone: String) throws -> Moment { try Moment(parsing: text, in: zone) }

    private static func page(
        _ items: [TripItem], of trip: Trip = Trip(name: "Japan", days: days),
        travellers: [Traveller] = [], organizations: [Organization] = [], files: [(TripItem, AttachedFile)] = [],
        _ options: ItineraryPage.Options = .init()
    ) async throws -> (html: String, leftOut: [ItineraryPage.LeftOut]) {
        let document = TripDocument(
            contents: TripContents(trip: trip, items: items),
            travellers: Dictionary(uniqueKeysWithValues: travellers.map { ($0.id, $0) }),
            organizations: Dictionary(uniqueKeysWithValues: organizations.map { ($0.id, $0) }),
            attachments: Dictionary(grouping: files, by: \.0.reference).mapValues { $0.map(\.1) })
        return try await ItineraryPage.html(document, options)
    }

    private static func content(_ size: Int64) throws -> ContentID {
        let root = try #require(Digest(String(repeating: "ab", count: 32)))
        return try #require(ContentID(root: root, size: size))
    }

    /// The names of the open elements where one is closed that is not the innermost, or at the end; empty of a sound page.
    private static func unbalanced(_ html: String) -> [String] {
        var open: [String] = []
        for match in html.matches(of: /<(\/?)([a-z][a-z0-9]*)[^<>]*>/) {
            let name = String(match.output.2)
            if ["meta", "img"].contains(name) { continue }
            if match.output.1.isEmpty {
                open.append(name)
            } else if open.last == name {
                open.removeLast()
            } else {
                return open + ["/" + name]
            }
        }
        return open
    }

    @Test(
        "Times are those of the place, with the zone named where it changes, and an arrival on another day has a line there"
    )
    func zones() async throws {
        let flight = Transportation(
            name: "NH 224", mode: .plane, in: nil, from: try Self.time("2027-04-02T13:35", "Europe/Berlin"),
            until: try Self.time("2027-04-03T09:55", "Asia/Tokyo"))
        let tram = Activity(name: "Tram", in: nil, from: try Self.time("2027-04-02T09:00", "Europe/Berlin"))
        let html = try await Self.page([.activity(tram), .transportation(flight)]).html
        let berlin = "<span class=\"zone\">Berlin time, UTC+2</span>"
        let tokyo = "<span class=\"zone\">Tokyo time, UTC+9</span>"
        #expect(html.components(separatedBy: berlin).count == 2)
        // With the departure, and with the arrival on the next day.
        #expect(html.components(separatedBy: tokyo).count == 3)
        #expect(html.contains("<time datetime=\"2027-04-03T09:55:00+09:00\">09:55</time> +1 day"))
        #expect(html.contains("Arrival: <bdi>NH 224</bdi>") && html.contains("Plane, 13 h 20 min"))
        #expect(html.contains(">Sun 4 Apr 2027</h2>") || html.contains(">Sun 4 – Mon 5 Apr 2027</h2>"))
        #expect(Self.unbalanced(html) == [])
    }

    @Test(
        "Hostile names are text, and cannot break the page",
        arguments: [
            "</li></article></main><script>alert(1)</script>", "\" onmouseover=\"alert(1)",
            "<img src=x onerror=alert(1)>",
            "gpj.\u{202E}exe\u{202C}", "\u{2066}\u{2067}abc", "&lt;b&gt; &amp; <!-- ]]>", "\u{0}\u{1B}[31m\u{9B}",
            "'><svg/onload=alert(1)>",
            String(repeating: "x", count: 10_000), String(repeating: "e\u{301}\u{302}", count: 2_000),
        ])
    func hostile(text: String) async throws {
        var organization = Organization(name: text)
        organization.website = "javascript:" + text
        organization.phone = text
        organization.email = text
        var stay = Lodging(name: text, in: nil, days: Self.days)
        stay.notes = text + "\n" + text
        stay.reservation = text
        stay.category = text
        stay.customLocationName = text
        stay.address = Address(street: text, city: text)
        stay.organization = organization.id
        stay.links = [
            Link("javascript:alert(1)", title: text), Link(text), Link("https://example.org/\"><b>", title: text),
        ]
        stay.contacts = [Contact(name: text, phone: text, email: text, role: text)]
        var trip = Trip(name: text, destination: text, days: Self.days, notes: text)
        let traveller = Traveller(name: text)
        trip.travellers = [traveller.id]
        var file = AttachedFile(
            name: text, of: stay.reference, content: try Self.content(4))
        file.caption = text
        var options = ItineraryPage.Options(showsCosts: true)
        options.embedding = ItineraryPage.Embedding { _ in Data("<html><script>".utf8) }
        let html = try await Self.page(
            [.lodging(stay)], of: trip, travellers: [traveller], organizations: [organization],
            files: [(.lodging(stay), file)], options
        ).html
        #expect(Self.unbalanced(html) == [])
        let tags = Set(html.matches(of: /<\/?([a-zA-Z][a-zA-Z0-9]*)/).map { String($0.output.1) })
        #expect(!tags.contains("script") && !tags.contains("svg") && !tags.contains("img") && !tags.contains("b"))
        for match in html.matches(of: /href="([^"]*)"/) {
            let target = match.output.1
            #expect(
                ["https://", "data:application/octet-stream;", "mailto:", "tel:", "#trip-"].contains {
                    target.hasPrefix($0)
                })
        }
        #expect(html.matches(of: /\son[a-z]+="/).isEmpty && !html.contains("javascript:\""))
        let kept = html.unicodeScalars.filter {
            (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
        }
        #expect(kept.isEmpty && !html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
    }

    @Test("The page loads nothing: its policy has the digest of its style, and no element has a source elsewhere")
    func policy() async throws {
        let html = try await Self.page([]).html
        let style = try #require(html.firstMatch(of: /<style>((?s:.*))<\/style>/)).output.1
        #expect(String(style) == PageText.itineraryStyle)
        let source = PageText.source(PageText.itineraryStyle)
        #expect(html.contains("default-src 'none'; style-src \(source); img-src data:;"))
        #expect(
            !html.contains("src=") && !html.contains("<link") && !html.contains("url(") && !html.contains("@import"))
        #expect(html.contains("<html lang=\"en\">") && html.contains("Nothing planned."))
    }

    @Test("An item that hides its location has no place, city or address on the page")
    func hidden() async throws {
        let secret = Address(street: "Secret Street", city: "Secretville")
        let organization = Organization(name: "Inn", address: secret)
        var stay = Lodging(name: "Stay", in: nil, days: Self.days)
        stay.address = secret
        stay.customLocationName = "Secret Cave"
        stay.organization = organization.id
        var journey = Transportation(
            name: "Boat", mode: .boat, in: nil, from: try Self.time("2027-04-02T09:00", "Asia/Tokyo"))
        journey.departure = TravelPlace(name: "Secret Port", code: "SEC", address: secret)
        journey.arrival = TravelPlace(name: "Secret Isle", gate: "Secret 1", address: secret)
        for hides in [false, true] {
            stay.hidesLocation = hides
            journey.hidesLocation = hides
            let html = try await Self.page(
                [.lodging(stay), .transportation(journey)], organizations: [organization]
            ).html
            #expect(
                html.contains("Secret") != hides && html.contains("SEC") != hides && html.contains("<bdi>Inn</bdi>"))
        }
    }

    @Test("Costs are on the page on request, each item's and the sums; a cancelled item is marked")
    func costs() async throws {
        var dinner = Activity(name: "Dinner", in: nil, cost: Money(minorUnits: 1250, "EUR"), paid: .inFull)
        let train = Transportation(name: "Train", mode: .train, in: nil, cost: Money(minorUnits: 9000, "JPY"))
        for shows in [false, true] {
            let html = try await Self.page([.activity(dinner), .transportation(train)], .init(showsCosts: shows)).html
            #expect(html.contains("12.50 EUR, paid in full") == shows && html.contains("9000 JPY, unpaid<") == shows)
            #expect(html.contains("Costs: 12.50 EUR, 9000 JPY, 9000 JPY unpaid") == shows)
        }
        dinner.stage = .cancelled
        let html = try await Self.page([.activity(dinner)]).html
        #expect(html.contains("item cancelled") && html.contains(">Cancelled</span>"))
    }

    @Test("Pictures are shown by what their bytes are, other files are saved, and what is too large or fails is named")
    func attachments() async throws {
        let item = TripItem.activity(Activity(name: "Tram", in: nil))
        func file(_ name: String, _ size: Int64) throws -> AttachedFile {
            AttachedFile(name: name, of: item.reference, content: try Self.content(size))
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
        let (html, leftOut) = try await Self.page([item], files: files.map { (item, $0) }, options)
        #expect(html.contains("<img src=\"data:image/png;base64,") && html.contains("alt=\"map.html\""))
        #expect(html.contains("<a download=\"ticket.png\" href=\"data:application/pdf;base64,"))
        #expect(html.contains("<a download=\"evil.png\" href=\"data:application/octet-stream;base64,"))
        #expect(leftOut.map(\.name) == ["second.pdf", "large.pdf", "gone.pdf"])
        #expect(html.components(separatedBy: "(not in this page)").count == 4 && Self.unbalanced(html) == [])
        #expect(try await !Self.page([item], files: files.map { (item, $0) }).html.contains("map.html"))
    }

    @Test("Of thousands of stays at one time the page grows with their number, and not with its square")
    func many() async throws {
        var sizes: [Int] = []
        for count in [500, 1_000] {
            let stays = (0..<count).map { index in
                let first = Day(2027, 1, 1).advanced(by: index)
                return TripItem.lodging(Lodging(name: "Stay", in: nil, days: first...first.advanced(by: count)))
            }
            let html = try await Self.page(stays, of: Trip(name: "Long")).html
            #expect(html.contains("other items going on."))
            sizes.append(html.utf8.count)
        }
        #expect(sizes[1] < sizes[0] * 5 / 2)
    }

    @Test("Of nested stays each is looked at once for what goes on, however many there are")
    func nested() async throws {
        // Each begins a day later and ends a day earlier than the one before; with a scan of all that go on, each end looked at all.
        let count = 1_000
        let stays = (0..<count).map { index in
            let first = Day(2027, 1, 1).advanced(by: index)
            return TripItem.lodging(
                Lodging(name: "Stay", in: nil, days: first...first.advanced(by: 2 * (count - index))))
        }
        var running = RunningItems()
        for stay in stays { running.begin(ItemCourse(stay)) }
        #expect(running.all.unlisted == count - Itinerary.mostContinuing)
        for stay in stays.reversed() { running.end(ItemCourse(stay)) }
        #expect(running.all.listed.isEmpty && running.all.unlisted == 0 && running.looked == count)
        #expect(Itinerary(Trip(name: "Long"), stays).sections.count > count)
        let middle = Itinerary(Trip(name: "Long"), Array(stays.prefix(100))).sections[99]
        #expect(
            middle.unlisted == 99 - Itinerary.mostContinuing && middle.entries.count == Itinerary.mostContinuing + 1)
    }

    @Test("A journey of several days is on the way on a day on which something else happens")
    func onTheWay() async throws {
        let ferry = Transportation(
            name: "Ferry", mode: .boat, in: nil, from: try Self.time("2027-04-02T20:00", "Europe/Lisbon"),
            until: try Self.time("2027-04-05T08:00", "Europe/Lisbon"))
        let dinner = Activity(name: "Dinner", in: nil, from: try Self.time("2027-04-03T19:00", "Europe/Lisbon"))
        let sections = Itinerary(Trip(name: "T", days: Self.days), [.transportation(ferry), .activity(dinner)]).sections
        #expect(sections.map { $0.entries.map(\.part) } == [[.whole], [.onTheWay, .whole], [.onTheWay], [.arrival]])
    }

    @Test("Checklists are on the page, budgets and who paid with the costs, and who takes part by name")
    func planning() async throws {
        var (trip, ana, ben) = (Trip(name: "Japan", days: Self.days), Traveller(name: "Ana"), Traveller(name: "<Ben>"))
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
            #expect(Self.unbalanced(html) == [])
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
        let html = try await Self.page([.activity(late)], of: Trip(name: "T")).html
        #expect(html.contains("Tokyo time, UTC+9"))
    }

    @Test("Several trips are listed at the top, and each has headings below that of the page")
    func several() async throws {
        let trips = [Trip(name: "Japan", days: Self.days), Trip(name: "<Rome>")]
        var page = ItineraryPage(of: trips, .init(day: Day(2027, 1, 2)))
        var html = page.head
        for trip in trips {
            _ = try await page.write(TripDocument(contents: TripContents(trip: trip))) { html += $0 }
        }
        html += page.foot
        #expect(html.components(separatedBy: "<h1>").count == 2 && html.contains("<bdi>Japan</bdi></h2>"))
        #expect(html.contains("<li><a href=\"#trip-\(trips[1].id)\"><bdi>&lt;Rome&gt;</bdi></a></li>"))
        #expect(html.contains("id=\"trip-\(trips[1].id)\"") && html.contains("Made on Sat 2 Jan 2027."))
        #expect(Self.unbalanced(html) == [])
    }
}
