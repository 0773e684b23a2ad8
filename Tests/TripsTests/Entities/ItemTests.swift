import Events
import Foundation
import Testing

@testable import Trips

@Suite("Items")
struct ItemTests {
    @Test("An item keeps every part that it is made of")
    func parts() {
        let item = Samples.lodging
        #expect(item.name == "Tram 28" && item.trip == Trip.ID(Samples.otherUUID))
        #expect(item.start == Samples.morning && item.end == Samples.noon)
        #expect(item.cost == Money(minorUnits: 310, "EUR") && item.paid == .deposit)
        #expect(item.reservation == "ABC" && item.notes == "Left side")
        #expect(item.customLocationName == "The stop" && item.hidesLocation)
        #expect(item.address == Samples.address && item.organization == Organization.ID(Samples.otherUUID))
    }

    @Test("Every part can be written, and distinguishes an item from a blank one")
    func writing() {
        var written = Lodging(id: Samples.lodging.id)
        let blank = written
        var steps: Set<Lodging> = [blank]
        let writes: [(inout Lodging) -> Void] = [
            { $0.name = Samples.lodging.name }, { $0.trip = Samples.lodging.trip },
            { $0.start = Samples.lodging.start },
            { $0.end = Samples.lodging.end }, { $0.cost = Samples.lodging.cost }, { $0.paid = Samples.lodging.paid },
            { $0.reservation = Samples.lodging.reservation }, { $0.notes = Samples.lodging.notes },
            { $0.customLocationName = Samples.lodging.customLocationName },
            { $0.hidesLocation = Samples.lodging.hidesLocation }, { $0.address = Samples.lodging.address },
            { $0.organization = Samples.lodging.organization }, { $0.status = Samples.lodging.status },
            { $0.stage = Samples.lodging.stage }, { $0.startDay = Samples.lodging.startDay },
            { $0.endDay = Samples.lodging.endDay }, { $0.paidAmount = Samples.lodging.paidAmount },
            { $0.category = Samples.lodging.category }, { $0.checkIn = Samples.lodging.checkIn },
            { $0.checkOut = Samples.lodging.checkOut },
        ]
        for write in writes {
            write(&written)
            steps.insert(written)
        }
        #expect(written == Samples.lodging)
        #expect(steps.count == writes.count + 1)
        #expect(writes.count == Lodging.fieldNumbers.count)
    }

    @Test(
        "The end in effect is no earlier than the start, and then in the start's zone",
        arguments: [
            (nil, nil, nil), (Samples.morning, nil, nil), (nil, Samples.noon, Samples.noon),
            (Samples.morning, Samples.noon, Samples.noon), (Samples.noon, Samples.morning, Samples.noon),
            (Samples.morning, Samples.morningInMadrid, Samples.morningInMadrid),
        ] as [(Moment?, Moment?, Moment?)])
    func effectiveEnd(start: Moment?, end: Moment?, effective: Moment?) {
        let item = Activity(name: "x", in: nil, from: start, until: end)
        #expect(item.effectiveEnd == effective)
        #expect(item.end == end, "what was written stays")
    }

    @Test("The end in effect is compared by instants, not by what clocks show")
    func effectiveEndAcrossZones() throws {
        // Eastwards over the date line, the arrival is before the departure by the clock.
        let start = try Moment(parsing: "2027-05-02T10:00", in: "Pacific/Kiritimati")
        let end = try Moment(parsing: "2027-05-01T13:00", in: "Pacific/Honolulu")
        #expect(Transportation(name: "x", mode: .plane, in: nil, from: start, until: end).effectiveEnd == end)
    }

    @Test("A transportation's reservation is called its confirmation, and it alone has a mode")
    func transportations() {
        var flight = Transportation(name: "TP 1", mode: .plane, in: nil, confirmation: "XYZ")
        #expect(flight.mode == .plane && flight.confirmation == "XYZ" && flight.reservation == "XYZ")
        flight.confirmation = "ABC"
        flight.mode = .train
        #expect(flight.reservation == "ABC" && flight.encoded(\.mode) == [1])
        #expect(Transportation.fieldName(of: 7) == "confirmation")
        #expect(Activity.fieldName(of: 7) == "reservation" && Lodging.fieldName(of: 7) == "reservation")
        #expect(Transportation.fieldName(of: 9) == "customLocationName")
        #expect(Transportation.fieldNumbers == (Activity.fieldNumbers + [13] + Array(22...35)).sorted())
        #expect(Lodging.fieldNumbers == Activity.fieldNumbers + [20, 21])
        #expect(Transportation.fieldName(of: 13) == "mode")
    }

    @Test("An activity takes no mode, from wherever it comes")
    func noMode() throws {
        let id = Activity.ID(Samples.uuid)
        let record = try Records.record(of: id.reference, [1: [0x78], 13: [2]])
        let read = Activity(id: id, record: record)
        #expect(read.encoded(13) == nil && read.name == "x")
        #expect(try Records.view(id: id, record) == read)
        var applied = Activity(id: id)
        applied.apply(TripEvent(.edited, id.reference, writes: [.init(field: 13, value: [2])]))
        #expect(applied == Activity(id: id))
    }

    @Test("An item in a list is read by its kind, with all its parts")
    func lists() throws {
        let item = TripItem.transportation(Samples.transportation)
        let record = try Records.record(of: Samples.transportation)
        let read = try #require(TripItem(item.reference, record: record))
        #expect(read.id == .transportation(.init(Samples.uuid)) && read.mode == .train)
        #expect(read.kind == .transportation)
        #expect(read.name == item.name && read.trip == item.trip && read.start == item.start && read.end == item.end)
        #expect(read.effectiveEnd == Samples.noon && read.cost == item.cost && read.paid == item.paid)
        #expect(read.reservation == item.reservation && read.notes == item.notes)
        #expect(read.customLocationName == item.customLocationName && read.hidesLocation == item.hidesLocation)
        #expect(read.address == item.address && read.organization == item.organization)
        #expect(read.createdAt == Date(milliseconds: 1_000) && read.updatedAt == read.createdAt)
        #expect(read.entity.reference == item.reference)
        #expect(try TripItem.transportation(Records.view(id: Transportation.ID(Samples.uuid), record)) == read)
    }

    @Test("An item in a list has the JSON and the fields of its own kind")
    func rendering() {
        let (lodging, transportation) = (Samples.lodging, Samples.transportation)
        #expect(TripItem.activity(Samples.activity).json == Samples.activity.json)
        #expect(TripItem.lodging(lodging).json == lodging.json)
        #expect(TripItem.transportation(transportation).json == transportation.json)
        #expect(TripItem.lodging(lodging).fieldValues.map(\.name).contains("checkIn"))
        #expect(TripItem.transportation(transportation).fieldValues.map(\.name).contains("confirmation"))
        #expect(TripItem.lodging(lodging).storeValues.map(\.name) == lodging.storeValues.map(\.name))
    }

    @Test("Items of every kind change by what they have in common, and stay of their kind")
    func common() {
        let items: [TripItem] = [
            .activity(Samples.activity), .lodging(Samples.lodging), .transportation(Samples.transportation),
        ]
        for item in items {
            var changed = item
            changed.common.name = "Other"
            changed.common.startDay = Day(2027, 5, 2)
            #expect(changed.id == item.id && changed.kind == item.kind)
            #expect(changed.name == "Other" && changed.startDay == Day(2027, 5, 2) && changed.notes == item.notes)
            changed.common = item.common
            #expect(changed == item)
        }
    }

    @Test("What is no item, is none in a list", arguments: [.trip, .organization, EntityKind(rawValue: 99)])
    func otherKinds(kind: EntityKind) throws {
        let reference = EntityReference(kind: kind, id: Samples.uuid)
        let record = try Records.record(of: reference, [1: [0x78]])
        #expect(TripItem(reference, record: record) == nil)
    }

    @Test("Activities and lodgings in a list have no mode", arguments: [EntityKind.activity, .lodging])
    func modesInLists(kind: EntityKind) throws {
        let reference = EntityReference(kind: kind, id: Samples.uuid)
        let read = try #require(TripItem(reference, record: try Records.record(of: reference, [13: [2]])))
        #expect(read.kind == kind && read.mode == nil)
    }
}
