import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("What views read of items")
struct ItemSliceTests {
    private func record(_ value: [UInt8]?, at property: PartialKeyPath<Activity>) throws -> [UInt8] {
        var values: [UInt64: [UInt8]?] = [:]
        for write in TripEvent.created(Samples.activity).writes { values[write.field] = write.value }
        values[try #require(Activity.schema.number(of: \.startDay))] = .some(nil)
        values[try #require(Activity.schema.number(of: property))] = .some(value)
        return try Records.record(of: Samples.activity.reference, values).encoded()
    }

    private func read(
        _ value: [UInt8]?, at property: PartialKeyPath<Activity> = \.cost, _ body: (ItemSlice) -> Void
    ) throws {
        try record(value, at: property).withUnsafeBytes { try ItemSlice.read(RecordView($0), body) }
    }

    /// What decides the place among a trip's items.
    private func readPlace(
        _ value: [UInt8]?, at property: PartialKeyPath<Activity>, _ body: (PlaceSlice) -> Void
    ) throws {
        try record(value, at: property).withUnsafeBytes { bytes in
            try PlaceSlice.read(RecordView(bytes), of: .activity, body)
        }
    }

    @Test("Trip, start and cost are those of the item")
    func values() throws {
        let money = Money(minorUnits: -1250, "EUR")
        try read(money.encodedValue) { item in
            #expect(item.tripBytes.map { Array($0) } == Samples.activity.trip?.uuid.bytes)
            #expect(item.countedCost == money)
            let plain = item.plainCountedCost
            #expect(plain?.minorUnits == -1250 && plain?.currency.elementsEqual("EUR".utf8) == true)
        }
        try readPlace(money.encodedValue, at: \.cost) { place in
            #expect(place.parentID.map { Array($0) } == Samples.activity.trip?.uuid.bytes)
            #expect(place.start == Samples.activity.start?.milliseconds)
        }
    }

    @Test("A plain cost is the cost, whatever bytes are held", arguments: Seeds.some(8))
    func plain(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var found = 0
        for round in 0..<500 {
            let code = ["EUR", "", "€", "XYZ", String(repeating: "long", count: 20)][round % 5]
            var bytes = Money(minorUnits: Int64.random(in: -5...500_000, using: &generator), Currency(unchecked: code))
                .encodedValue
            if round.isMultiple(of: 3) { bytes = bytes.map { generator.damaged($0) } }
            try read(bytes) { item in
                guard let plain = item.plainCountedCost else {
                    let isASCII = item.countedCost?.currency.code.utf8.allSatisfy { $0 < 0x80 } ?? false
                    #expect(!isASCII)
                    return
                }
                found += 1
                #expect(item.countedCost?.minorUnits == plain.minorUnits)
                #expect(item.countedCost.map { plain.currency.elementsEqual($0.currency.code.utf8) } == true)
            }
        }
        #expect(found > 100)
    }

    @Test("A start is that of the whole value, whatever bytes are held", arguments: Seeds.some(8))
    func starts(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (found, missing) = (0, 0)
        for round in 0..<500 {
            let zone = ["Europe/Lisbon", "", "Zürich", String(repeating: "long", count: 40), "UTC"][round % 5]
            let milliseconds = Int64.random(in: .min ... .max, using: &generator) >> (round % 64)
            var bytes = Moment(milliseconds: milliseconds, zone: zone).encodedValue
            if round.isMultiple(of: 3) { bytes = bytes.map { generator.damaged($0) } }
            // Repeated fields, or unknown ones.
            if round.isMultiple(of: 7) { bytes = bytes.map { $0 + [0x08, 0x02] } }
            if round.isMultiple(of: 11) { bytes = bytes.map { $0 + [0x7A, 0x01, 0x41] } }
            try readPlace(bytes, at: \.start) { place in
                let expected = bytes.flatMap { Moment.decoded($0) }?.milliseconds
                #expect(place.start == expected, "\(bytes?.hexadecimal ?? "nil")")
                if expected == nil { missing += 1 } else { found += 1 }
            }
        }
        #expect(found > 100 && missing > 5)
    }

    @Test(
        "A trip is one if its kind and its id have 18 bytes", arguments: [nil, 0, 1, 16, 17, 18, 19], [1, 2] as [UInt8])
    func trips(size: Int?, kind: UInt8) throws {
        let bytes = size.map { [UInt8](([0, kind] + [UInt8](repeating: 7, count: 17)).prefix($0)) }
        try read(bytes, at: \.trip) { item in
            #expect(item.tripBytes.map { Array($0) } == bytes.flatMap { Trip.ID.decoded($0) }?.uuid.bytes)
            #expect((item.tripBytes != nil) == (size == 18 && kind == 1))
        }
        try readPlace(bytes, at: \.trip) { place in
            #expect((place.parentID != nil) == (size == 18 && kind == 1))
        }
    }
}
