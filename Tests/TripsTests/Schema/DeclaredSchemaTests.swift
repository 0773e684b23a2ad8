import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

/// A kind with the number of `Thing` and other fields.
private struct OtherThing: OwnEntity {
    let id: Identifier<OtherThing>
    var label = ""
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<OtherThing>("org.example.things", 3, "other thing", [Field(1, "label", \.label)])
}

/// A kind that needs its trip.
private struct Booking: OwnEntity {
    let id: Identifier<Booking>
    var trip: Trip.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<Booking>(
        "org.example.declared", 1, "booking", [.parent("trip", \.trip, whenDeleted: .deny)])
}

/// Another version of it, which goes with its trip.
private struct LooseBooking: OwnEntity {
    let id: Identifier<LooseBooking>
    var trip: Trip.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<LooseBooking>("org.example.declared", 1, "booking", [.parent("trip", \.trip)])
}

extension Trip {
    fileprivate static let grade = OwnField<Trip, Int>("org.example.declared", 1, "grade") { 1...5 ~= $0 }
    fileprivate static let remark = OwnField<Trip, String>("org.example.declared", 2, "remark")
}

extension Thing {
    fileprivate static let owner = OwnField<Thing, String>("org.example.declared", 1, "owner")
}

@Suite("The schema that a store is opened with")
struct DeclaredSchemaTests {
    private let trip = Trip(id: Trip.ID(Samples.uuid), name: "Lisbon")

    @Test("Two schemas in one process know different kinds, fields and rules")
    func apart() throws {
        let (one, other) = (
            KnownSchema(declaring: [Trip.grade, Booking.schema]), KnownSchema(declaring: [Thing.schema])
        )
        let booking = Booking.ID.new().reference
        #expect(booking.parentRule(in: one) == .deny && booking.parentRule(in: other) == .cascade)
        #expect(one.declared.mayDeny && !other.declared.mayDeny && !DeclaredSchema.builtIn.mayDeny)
        #expect(booking.kindName(in: one) == "booking" && booking.kindName(in: other) == booking.kindName)
        let edit = TripEvent(.edited, trip.id, [.set(Trip.grade, 9)])
        #expect(throws: ValidationError.self) { try edit.validate(on: nil, in: one) }
        try edit.validate(on: nil, in: other)
        #expect(trip.reference.nameOfField(Trip.grade.number, in: one) == "grade")
        #expect(trip.reference.nameOfField(Trip.grade.number, in: other).isEmpty)
    }

    @Test("A field on an app's kind brings the kind, and the kinds that every store has stay as they are")
    func fieldsOnKinds() throws {
        let declared = DeclaredSchema([Thing.owner])
        let schema = try #require(declared.schema(of: ConcreteKind(Thing.self)))
        #expect(schema.name == "thing" && schema.field(Thing.owner.number)?.name == "owner")
        #expect(Thing.schema.erased.field(Thing.owner.number) == nil)
        #expect(declared.schema(of: ConcreteKind(.trip)) === Trip.schema.erased)
        #expect(declared.schema(of: ConcreteKind(Traveller.self)) === Traveller.schema.erased)
    }

    @Test("Parts that say different things of one number are refused in words, and a part that is there twice is not")
    func conflicts() {
        let text = OwnField<Trip, String>("org.example.declared", 1, "grade")
        let renamed = OwnField<Trip, Int>("org.example.declared", 1, "mark")
        let set = OwnSet<Trip, Int>("org.example.declared", 1, "grade")
        for other in [text, renamed, set] as [any SchemaPart] {
            let refusal = DeclaredSchema([Trip.grade, other]).refusal
            #expect(
                refusal?.contains("has the number of 'grade', which is declared as Int") == true, "\(refusal ?? "")")
        }
        let kinds = DeclaredSchema([Thing.schema, OtherThing.schema]).refusal
        #expect(kinds?.hasPrefix("The kind 'other thing' has the number of 'thing'") == true)
        #expect(DeclaredSchema([Booking.schema, LooseBooking.schema]).refusal?.contains("another rule") == true)
        let twice: [any SchemaPart] = [
            Trip.grade, Thing.schema, Trip.grade, Thing.schema, Trip.remark,
            OwnField<Trip, String>("org.example.declared", 2, "remark", isSearched: true),
        ]
        let declared = DeclaredSchema(twice)
        #expect(declared.refusal == nil)
        #expect(declared.descriptions.count == 2 + Thing.schema.fieldDescriptions.count)
        #expect(declared.descriptions.filter(\.isSearched).map(\.name) == ["remark"])
    }

    @Test("What events use in namespaces is known by declaration or by the log's description")
    func usedParts() {
        let known = KnownSchema(Trip.remark.fieldDescriptions, declaring: [Trip.grade])
        let kind = ConcreteKind(.trip)
        for (field, isKnown) in [
            (Trip.grade.number, true), (Trip.remark.number, true), (Thing.owner.number + 2, false),
        ] {
            #expect(known.knows(UsedPart(kind: kind, number: field)) == isKnown)
        }
        #expect(!known.knows(UsedPart(kind: ConcreteKind(Thing.self))))
        #expect(known.knows(UsedPart(kind: ConcreteKind(Traveller.self))))
        let parts = [UsedPart(kind: kind, number: Trip.grade.number), UsedPart(kind: ConcreteKind(Traveller.self))]
        let namespaces = known.undescribed(parts)
        #expect(namespaces.count == 2)
        known.noteDescribed(namespaces)
        #expect(known.undescribed(parts).isEmpty)
        #expect(!UsedPart(kind: kind, number: EntitySchema.Field.links.number).needsDescription)
        #expect(UsedPart(kind: kind, number: EntitySchema.Field.travellers.number).needsDescription)
    }
}
