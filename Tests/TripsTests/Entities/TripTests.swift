import Events
import Foundation
import Testing

@testable import Trips

@Suite("Trips")
struct TripTests {
    @Test("A trip of a span of days has both ends, one of none has neither, and either may be open")
    func ends() {
        let (first, last) = (Day(2027, 5, 1), Day(2027, 5, 8))
        let spanned = Trip(name: "x", days: first...last)
        #expect(spanned.startDay == first && spanned.endDay == last)
        let undated = Trip(name: "x")
        #expect(undated.startDay == nil && undated.endDay == nil)
        let open = Trip(name: "x", startDay: first, endDay: nil)
        #expect(open.startDay == first && open.endDay == nil)
    }

    @Test(
        "The end in effect is no earlier than the start",
        arguments: [
            (nil, nil, nil), (Day(2027, 5, 1), nil, nil), (nil, Day(2027, 5, 1), Day(2027, 5, 1)),
            (Day(2027, 5, 1), Day(2027, 5, 8), Day(2027, 5, 8)), (Day(2027, 5, 1), Day(2027, 5, 1), Day(2027, 5, 1)),
            (Day(2027, 5, 8), Day(2027, 5, 1), Day(2027, 5, 8)),
        ] as [(Day?, Day?, Day?)])
    func effectiveEnd(start: Day?, end: Day?, effective: Day?) {
        let trip = Trip(name: "x", startDay: start, endDay: end)
        #expect(trip.effectiveEndDay == effective)
        #expect(trip.endDay == end, "what was written stays")
    }

    @Test("A new trip has an id of its own, and no times before it is stored")
    func identity() {
        #expect(Trip(name: "x").id != Trip(name: "x").id)
        #expect(Trip(name: "x").createdAt == nil && Trip(name: "x").updatedAt == nil)
        #expect(Samples.trip.reference == EntityReference(kind: .trip, id: Samples.uuid))
    }

    @Test("A blank one has the default in every field")
    func blank() {
        let blank = Trip(id: Trip.ID(Samples.uuid))
        #expect(Trip.fieldNumbers.allSatisfy { blank.encoded($0) == nil })
        #expect(blank == Trip(id: blank.id, name: ""))
    }

    @Test(
        "The original creation is kept to the millisecond, and its far ends are those of 64 bits",
        arguments: [(1.0004, 1_000), (1.0006, 1_001), (-1.0006, -1_001), (.infinity, .max), (.nan, 0)]
            as [(Double, Int64)])
    func originalCreation(seconds: Double, milliseconds: Int64) {
        var trip = Trip(name: "x", originalCreation: Date(timeIntervalSince1970: seconds))
        #expect(trip.encoded(\.originalCreation) == .signed(milliseconds))
        #expect(trip.originalCreation == Date(milliseconds: milliseconds))
        trip.originalCreation = nil
        #expect(trip.encoded(\.originalCreation) == nil)
    }

    @Test("Fields are called what people call them")
    func names() {
        #expect(
            Trip.fieldNumbers.compactMap(Trip.fieldName) == [
                "name", "notes", "startDate", "endDate", "isProtected", "originalCreation", "destination",
                "archivedAt", "status", "stage", "cover", "color", "rank",
            ])
        #expect(Trip.fieldNames.prefix(3) == ["name", "destination", "notes"], "as people read them")
        #expect(
            Organization.fieldNumbers.compactMap(Organization.fieldName) == [
                "name", "email", "website", "logoURL", "address", "phone",
            ])
    }
}
