import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("Items that go on in an itinerary")
struct ItineraryTests {
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
            name: "Ferry", mode: .boat, in: nil, from: try PageFixture.time("2027-04-02T20:00", "Europe/Lisbon"),
            until: try PageFixture.time("2027-04-05T08:00", "Europe/Lisbon"))
        let dinner = Activity(name: "Dinner", in: nil, from: try PageFixture.time("2027-04-03T19:00", "Europe/Lisbon"))
        let sections = Itinerary(Trip(name: "T", days: PageFixture.days), [.transportation(ferry), .activity(dinner)])
            .sections
        #expect(sections.map { $0.entries.map(\.part) } == [[.whole], [.onTheWay, .whole], [.onTheWay], [.arrival]])
    }
}
