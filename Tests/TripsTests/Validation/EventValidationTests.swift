import Events
import Testing

@testable import Trips

@Suite("Validation of events")
struct EventValidationTests {
    private static let unknownKind = EntityReference(kind: EntityKind(rawValue: 99), id: Samples.uuid)

    @Test("Events of every verb and kind pass with values that are well-formed, or none")
    func good() throws {
        let samples: [any TripEntity] = [
            Samples.trip, Samples.activity, Samples.lodging, Samples.transportation, Samples.organization,
        ]
        for sample in samples {
            try TripEvent.created(sample).validateValues()
            try TripEvent.created(sample).validate(on: nil)
            for verb in [Verb.edited, .deleted, .restored] {
                try TripEvent(verb, sample.reference).validateValues()
            }
            let cleared = TripEvent.created(sample).writes.map { TripEvent.Write(field: $0.field, value: nil) }
            try TripEvent(.edited, sample.reference, writes: cleared).validateValues()
        }
    }

    @Test("A verb that is not known is refused by its number", arguments: [0, 5, 99] as [UInt32])
    func unknownVerbs(number: UInt32) {
        let event = TripEvent(Verb(rawValue: number), Samples.trip.reference)
        let error = expectRefusal(.unknownVerb, naming: "Verb \(number)", advising: "Use created, edited") {
            try event.validateValues()
        }
        #expect(error?.entity == Samples.trip.reference)
    }

    @Test("A kind that is not known is refused by its number, with those that are")
    func unknownKinds() {
        let error = expectRefusal(
            .unknownKind, naming: "Kind 99", advising: "Use one of 1 (trip), 2 (activity), 3 (lodging)"
        ) { try TripEvent(.edited, Self.unknownKind).validateValues() }
        #expect(error?.entity == Self.unknownKind)
        expectRefusal(.unknownKind, naming: "Kind 99", advising: "Use one of") {
            try TripEvent(.created, Self.unknownKind).validate(on: nil)
        }
    }

    @Test(
        "A field that the kind does not have is refused by its number, even if it would be cleared",
        arguments: [
            (Samples.trip.reference, "trip", 15), (Samples.trip.reference, "trip", 0),
            (Samples.activity.reference, "activity", 13), (Samples.lodging.reference, "lodging", 22),
            (Samples.transportation.reference, "transportation", 20),
            (Samples.organization.reference, "organization", .max),
        ] as [(EntityReference, String, UInt64)])
    func unknownFields(entity: EntityReference, kind: String, field: UInt64) {
        for value in [[1], nil] as [[UInt8]?] {
            let event = TripEvent(.edited, entity, writes: [.init(field: field, value: value)])
            let error = expectRefusal(.unknownField, naming: "\(kind) has no field \(field)", advising: "Leave it out")
            {
                try event.validateValues()
            }
            #expect(error?.field == "field \(field)")
            #expect(error?.entity == entity)
        }
    }

    private static let notText: [UInt8] = [0x78, 0xFF]

    private static func message(_ field: UInt32, _ bytes: [UInt8]) -> [UInt8] {
        var writer = WireWriter()
        writer.bytes(field, bytes)
        return writer.bytes
    }

    @Test(
        "Bytes that are no value of the field are refused, with what is wrong",
        arguments: [
            (.trip, 1, notText, "not UTF-8"), (.trip, 4, .signed(2_932_897), "2932897"), (.trip, 4, [1, 1], "follow"),
            (.trip, 5, [0x80], "cut off"), (.trip, 6, [], "cut off"), (.trip, 7, [1, 2], "follow"),
            (.activity, 2, [UInt8](repeating: 1, count: 16), "18 bytes, that kind first, not 16"),
            (.activity, 12, [0, 1] + [UInt8](repeating: 1, count: 16), "not 18 that begin with 0, 1"),
            (.activity, 3, message(2, notText), "not UTF-8"), (.activity, 4, message(1, []), "wire type"),
            (.lodging, 5, message(2, notText), "not UTF-8"), (.lodging, 5, [0x08], "cut off"),
            (.lodging, 6, .varint(1 << 32), "32 bits"), (.transportation, 13, [0x80], "cut off"),
            (.lodging, 11, message(3, notText), "not UTF-8"), (.lodging, 11, message(7, notText), "not UTF-8"),
            (.organization, 6, message(6, [0x08, 1]), "wire type"), (.organization, 6, [0x0A, 9], "claims 9 bytes"),
            (.organization, 7, [0xC0, 0x80], "not UTF-8"),
        ] as [(EntityKind, UInt64, [UInt8], String)])
    func malformedValues(kind: EntityKind, field: UInt64, value: [UInt8], reason: String) {
        let entity = EntityReference(kind: kind, id: Samples.uuid)
        let event = TripEvent(.edited, entity, writes: [.init(field: field, value: value)])
        for validate in [{ try event.validateValues() }, { try event.validate(on: nil) }] {
            let error = expectRefusal(
                .malformedValue, naming: value.count.counted("byte"), reason,
                advising: "Encode it as the specification of the log says"
            ) { try validate() }
            #expect(error?.entity == entity)
            #expect(error?.field == EntitySchema.of(kind)?.field(field)?.name)
        }
    }

    @Test("Parts of values that are not known pass, and so do choices of later versions")
    func laterValues() throws {
        let later = (Samples.morning.encodedValue ?? []) + UnknownParts.bytes
        let writes: [TripEvent.Write] = [.init(field: 3, value: later), .init(field: 6, value: .varint(77))]
        try TripEvent(.edited, Samples.activity.reference, writes: writes).validateValues()
    }

    @Test("A creation is held against every rule, even of fields that it does not write")
    func creations() {
        let error = expectRefusal(.emptyName, naming: "\"\"", advising: "Give it") {
            try TripEvent(.created, Samples.trip.id, [.set(\.notes, "x")]).validate(on: nil)
        }
        #expect(error?.field == "name")
        expectRefusal(.missingParent, advising: "Name one") {
            try TripEvent(.created, Samples.activity.id, [.set(\.name, "x")]).validate(on: nil)
        }
    }

    @Test("An edit is held against the rules of what it writes, together with what the record holds")
    func edits() throws {
        let record = try Records.record(of: Samples.trip)
        try TripEvent(.edited, Samples.trip.id, [.set(\.endDay, Day(2027, 5, 1))]).validate(on: record)
        expectRefusal(.endBeforeStart, naming: "2027-04-30", "2027-05-01", advising: "Move one of them") {
            try TripEvent(.edited, Samples.trip.id, [.set(\.endDay, Day(2027, 4, 30))]).validate(on: record)
        }
        // Both at once.
        try TripEvent(.edited, Samples.trip.id, [.set(\.startDay, Day(2026, 1, 1)), .set(\.endDay, Day(2026, 1, 2))])
            .validate(on: record)
        expectRefusal(.emptyName, advising: "Give it") {
            try TripEvent(.edited, Samples.trip.id, [.clear(\.name)]).validate(on: record)
        }
    }

    @Test("What a merge made odd does not stand in the way of an edit elsewhere, a deletion or a restoration")
    func oddRecords() throws {
        let odd = try Records.record(
            of: Samples.trip.reference,
            [4: Day(2027, 5, 8).encodedValue, 5: Day(2027, 5, 1).encodedValue, 999: [1]])
        for event in [
            TripEvent(.edited, Samples.trip.id, [.set(\.notes, "x")]), .deleted(Samples.trip.id),
            .restored(Samples.trip.id),
        ] { try event.validate(on: odd) }
        #expect(throws: ValidationError.self) {
            try TripEvent(.restored, Samples.trip.id, [.set(\.name, " ")]).validate(on: odd)
        }
    }
}
