import Events
import Foundation
import Testing

@testable import Trips

@Suite("Forms of an item under its kinds")
struct EntityFormsTests {
    private static func id(_ text: String) throws -> UUID { try #require(UUID(uuidString: text)) }

    @Test("Derived ids are those that the log format specifies, and lead back to the first entity")
    func derivedIDs() throws {
        let first = Activity.ID(try Self.id("00000000-0000-7000-8000-000000000001")).reference
        let forms = try #require(EntityForms(of: first, superseding: nil))
        let lodging = Lodging.ID(try Self.id("84C377C5-FFE3-8431-9658-5BEB38464677")).reference
        let transportation = Transportation.ID(try Self.id("20270862-5B72-8B69-8391-E74C41C4C66C")).reference
        #expect(forms.all == [first, lodging, transportation])
        for form in forms.all { #expect(EntityForms(of: form, superseding: form == first ? nil : first) == forms) }
        // A copy has an id of its own, and a trip has no forms.
        let copy = Lodging.ID.new().reference
        #expect(EntityForms(of: copy, superseding: first)?.first == copy)
        #expect(EntityForms(of: Trip.ID.new().reference, superseding: nil) == nil)
    }

    @Test(
        "The last day of a stay is that of leaving, and no other value differs by the kind",
        arguments: [
            (EntityKind.activity, EntityKind.lodging, Day(2027, 6, 28)), (.lodging, .activity, Day(2027, 6, 26)),
            (.transportation, .lodging, Day(2027, 6, 28)), (.activity, .transportation, Day(2027, 6, 27)),
            (.lodging, .lodging, Day(2027, 6, 27)),
        ])
    func lastDay(from old: EntityKind, to new: EntityKind, last: Day) throws {
        let field = try #require(Lodging.fieldNumber(named: "endDay"))
        let day = Day(2027, 6, 27).encodedValue
        #expect(EntityForms.value(day, of: field, from: old, to: new).flatMap { Day.decoded($0) } == last)
        #expect(EntityForms.value(nil, of: field, from: old, to: new) == nil)
        #expect(EntityForms.value(day, of: 16, from: old, to: new) == day)
    }

    @Test("Fields of one kind stay behind, and those of an app go along where it declares them for both")
    func shared() throws {
        let mode = try #require(Transportation.fieldNumber(named: "mode"))
        let name = try #require(Activity.fieldNumber(named: "name"))
        let app = Namespace("org.example.things").number(1)
        for (old, new) in [(EntityKind.transportation, EntityKind.activity), (.activity, .transportation)] {
            #expect(!EntityForms.isShared(mode, old, new) { _ in true })
            #expect(EntityForms.isShared(name, old, new) { _ in false })
            #expect(EntityForms.isShared(EntitySchema.Field.payer.number, old, new) { _ in false })
            #expect(
                EntityForms.isShared(app, old, new) { _ in true } && !EntityForms.isShared(app, old, new) { _ in false }
            )
        }
    }

    @Test("A stay that has just a check-in and a check-out keeps them as its times")
    func checkIn() throws {
        var stay = Lodging(name: "Inn", in: .new())
        (stay.checkIn, stay.checkOut) = (Moment(milliseconds: 0, zone: "UTC"), Moment(milliseconds: 1000, zone: "UTC"))
        let replica = try #require(ReplicaID([UInt8](repeating: 1, count: 16)))
        let registers = TripEvent.created(stay).writes.map {
            EntityRecord.Register(
                path: $0.path, stamp: Stamp(timestamp: .zero, replica: replica, hash: .zero), value: $0.value)
        }
        let record = EntityRecord(version: .none, creation: nil, registers: registers.sorted { $0.path < $1.path })
        let values = EntityForms.values(of: record, from: .lodging, to: .activity) { _ in false }
        #expect(values[FieldPath(field: 3)].flatMap { Moment.decoded($0) } == stay.checkIn)
        #expect(values[FieldPath(field: 4)].flatMap { Moment.decoded($0) } == stay.checkOut)
        #expect(values[FieldPath(field: 20)] == nil && values[FieldPath(field: 21)] == nil)
    }
}
