import Events
import Foundation
import Testing

@testable import Trips

@Suite("Fields that few items and trips have")
struct RareValuesTests {
    @Test("Trips and items take one reference more for all of them")
    func size() {
        // Its other fields, of which two are choices that keep unknown numbers, and a reference.
        #expect(MemoryLayout<Trip>.size <= 169)
        #expect(MemoryLayout<Activity>.size == MemoryLayout<Transportation>.size)
        #expect(MemoryLayout<Rare<RareItemValues>>.size == MemoryLayout<Int>.size)
    }

    @Test("A copy keeps its values when the original changes")
    func copies() {
        var original = Samples.transportation
        let copy = original
        original.departure.gate = "99"
        original.category = "other"
        #expect((copy.departure.gate, copy.category) == ("4", "transport"))
        #expect((original.departure.gate, original.departure.code) == ("99", copy.departure.code))
        #expect(copy == Samples.transportation && copy.hashValue == Samples.transportation.hashValue)
        #expect(original != copy)
    }

    @Test("An item whose fields were set and cleared is equal to one whose fields never were, and has its hash")
    func cleared() {
        let untouched = Transportation(id: Samples.transportation.id)
        var touched = untouched
        touched.seat = ""
        #expect(touched.rare.storage == nil, "a default allocates nothing")
        touched.seat = "12A"
        touched.arrival.code = "OPO"
        #expect(touched != untouched)
        touched.seat = ""
        touched.arrival.code = ""
        #expect(touched == untouched && touched.hashValue == untouched.hashValue)
        #expect(Transportation.changes(from: untouched, to: touched).isEmpty)
        #expect(TripEvent.created(touched) == TripEvent.created(untouched))
    }

    @Test("A record without them allocates nothing when it is read, and neither does one that clears them")
    func reading() throws {
        let plain = Transportation(id: Samples.transportation.id, name: "TP1", mode: .plane, in: Trip.ID(Samples.uuid))
        let read: Transportation = try Records.view(id: plain.id, try Records.record(of: plain))
        #expect(read.rare.storage == nil)
        let number = try #require(Transportation.schema.number(of: \.departure.gate))
        let cleared = try Records.record(of: plain.reference, [1: Array("TP1".utf8), number: nil])
        let second: Transportation = try Records.view(id: plain.id, cleared)
        #expect(second.rare.storage == nil)
    }

    @Test("Each part of a place is a field of its own")
    func places() throws {
        var draft = Samples.transportation
        draft.departure.gate = "7"
        let changes = Transportation.changes(from: Samples.transportation, to: draft)
        #expect(changes.map(\.field) == [29])
        #expect(Transportation.fieldName(of: \.departure.gate) == "departureGate")
        #expect(Transportation.fieldName(of: \.arrival.address) == "arrivalAddress")
        #expect(FieldChange<Transportation>.set(\.arrival.code, "OPO").value == Array("OPO".utf8))
    }

    @Test("Coordinates of a place are those of its address, and setting them keeps the rest of it")
    func coordinates() {
        var place = TravelPlace(name: "LIS", address: Address(city: "Lisboa"))
        place.coordinates = Coordinates(latitude: 38.77, longitude: -9.13)
        #expect(place.address?.city == "Lisboa" && place.address?.coordinates == place.coordinates)
        place.coordinates = nil
        #expect(place.address == Address(city: "Lisboa"))
        place = TravelPlace()
        place.coordinates = nil
        #expect(place.isEmpty)
    }

    @Test("An item of whole days ends no earlier than it begins, and so says its effective end")
    func days() throws {
        let trip = Trip.ID(Samples.uuid)
        var item = Activity(name: "Festival", in: trip, days: Day(2027, 5, 2)...Day(2027, 5, 4))
        try item.validate()
        item.endDay = Day(2027, 5, 1)
        #expect(item.effectiveEndDay == Day(2027, 5, 2))
        expectRefusal(.endBeforeStart, naming: "2027-05-01", "2027-05-02", advising: "Move one") { try item.validate() }
        // A time is judged by itself: it wins over the day.
        item = Samples.activity
        (item.startDay, item.endDay) = (Day(2030, 1, 1), Day(2030, 1, 2))
        try item.validate()
    }

    @Test("One checks out no earlier than one checks in")
    func checkOut() {
        var stay = Samples.lodging
        stay.checkOut = Moment(milliseconds: Samples.morning.milliseconds - 1, zone: "UTC")
        let whole = expectRefusal(.endBeforeStart, advising: "Move one") { try stay.validate() }
        #expect(whole?.field == "checkIn")
        for (property, name) in [(\Lodging.checkIn, "checkIn"), (\Lodging.checkOut, "checkOut")] {
            let error = expectRefusal(.endBeforeStart, advising: "Move one") { try stay.validate(changing: [property]) }
            #expect(error?.field == name)
        }
    }

    @Test("An event that writes one end of whole days alone is judged with the other as it is held")
    func halfOfDays() throws {
        let item = Activity(name: "Festival", in: Trip.ID(Samples.uuid), days: Day(2027, 5, 2)...Day(2027, 5, 4))
        let record = try Records.record(of: item)
        try TripEvent(.edited, item.id, [.set(\.endDay, Day(2027, 5, 3))]).validate(on: record)
        expectRefusal(.endBeforeStart, advising: "Move one") {
            try TripEvent(.edited, item.id, [.set(\.endDay, Day(2027, 5, 1))]).validate(on: record)
        }
    }
}
