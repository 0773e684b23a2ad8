import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("What a page of an itinerary keeps out")
struct PageSafetyTests {
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
        var stay = Lodging(name: text, in: nil, days: PageFixture.days)
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
        var trip = Trip(name: text, destination: text, days: PageFixture.days, notes: text)
        let traveller = Traveller(name: text)
        trip.travellers = [traveller.id]
        var file = AttachedFile(
            name: text, of: stay.reference, content: try PageFixture.content(4))
        file.caption = text
        var options = ItineraryPage.Options(showsCosts: true)
        options.embedding = ItineraryPage.Embedding { _ in Data("<html><script>".utf8) }
        let html = try await PageFixture.page(
            [.lodging(stay)], of: trip, travellers: [traveller], organizations: [organization],
            files: [(.lodging(stay), file)], options
        ).html
        #expect(PageFixture.unbalanced(html) == [])
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
        let html = try await PageFixture.page([]).html
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
        var stay = Lodging(name: "Stay", in: nil, days: PageFixture.days)
        stay.address = secret
        stay.customLocationName = "Secret Cave"
        stay.organization = organization.id
        var journey = Transportation(
            name: "Boat", mode: .boat, in: nil, from: try PageFixture.time("2027-04-02T09:00", "Asia/Tokyo"))
        journey.departure = TravelPlace(name: "Secret Port", code: "SEC", address: secret)
        journey.arrival = TravelPlace(name: "Secret Isle", gate: "Secret 1", address: secret)
        for hides in [false, true] {
            stay.hidesLocation = hides
            journey.hidesLocation = hides
            let html = try await PageFixture.page(
                [.lodging(stay), .transportation(journey)], organizations: [organization]
            ).html
            #expect(
                html.contains("Secret") != hides && html.contains("SEC") != hides && html.contains("<bdi>Inn</bdi>"))
        }
    }
}
