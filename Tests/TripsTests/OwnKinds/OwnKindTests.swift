import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Apps' own kinds")
struct OwnKindTests {
    private static let trip = Trip.ID.new()
    private static let known = KnownSchema(declaring: [Thing.schema])

    @Test("An id says the kind, and is random but for that")
    func ids() throws {
        let ids = (0..<1000).map { _ in Thing.ID.new() }
        #expect(Set(ids).count == 1000)
        let kind = try #require(Thing.schema.ownKind)
        for id in ids {
            #expect(OwnKind(of: id.reference) == kind && id.reference.kind == .own)
            #expect(id.uuid.uuid.6 >> 4 == 8 && id.uuid.uuid.8 >> 6 == 2)
        }
        #expect(kind.prefix == Array(Namespace("org.example.things").number(0).bigEndianBytes[1..<6]) + [3])
        #expect(kind.name(in: Self.known) == "thing" && ids[0].reference.kindName(in: Self.known) == "thing")
        // Without a store no app's kind has a name.
        #expect(kind.name == kind.hashName && ids[0].reference.kindName == kind.hashName)
        #expect(Thing.ID(ids[0].reference) == ids[0])
        #expect(Thing.ID(Self.trip.reference) == nil)
        let other = EntityReference(kind: .own, id: OwnKind("org.example.things", 4).id(UUID()))
        #expect(Thing.ID(other) == nil && OwnKind(of: other)?.name.hasSuffix(".4") == true)
    }

    @Test("Ids that follow from another system's are the same everywhere, and differ from those of other kinds")
    func derived() {
        let id = Thing.ID.derived(from: "shop.example", "17")
        #expect(id == Thing.ID.derived(from: "shop.example", "17") && OwnKind(of: id.reference) == Thing.schema.ownKind)
        #expect(id != Thing.ID.derived(from: "shop.example", "18"))
    }

    @Test("A creation writes every field that has not its default, and is read back from its record")
    func roundTrip() throws {
        var thing = Thing("socks", in: Self.trip)
        #expect(TripEvent.created(thing).writes.map(\.field) == [1, 2])
        (thing.count, thing.weight, thing.price, thing.isPacked) = (4, .heavy, Money("12.50", "EUR"), true)
        let event = TripEvent.created(thing)
        #expect(event.writes.map(\.field) == [1, 2, 3, 4, 5, 6])
        try event.validate(on: nil, in: Self.known)
        var read = Thing(id: thing.id)
        read.apply(event)
        #expect(read == thing)
        let changes = Thing.changes(from: thing, to: Thing("socks", in: Self.trip, id: thing.id))
        #expect(changes.map(\.field) == [3, 4, 5, 6] && changes.allSatisfy { $0.value == nil })
    }

    @Test("A property with a default of the app's has it where the field is cleared, in JSON too")
    func defaults() throws {
        var thing = Thing("socks", in: Self.trip)
        thing.decode(3, nil)
        #expect(thing.count == 1)
        guard case .object(let members) = thing.json else { return #expect(Bool(false)) }
        #expect(members["count"] == .integer(1) && members["isPacked"] == .bool(false) && members["weight"] == .null)
        #expect(members["trip"] == .string("\(Self.trip)"))
    }

    @Test("A value that cannot be read is nil, and stays when a form sets nil again")
    func unreadable() {
        var thing = Thing("socks", in: Self.trip)
        thing.decode(4, Int.coding.encode(99))
        #expect(thing.weight == nil)
        #expect(Thing.changes(from: thing, to: thing).isEmpty)
    }

    @Test(
        "Rules of the schema hold for what is written here",
        arguments: [
            (0, .missingValue, "what"), (1, .missingValue, "trip"), (2, .brokenRule, "count"),
            (3, .unknownCurrency, "price"),
        ] as [(Int, ValidationError.Code, String)])
    func rules(change: Int, code: ValidationError.Code, field: String) throws {
        let good = Thing("socks", in: Self.trip)
        try good.validate()
        var bad = good
        switch change {
        case 0: bad.what = " "
        case 1: bad.trip = nil
        case 2: bad.count = 0
        default: bad.price = Money(minorUnits: 1, Currency(unchecked: "XXQ"))
        }
        let created = #expect(throws: ValidationError.self) {
            try TripEvent.created(bad).validate(on: nil, in: Self.known)
        }
        #expect(created?.code == code && created?.field == field && created?.entity == good.reference)
        let edit = try #require(TripEvent.edited(from: good, to: bad))
        let record = try Records.record(of: good)
        let edited = #expect(throws: ValidationError.self) { try edit.validate(on: record, in: Self.known) }
        #expect(edited?.code == code && edited?.field == field)
    }

    @Test("An id of another form, and a field that the schema does not have, are refused")
    func refused() {
        let stray = TripEvent(
            .edited, EntityReference(kind: .own, id: UUID(uuidString: "0195F0E0-1111-7222-8333-444455556666") ?? UUID())
        )
        #expect(
            #expect(throws: ValidationError.self) { try stray.validateValues(in: Self.known) }?.code == .unknownKind)
        var event = TripEvent.created(Thing("socks", in: Self.trip))
        event.writes.append(TripEvent.Write(field: 9, value: [1]))
        let error = #expect(throws: ValidationError.self) { try event.validateValues(in: Self.known) }
        #expect(error?.code == .unknownField && error?.description.hasPrefix("thing ") == true)
    }

    @Test("An event of a kind whose app is not here may write any field, and a reference alone as the parent")
    func unknownApp() throws {
        let stranger = EntityReference(kind: .own, id: OwnKind("org.example.elsewhere", 1).id(UUID()))
        try TripEvent(.created, stranger, writes: [.init(field: 700, value: [1, 2])]).validate(on: nil)
        for write in [
            TripEvent.Write(field: 0, value: [1]), .init(field: FieldPath.highestField + 1, value: [1]),
            .init(.parent, value: [1]),
        ] {
            let event = TripEvent(.created, stranger, writes: [write])
            #expect(throws: ValidationError.self) { try event.validate(on: nil) }
        }
        #expect(stranger.name([0xFF], in: nil) == "" && stranger.name(Array("tent".utf8), in: nil) == "tent")
        let parent = FieldRendering(of: stranger, .parent, value: Self.trip.reference.fieldValue)
        #expect(parent.name == "parent" && parent.text == "\(Self.trip)")
    }

    @Test("A log says what a kind and its fields are called, and only with the right namespace")
    func descriptions() throws {
        let all = Thing.schema.fieldDescriptions
        #expect(all.map(\.name) == ["thing", "what", "trip", "count", "weight", "price", "isPacked"])
        #expect(all.map(\.type) == [.data, .text, .reference, .integer, .integer, .money, .flag])
        #expect(all.map(\.isOfKind) == [true] + Array(repeating: false, count: 6))
        for description in all {
            #expect(FieldDescription(description.path, description.value) == description)
            #expect(description.path.key.count == 16 && description.ownKind == Thing.schema.ownKind)
        }
        let other = FieldDescription(
            of: ConcreteKind(try #require(Thing.schema.ownKind)), number: 1, namespace: "org.example.other", name: "x",
            type: .text)
        #expect(FieldDescription(other.path, other.value) == nil)
    }
}
