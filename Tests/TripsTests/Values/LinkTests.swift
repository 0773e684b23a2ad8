import Events
import Foundation
import Testing

@testable import Trips

@Suite("Links and contacts")
struct LinkTests {
    @Test("They come back from their bytes, with parts that this version does not know")
    func bytes() throws {
        var link = Link("https://example.org", title: "Menu")
        link.unknownFields = UnknownParts.bytes
        #expect(Link.decoded(try #require(link.encodedValue)) == link)
        var contact = Contact(name: "Ana", phone: "+351 2", email: "ana@example.org", role: "guide")
        contact.unknownFields = UnknownParts.bytes
        #expect(Contact.decoded(try #require(contact.encodedValue)) == contact)
        #expect(Link.keepingUnknownParts(of: link.encodedValue ?? [], in: Link("x").encodedValue ?? []).count > 3)
    }

    @Test("They are coded by their parts, and what a write would refuse is not decoded")
    func coding() throws {
        let contact = Contact(name: "Ana", role: "guide")
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        #expect(try decoder.decode(Contact.self, from: encoder.encode(contact)) == contact)
        let link = Link("https://example.org")
        #expect(try decoder.decode(Link.self, from: encoder.encode(link)) == link)
        #expect(throws: DecodingError.self) { try decoder.decode(Link.self, from: Data(#"{"url":" "}"#.utf8)) }
        #expect(throws: DecodingError.self) { try decoder.decode(Contact.self, from: Data("{}".utf8)) }
    }

    @Test("For people a link is its title and its address, and a contact all that is known")
    func text() {
        #expect(Link("https://example.org").text == "https://example.org")
        #expect(Link("https://example.org", title: "Menu").text == "Menu <https://example.org>")
        #expect(Contact(name: "Ana", phone: "+351 2", role: "guide").text == "Ana, guide, +351 2")
    }

    @Test("An item with an empty link or contact is refused, and names the list")
    func rules() {
        var item = Samples.activity
        item.links = [Link(" ")]
        let error = expectRefusal(.missingValue, advising: "Give it one") { try item.validate() }
        #expect(error?.field == "links")
        item.links = []
        item.contacts = [Contact()]
        expectRefusal(.missingValue, advising: "Give it one") { try item.validate() }
    }

    @Test("Every kind has links, items and organizations have contacts, and JSON shows them among the fields")
    func kinds() {
        var item = Samples.lodging
        item.links = [Link("https://example.org"), Link("https://example.org/2", title: "Two")]
        item.contacts = [Contact(name: "Ana")]
        #expect(item.links.map(\.url) == ["https://example.org", "https://example.org/2"])
        guard case .object(let members) = item.json else { return #expect(Bool(false)) }
        #expect(members["links"] == .array(item.links.map(\.json)))
        #expect(members["contacts"] == .array(item.contacts.map(\.json)))
        #expect(members["own"] == .object([:]), "they are no app's")
        var trip = Samples.trip
        trip.links = [Link("https://example.org")]
        #expect(trip.links.count == 1 && Trip.fieldNames.last == "links")
        #expect(Organization.fieldNames.suffix(2) == ["links", "contacts"])
        let names = StoreKinds.listed.map { "\($0.kind.name ?? "") \($0.name) \($0.type) \($0.shape)" }
        #expect(names.count == 9 && names.contains("lodging contacts contact list"))
    }
}
