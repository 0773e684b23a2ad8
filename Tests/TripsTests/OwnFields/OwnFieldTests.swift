import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

/// An enumeration of an app.
private enum Mood: String, OwnFieldValue, CaseIterable { case good, mixed, bad }

extension Trip {
    fileprivate static let rating = OwnField<Trip, Int>("org.example.tests", 1, "rating") { 1...5 ~= $0 }
    fileprivate static let mood = OwnField<Trip, Mood>("org.example.tests", 2, "mood")
    fileprivate static let isShared = OwnField<Trip, Bool>("org.example.tests", 3, "isShared")
    fileprivate static let summary = OwnField<Trip, String>("org.example.tests", 4, "summary")
    fileprivate static let distance = OwnField<Trip, Double>("org.example.tests", 5, "distance")
    fileprivate static let thumbnail = OwnField<Trip, Data>("org.example.tests", 6, "thumbnail")
    fileprivate static let token = OwnField<Trip, UUID>("org.example.tests", 7, "token")
    fileprivate static let reminder = OwnField<Trip, Moment>("org.example.tests", 8, "reminder")
    fileprivate static let budget = OwnField<Trip, Money>("org.example.tests", 9, "budget")
    fileprivate static let bookedOn = OwnField<Trip, Day>("org.example.tests", 10, "bookedOn")
    fileprivate static let seenAt = OwnField<Trip, Date>("org.example.tests", 11, "seenAt")
    fileprivate static let home = OwnField<Trip, Address>("org.example.tests", 12, "home")
    fileprivate static let count = OwnField<Trip, Int>("org.example.tests", 14, "count")
    fileprivate static let sequel = OwnField<Trip, Trip.ID>("org.example.tests", 13, "sequel")

    fileprivate static let all: [any SchemaPart] = [
        rating, mood, isShared, summary, distance, thumbnail, token, reminder, budget, bookedOn, seenAt, home, count,
        sequel,
    ]
}

@Suite("Apps' own fields")
struct OwnFieldTests {
    private static let namespace: Namespace = "org.example.trips"
    private static let id = Trip.ID(Samples.uuid)
    private static let known = KnownSchema(declaring: Trip.all)

    @Test("The number in the log is five bytes of the namespace's hash, then the app's number")
    func numbers() {
        // printf %s org.example.trips | sha256sum
        #expect(Self.namespace.number(3) == 0xF6_8259_A3D5_0003)
        #expect(Self.namespace.number(.max) <= FieldPath.highestField)
        #expect(FieldPath(field: Self.namespace.number(1)).isOwn && !FieldPath(field: 65_535).isOwn)
        #expect(FieldPath.ownName(of: Self.namespace.number(3)) == "f68259a3d5.3")
        #expect(FieldPath.ownName(of: 3) == nil)
        #expect(Namespace("org.example.trips") == Self.namespace && Namespace("org.example.other") != Self.namespace)
    }

    /// Sets a value, and expects it back after it was written and read.
    private func expectKept<Value>(_ field: OwnField<Trip, Value>, _ value: Value, _ bytes: [UInt8]) throws {
        var trip = Trip(id: Self.id, name: "Lisbon")
        trip[field] = value
        #expect(trip[field] == value)
        let event = TripEvent.created(trip)
        #expect(event.writes.last == TripEvent.Write(field: field.number, value: bytes))
        try event.validateValues(in: Self.known)
        try event.validate(on: nil, in: Self.known)
        var read = Trip(id: trip.id)
        read.apply(event)
        #expect(read[field] == value && read == trip)
        trip[field] = nil
        #expect(trip[field] == nil && trip.own.isEmpty)
    }

    @Test("Values of every type are kept, with the bytes that the log's format says")
    func values() throws {
        try expectKept(Trip.count, -3, [5])
        try expectKept(Trip.count, 0, [0])
        for mood in Mood.allCases { try expectKept(Trip.mood, mood, Array(mood.rawValue.utf8)) }
        try expectKept(Trip.isShared, false, [0])
        try expectKept(Trip.isShared, true, [1])
        try expectKept(Trip.summary, "three days", Array("three days".utf8))
        try expectKept(Trip.distance, 1.5, [0, 0, 0, 0, 0, 0, 0xF8, 0x3F])
        try expectKept(Trip.thumbnail, Data([0, 255]), [0, 255])
        try expectKept(Trip.token, Samples.uuid, Samples.uuid.bytes)
        try expectKept(
            Trip.reminder, Moment(milliseconds: 1, zone: "Europe/Lisbon"), [8, 2, 18, 13] + "Europe/Lisbon".utf8)
        try expectKept(Trip.budget, Money(minorUnits: 1, "EUR"), [8, 2, 18, 3] + "EUR".utf8)
        try expectKept(Trip.bookedOn, Day(daysSince1970: 0)!, [0])
        try expectKept(Trip.seenAt, Date(timeIntervalSince1970: 0), [0])
        try expectKept(Trip.home, Address(city: "Porto"), [18, 5] + "Porto".utf8)
        try expectKept(Trip.sequel, Trip.ID(Samples.uuid), [0, 1] + Samples.uuid.bytes)
    }

    @Test("Equal numbers have equal bytes, whatever their sign and their kind of NaN")
    func equalNumbers() {
        #expect((-0.0).encodedValue == (0.0).encodedValue)
        #expect(Double.signalingNaN.encodedValue == Double.nan.encodedValue)
    }

    @Test("Empty text clears, as in a built-in field")
    func emptyText() {
        var trip = Trip(name: "Lisbon")
        trip[Trip.summary] = "x"
        trip[Trip.summary] = ""
        #expect(trip[Trip.summary] == nil && trip.own.isEmpty)
        #expect(FieldChange.set(Trip.summary, "").value == nil)
    }

    @Test("Texts that look the same are written if their bytes differ; parts that this version does not know stay")
    func sameValues() {
        var trip = Trip(id: Self.id, name: "Lisbon")
        trip[Trip.summary] = "e\u{301}"
        var draft = trip
        draft[Trip.summary] = "\u{E9}"
        #expect(TripEvent.edited(from: trip, to: draft)?.writes.count == 1)
        let bytes = [8, 2, 18, 3] + Array("EUR".utf8) + UnknownParts.bytes
        trip.own[Trip.budget.number] = bytes
        draft = trip
        draft[Trip.budget] = trip[Trip.budget]
        #expect(draft.own[Trip.budget.number] == bytes)
        draft[Trip.budget]?.minorUnits = 2
        let changed = TripEvent.edited(from: trip, to: draft)?.writes.last?.value
        #expect(changed == [8, 4, 18, 3] + Array("EUR".utf8) + UnknownParts.bytes)
    }

    @Test("Elements of a collection under an own number are kept in the record, and are no value of the field")
    func elements() throws {
        let event = Event(
            verb: .created, entity: Self.id.reference,
            changes: [Change(path: FieldPath(field: Trip.rating.number, key: [1]), value: [8])])
        var record = EntityRecord()
        record.apply(event, index: 0, stamp: try Records.stamp(1))
        #expect(Trip(id: Self.id, record: record)[Trip.rating] == nil)
        #expect(record.registers.map(\.path.key) == [[1]])
    }

    @Test("An edit writes the own fields that differ, in the order of their numbers, and what was seen in each")
    func edits() {
        var original = Trip(id: Self.id, name: "Lisbon")
        original[Trip.rating] = 3
        original[Trip.isShared] = true
        var draft = original
        draft[Trip.mood] = .bad
        draft[Trip.rating] = nil
        draft.name = "Porto"
        let event = TripEvent.edited(from: original, to: draft)
        #expect(event?.writes.map(\.field) == [1, Trip.rating.number, Trip.mood.number])
        #expect(event?.writes.map(\.value) == [Array("Porto".utf8), nil, Array("bad".utf8)])
        #expect(event?.writes.last?.saw == .value(nil) && event?.writes[1].saw == .value([6]))
        #expect(TripEvent.edited(from: draft, to: draft) == nil)
    }

    @Test("A value that a newer version wrote reads as nil, and stays where it is not set")
    func newerValues() {
        var trip = Trip(name: "Lisbon")
        trip.decode(Trip.mood.number, Array("splendid".utf8))
        #expect(trip[Trip.mood] == nil)
        var draft = trip
        draft.notes = "n"
        #expect(TripEvent.edited(from: trip, to: draft)?.writes.map(\.field) == [3])
        // A form that showed nothing sets nothing.
        draft[Trip.mood] = nil
        #expect(TripEvent.edited(from: trip, to: draft)?.writes.map(\.field) == [3])
        draft[Trip.mood] = .good
        #expect(TripEvent.edited(from: trip, to: draft)?.writes.map(\.field) == [3, Trip.mood.number])
        #expect(FieldChange.set(Trip.mood, nil) == FieldChange(field: Trip.mood.number, value: nil))
    }

    @Test(
        "A rule refuses what is written here, and names field and value; text, moments and money have those of their types"
    )
    func rules() throws {
        var trip = Trip(name: "Lisbon")
        trip[Trip.rating] = 6
        let created = TripEvent.created(trip)
        let error = #expect(throws: ValidationError.self) { try created.validate(on: nil, in: Self.known) }
        #expect(error?.code == .brokenRule && error?.field == "rating" && error?.message.hasPrefix("6 is") == true)
        let edit = TripEvent(.edited, trip.id, [.set(Trip.rating, 6)])
        #expect(throws: ValidationError.self) { try edit.validate(on: EntityRecord(), in: Self.known) }
        try TripEvent(.edited, trip.id, [.set(Trip.rating, nil)]).validate(on: EntityRecord(), in: Self.known)
        // A store that does not know the field has no rule for it.
        try edit.validate(on: EntityRecord())
        trip[Trip.rating] = nil
        trip[Trip.reminder] = Moment(milliseconds: 0, zone: "Mars/Olympus")
        let late = TripEvent.created(trip)
        let zone = #expect(throws: ValidationError.self) { try late.validate(on: nil, in: Self.known) }
        #expect(zone?.code == .unknownTimeZone)
    }

    @Test("Bytes of another type are refused where the field is known, and not in a store that does not know it")
    func malformed() throws {
        let known = TripEvent(.edited, Self.id.reference, writes: [.init(field: Trip.token.number, value: [1])])
        let error = #expect(throws: ValidationError.self) { try known.validateValues(in: Self.known) }
        #expect(error?.code == .malformedValue && error?.field == "token")
        try known.validateValues()
        let unknown = Namespace("org.example.elsewhere").number(7)
        try TripEvent(.edited, Self.id.reference, writes: [.init(field: unknown, value: [1])]).validateValues(
            in: Self.known)
        for number in [FieldPath.highestField + 1, .max] {
            let beyond = TripEvent(.edited, Self.id.reference, writes: [.init(field: number, value: [1])])
            #expect(
                #expect(throws: ValidationError.self) { try beyond.validateValues(in: Self.known) }?.code
                    == .unknownField)
        }
        // A field is one of the kind for which it was declared.
        let place = EntityReference(kind: .activity, id: Samples.uuid)
        try TripEvent(.edited, place, writes: [.init(field: Trip.token.number, value: [1])]).validateValues(
            in: Self.known)
    }

    @Test("Histories and JSON name a known field and show its value; another has its number and bytes")
    func rendering() {
        var trip = Trip(name: "Lisbon")
        trip[Trip.rating] = 4
        let unknown = Namespace("org.example.elsewhere").number(7)
        trip.own[unknown] = [1, 2]
        let name = FieldPath.ownName(of: unknown)
        let names = [name, "rating"].compactMap { $0 }.sorted()
        #expect(trip.ownRenderings(in: Self.known).map(\.name).sorted() == names)
        guard case .object(let own) = trip.ownValues(in: Self.known), case .object(let members) = trip.json,
            case .object(let numbered) = members["own"]
        else {
            Issue.record("no object")
            return
        }
        #expect(own["rating"] == .integer(4))
        #expect(own[name ?? ""] == .object(["base64": .string("AQI=")]))
        // Without a store no app's field has a name.
        #expect(numbered[FieldPath.ownName(of: Trip.rating.number) ?? ""] == .object(["base64": .string("CA==")]))
        // Without bytes it counts as cleared, whether the app is here or not.
        #expect(FieldRendering(kind: .trip, field: unknown, value: []).value == .null)
    }

    /// Two enumerations of which neither has a value for all texts.
    private enum Weather: String, OwnFieldValue { case sun, rain }

    @Test("Of declarations with several types over one the same one decides, in whatever order they are made")
    func severalTypes() throws {
        let names: Namespace = "org.example.tests.several"
        func decided(_ parts: [any SchemaPart]) throws -> String {
            let declared = DeclaredSchema(parts)
            #expect(declared.refusal == nil)
            let schema = try #require(declared.schema(of: ConcreteKind(Organization.self)))
            return try #require(schema.field(names.number(1))).declaredType
        }
        let text = OwnField<Organization, String>(names, 1, "several")
        let mood = OwnField<Organization, Mood>(names, 1, "several")
        let weather = OwnField<Organization, Weather>(names, 1, "several")
        #expect(try decided([text, mood]) == "Swift.String" && decided([mood, text, mood]) == "Swift.String")
        #expect(try decided([mood, weather]) == decided([weather, mood]))
    }

    @Test("Views keep them beside a trip, and read the same from it, whether the app is here or not")
    func filed() throws {
        let unknown = Namespace("org.example.elsewhere").number(7)
        let record = try Records.record(
            of: Self.id.reference,
            [1: Array("Lisbon".utf8), Trip.rating.number: [8], unknown: [1, 2], 900: [7]])
        let bytes = record.encoded()
        let trip = try bytes.withUnsafeBytes { bytes in
            let view = try RecordView(bytes)
            let filed = try Trip.filed(view)
            return try filed.withUnsafeBytes { try Trip(id: Self.id, filed: $0) }
        }
        #expect(trip[Trip.rating] == 4 && trip.own[unknown] == [1, 2] && trip.own.values.count == 2)
        #expect(trip == Trip(id: Self.id, record: record))
    }
}
