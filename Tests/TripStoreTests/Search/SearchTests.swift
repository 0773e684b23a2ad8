import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripProjections
@testable import TripStore
@testable import Trips

@Suite("Searching")
struct SearchTests {
    /// With an index of words, and without one.
    private static let modes: [TripStore.Options.Search] = [.indexed, .scanned]

    private func store(_ search: TripStore.Options.Search) async throws -> TripStore { try await .searching(search) }

    private func found(
        _ text: String, in store: TripStore, kinds: [any TripEntity.Type] = [], trip: Trip.ID? = nil
    ) async throws -> [String] { try await store.names(found: text, kinds: kinds, in: trip) }

    @Test(
        "Words are found as wholes and as beginnings, wherever in an entity they are, and in any case", arguments: modes
    )
    func words(mode: TripStore.Options.Search) async throws {
        let store = try await store(mode)
        let trip = try await store.create(Trip(name: "Lisbon", destination: "Lisboa", notes: "By the Tejo"))
        try await store.create(Activity(name: "Tram 28", in: trip, notes: "Through Lisbon, from Martim Moniz"))
        try await store.create(Lodging(name: "Évora Inn", in: trip, reservation: "ABC-123"))
        #expect(try await found("lis tram", in: store) == ["Tram 28"])
        #expect(try await found("LISBON", in: store) == ["Lisbon", "Tram 28"])
        #expect(try await found("evo", in: store) == ["Évora Inn"])
        #expect(try await found("abc", in: store) == ["Évora Inn"])
        #expect(try await found("abc-12", in: store) == ["Évora Inn"])
        #expect(try await found("abc-23", in: store).isEmpty)
        #expect(try await found("\"martim moniz\"", in: store) == ["Tram 28"])
        #expect(try await found("\"moniz martim\"", in: store).isEmpty)
        #expect(try await found("\"tra\"", in: store).isEmpty)
        #expect(try await found("tejo tram", in: store).isEmpty)
        for empty in ["", " ", "!? -", "\"\""] { #expect(try await found(empty, in: store).isEmpty) }
        try await store.expectInvariants()
    }

    @Test(
        "What is searched are names, places, codes, addresses, people, checklists, attachments and fields that ask for it"
    )
    func fields() async throws {
        let store = try await store(.indexed)
        let trip = try await store.create(Trip(name: "t", destination: "wdestination", notes: "wnotes"))
        try await store.edit(trip) {
            $0[Trip.hashtags] = ["wlabel"]
            $0[Trip.secret] = "wsecret"
            $0.links = [Link("https://wlink.org", title: "wtitle")]
        }
        var flight = Transportation(name: "f", mode: .plane, in: trip, confirmation: "wcode")
        (flight.carrier, flight.number) = ("wcarrier", "TP wnumber")
        flight.departure = TravelPlace(name: "wdeparture", code: "LIS", address: Address(city: "wcity"))
        flight.category = "wcategory"
        flight.customLocationName = "wplace"
        let ticket = try await store.create(flight)
        try await store.create(
            Organization(
                name: "worganization", phone: "+351", email: "wmail@example.org", address: Address(street: "wstreet")))
        try await store.create(Traveller(name: "wtraveller", notes: "wallergy"))
        let list = try await store.create(Checklist(name: "wlist", in: trip))
        try await store.create(ChecklistEntry("wentry", in: list))
        try await store.create(Souvenir("wsouvenir", in: trip, shelf: "wshelf"))
        let file = TemporaryFolder()
        try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: true)
        let path = file.url.appendingPathComponent("wfile.txt")
        try Data("a".utf8).write(to: path)
        try await store.attach(path, to: ticket, caption: "wcaption")
        for word in [
            "wdestination", "wnotes", "wlabel", "wlink", "wtitle", "wcode", "wcarrier", "wnumber", "wdeparture",
            "wcity",
            "wcategory", "wplace", "worganization", "wmail", "wstreet", "wtraveller", "wallergy", "wlist", "wentry",
            "wsouvenir", "wfile", "wcaption",
        ] { #expect(try await found(word, in: store).count == 1, "\(word)") }
        for word in ["wsecret", "wshelf"] { #expect(try await found(word, in: store).isEmpty, "\(word)") }
        let hit = try #require(try store.search("wentry").first)
        #expect(hit.trip == trip && hit.passages.map(\.fieldName) == ["name"] && hit.passages.first?.field == .name)
        #expect(try store.search("wcaption").first?.trip == trip)
        #expect(try store.search("wtraveller").first?.trip == nil)
        #expect(try store.search("w", in: trip).count == 6)
        #expect(try store.search("w", kinds: [Souvenir.self]).map(\.name) == ["wsouvenir"])
        #expect(try store.search("w", kinds: [Traveller.self, Trip.self]).count == 2)
        try await store.expectInvariants()
    }

    @Test(
        "A search is bounded to an entity of any kind with what is below it, and a hit names what all of it is in",
        arguments: modes)
    func below(mode: TripStore.Options.Search) async throws {
        let store = try await store(mode)
        let trip = try await store.create(Trip(name: "Lisbon by tram"))
        try await store.create(Activity(name: "Tram", in: trip))
        let list = try await store.create(Checklist(name: "Tram things", in: trip))
        let entry = try await store.create(ChecklistEntry("Tram ticket", in: list))
        #expect(try await found("tram", in: store).count == 4)
        let below = try store.search("tram", in: list)
        #expect(Set(below.map(\.entity)) == [list.reference, entry.reference])
        #expect(below.allSatisfy { $0.root == trip.reference && $0.trip == trip })
        #expect(try store.search("tram", in: entry).map(\.name) == ["Tram ticket"])
        #expect(try store.search("lisbon", in: trip).map(\.root) == [nil])
        try await store.expectInvariants()
    }

    @Test(
        "What is deleted or hidden is not found, comes back when it is restored, and templates are found by themselves",
        arguments: modes)
    func hidden(mode: TripStore.Options.Search) async throws {
        let store = try await store(mode)
        let trip = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: trip))
        let list = try await store.create(Checklist(name: "Tram things", in: trip))
        try await store.create(ChecklistEntry("Tram ticket", in: list))
        let all = ["Tram", "Tram things", "Tram ticket"]
        func sorted(_ text: String) async throws -> [String] { try await found(text, in: store).sorted() }
        #expect(try await sorted("tram") == all)
        try await store.delete(tram)
        #expect(try await sorted("tram") == ["Tram things", "Tram ticket"])
        try await store.delete(trip)
        #expect(try await sorted("tram").isEmpty)
        #expect(try await sorted("lisbon").isEmpty)
        #expect(try await found("tram", in: store, trip: trip).isEmpty)
        try await store.restore(trip)
        #expect(try await sorted("tram") == ["Tram things", "Tram ticket"])
        try await store.restore(tram)
        #expect(try await sorted("tram") == all)
        #expect(try await sorted("lisbon") == ["Lisbon"])
        try await store.edit(trip) { $0.isTemplate = true }
        #expect(try await sorted("tram").isEmpty)
        #expect(try await found("tram", in: store, trip: trip).sorted() == all)
        try await store.edit(tram) { $0.name = "Ferry" }
        #expect(try await found("tram", in: store, trip: trip).sorted() == ["Tram things", "Tram ticket"])
        try await store.expectInvariants()
    }

    @Test("Within a trip those are found who travel or take part, while they are there", arguments: modes)
    func travellers(mode: TripStore.Options.Search) async throws {
        let store = try await store(mode)
        let trip = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: trip))
        let ana = try await store.create(Traveller(name: "Ana", notes: "no fish"))
        let ben = try await store.create(Traveller(name: "Ben", notes: "no fish"))
        try await store.create(Traveller(name: "Cleo", notes: "no fish"))
        #expect(try await found("fish", in: store, trip: trip).isEmpty)
        try await store.edit(trip) { $0.travellers = [ana] }
        try await store.edit(tram) { $0.participants = [ana, ben] }
        #expect(try await found("fish", in: store, trip: trip).sorted() == ["Ana", "Ben"])
        #expect(try store.search("fish", in: trip).allSatisfy { $0.trip == nil })
        try await store.delete(ben)
        #expect(try await found("fish", in: store, trip: trip) == ["Ana"])
        try await store.delete(trip)
        #expect(try await found("fish", in: store, trip: trip).isEmpty)
        try await store.expectInvariants()
    }

    @Test("Names count before notes, whole words before beginnings, and what counts the same is in the order of ids")
    func ranking() async throws {
        let store = try await store(.indexed)
        let trip = try await store.create(Trip(name: "t"))
        for (name, notes) in [
            ("a", "Tram"), ("Tramway", ""), ("b", "tramway"), ("Tram", ""), ("Old Tram", "tram tram tram"),
        ] {
            try await store.create(Activity(name: name, in: trip, notes: notes))
        }
        #expect(try await found("tram", in: store) == ["Tram", "Old Tram", "Tramway", "a", "b"])
        let hits = try store.search("tram").rows
        #expect(hits.map(\.score) == [16, 16, 8, 4, 2])
        let passages = try #require(hits.dropFirst().first?.passages)
        #expect(passages.map(\.field) == [.name, .notes] && passages.map { $0.ranges.count } == [1, 3])
        #expect(
            passages.allSatisfy { passage in passage.ranges.allSatisfy { passage.text[$0].lowercased() == "tram" } })
        var (cursor, paged): (PageCursor?, [String]) = (nil, [])
        repeat {
            let page = try store.search("tram", limit: 2, after: cursor)
            paged += page.map(\.name)
            cursor = page.next
        } while cursor != nil
        #expect(paged == hits.map(\.name))
        let next = try #require(try store.search("tram", limit: 1).next)
        #expect(throws: TripStoreError.self) { try store.search("tramway", after: next) }
        #expect(PageCursor(next.description) == next)
        try await store.expectInvariants()
    }

    @Test("A question that is too long is refused with what to do")
    func tooLong() async throws {
        let store = try await store(.scanned)
        for text in [String(repeating: "a", count: 2_000), (0..<100).map { "a\($0)" }.joined(separator: " ")] {
            let error = #expect(throws: TripStoreError.self) { try store.search(text) }
            #expect(error?.code == .questionTooLong && error?.message.contains("1024") == true)
        }
        try await store.expectInvariants()
    }

    @Test("The past is searched as it was")
    func past() async throws {
        let store = try await store(.indexed)
        let trip = try await store.create(Trip(name: "Lisbon"))
        let before = try store.status().position
        try await store.edit(trip) { $0.name = "Porto" }
        #expect(try await found("lisbon", in: store).isEmpty)
        let past = try await store.asOf(before)
        #expect(try past.search("lis").map(\.name) == ["Lisbon"] && past.search("porto").isEmpty)
        #expect(try past.search("lis", in: trip).position == before)
        try await store.expectInvariants()
    }

    @Test("Fields of an app that ask for it are told to other replicas and tools by the log")
    func described() async throws {
        let store = try await store(.scanned)
        let trip = try await store.create(Trip(name: "t"))
        try await store.edit(trip) { $0[Trip.hashtags] = ["beach"] }
        try await store.create(Souvenir("bell", in: trip))
        let other = try await TripStore.searching(.scanned, schema: [])
        func found(_ text: String) throws -> Int {
            try other.search(text, kinds: [], in: nil, limit: 9, after: nil, describedBy: other.fieldDescriptions())
                .count
        }
        #expect(try found("beach") == 0)
        try await store.exchange(withTest: other)
        #expect(try found("beach") == 1 && found("bell") == 1 && other.search("beach").isEmpty)
        for store in [store, other] { try await store.expectInvariants() }
    }
}
