import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

/// The fast path may prove less than the rules, and never more.
@Suite("The fast path for events")
struct FastCheckTests {
    private static let samples: [any TripEntity] = [
        Samples.trip, Samples.activity, Samples.lodging, Samples.transportation, Samples.organization,
    ]

    @Test("What is well-formed and breaks no rule is seen to be at once, in any script")
    func fine() {
        for sample in Self.samples {
            #expect(TripEvent.created(sample).isValidOnFastPath({ _ in nil }))
            for write in TripEvent.created(sample).writes {
                let edit = TripEvent(.edited, sample.reference, writes: [write])
                #expect(edit.isValidOnFastPath({ _ in nil }))
                #expect(edit.isValidOnFastPath { _ in nil })
            }
        }
        var trip = Samples.trip
        (trip.name, trip.notes) = ("Überfahrt nach 神戸", "Καλημέρα")
        #expect(TripEvent.created(trip).isValidOnFastPath({ _ in nil }))
    }

    @Test("Of every currency, and every zone that the platform lists, a moment and a price pass the fast check")
    func names() throws {
        for currency in Currency.all {
            let bytes = try #require(Money(minorUnits: 5, currency).encodedValue)
            #expect(bytes.withUnsafeBytes { Money.fastCheck($0) }, "\(currency)")
        }
        // More are accepted than are listed.
        for zone in TimeZone.knownTimeZoneIdentifiers + ["UTC", "GMT", "Etc/UTC", "US/Pacific"] {
            let bytes = try #require(Moment(milliseconds: 1, zone: zone).encodedValue)
            #expect(TimeZoneCache.zone(zone) != nil, "\(zone)")
            #expect(bytes.withUnsafeBytes { Moment.fastCheck($0) }, "\(zone)")
        }
        for odd in ["", "E", "EU", "EURO", "eur", "Europe", "Europe/Lisbo", "Europe/Lisbonne"] {
            #expect(
                !Array(odd.utf8).withUnsafeBytes { Currency.codes.contains($0) || TimeZoneCache.isKnown($0) })
        }
    }

    @Test("Of a zone or a currency that comes twice, neither may be odd")
    func twice() throws {
        func value(_ names: [[UInt8]]) -> [UInt8] {
            var writer = WireWriter()
            writer.signed(1, 5)
            for name in names { writer.bytes(2, name) }
            return writer.bytes
        }
        let (zone, currency) = (Array("UTC".utf8), Array("EUR".utf8))
        for odd in [[0xFF], Array("No/Where".utf8)] as [[UInt8]] {
            for moment in [value([zone, odd]), value([odd, zone]), value([odd]), value([])] {
                #expect(!moment.withUnsafeBytes { Moment.fastCheck($0) })
            }
            for money in [value([currency, odd]), value([odd, currency]), value([odd]), value([])] {
                #expect(!money.withUnsafeBytes { Money.fastCheck($0) })
            }
        }
        #expect(value([zone, zone]).withUnsafeBytes { Moment.fastCheck($0) })
        #expect(value([currency, currency]).withUnsafeBytes { Money.fastCheck($0) })
    }

    @Test("What breaks a rule is left to the rules")
    func odd() throws {
        var late = Samples.trip
        (late.startDay, late.endDay) = (late.endDay, late.startDay)
        var nameless = Samples.activity
        nameless.name = " \u{200B}"
        var unfiled = Samples.lodging
        unfiled.trip = nil
        var nowhere = Samples.activity
        nowhere.start?.zone = "Nowhere/At"
        var beyond = Samples.activity
        beyond.end?.milliseconds = .max
        var coins = Samples.transportation
        coins.cost = Money(minorUnits: 1, "XYZ")
        var off = Samples.organization
        off.address?.coordinates?.latitude = 91
        var long = Samples.organization
        long.phone = String(repeating: "1", count: String.longest + 1)
        var odd = Samples.trip
        odd.originalCreation = Date(timeIntervalSince1970: 1e15)
        let entities: [any TripEntity] = [late, nameless, unfiled, nowhere, beyond, coins, off, long, odd]
        for entity in entities {
            let event = TripEvent.created(entity)
            #expect(!event.isValidOnFastPath({ _ in nil }))
            #expect(throws: ValidationError.self) { try event.validate(on: nil) }
        }
    }

    @Test("Every event that passes the fast path passes the rules", arguments: [1, 2, 3, 4] as [UInt64])
    func sound(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var passed = 0
        for _ in 0..<4_000 {
            let event = Self.event(&generator)
            let old = Self.event(&generator)
            // The held value: none, an invalid one, or that of another event.
            let held: [(UInt64) -> [UInt8]?] = [
                { _ in nil }, { _ in [0xFF] }, { field in old.writes.last { $0.field == field }?.value },
            ]
            if event.isValidOnFastPath({ _ in nil }) {
                passed += 1
                try Self.checkFully(event)
                try event.validateRules(in: nil) { _ in nil }
            }
            for held in held where event.verb == .edited && event.isValidOnFastPath(held) {
                try Self.checkFully(event)
                try event.validateRules(in: nil, on: held)
            }
        }
        // Enough to be significant.
        #expect(passed > 400)
    }

    /// Checks the values by their types, without the fast path.
    private static func checkFully(_ event: TripEvent) throws {
        let schema = try #require(DeclaredSchema.builtIn.schema(of: event.entity))
        for write in event.writes {
            let type = try #require(schema.field(write.field)?.valueType(at: write.path))
            if let value = write.value { try type.check(value) }
        }
    }

    /// The creation or an edit of a sample, most of the time with something wrong in it.
    private static func event(_ generator: inout SeededGenerator) -> TripEvent {
        let sample = samples[Int.random(in: 0..<samples.count, using: &generator)]
        let other = samples[Int.random(in: 0..<samples.count, using: &generator)]
        let others = TripEvent.created(other).writes
        var event = TripEvent.created(sample)
        if Bool.random(using: &generator) {
            event.verb =
                [.edited, .edited, .edited, .deleted, Verb(rawValue: 9)].randomElement(using: &generator) ?? .edited
            event.writes = event.writes.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
        }
        for _ in 0..<Int.random(in: 0..<3, using: &generator) where !event.writes.isEmpty {
            let place = Int.random(in: 0..<event.writes.count, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: event.writes[place].value = nil
            case 1: event.writes[place].value = []
            case 2:
                event.writes[place].path = FieldPath(
                    field: .random(in: 0...15, using: &generator), key: Bool.random(using: &generator) ? [] : [1])
            case 3: event.writes.append(event.writes[place])
            case 4: event.writes.remove(at: place)
            case 5: event.writes[place].value = others.randomElement(using: &generator)?.value
            case 6: event.writes.swapAt(place, 0)
            default:
                guard var value = event.writes[place].value, !value.isEmpty else { continue }
                let byte = Int.random(in: 0..<value.count, using: &generator)
                value[byte] = UInt8.random(in: 0...255, using: &generator)
                event.writes[place].value = value
            }
        }
        return event
    }
}

extension TripEvent {
    /// Whether the fast path proves the event valid: a creation if nothing is held of its entity; an edit where `held` returns the value that a
    /// field has.
    func isValidOnFastPath(_ held: (_ field: UInt64) -> [UInt8]?) -> Bool {
        (try? checkValues(in: nil)).map { isInOrder($0, held) } ?? false
    }
}
