import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Where items are filed")
struct ItemFilingTests {
    private func filing<T>(_ cost: [UInt8]?, _ body: (ItemFiling) throws -> T) throws -> T {
        var values: [UInt32: [UInt8]?] = [:]
        for write in TripEvent.created(Samples.activity).writes { values[write.field] = write.value }
        values[ItemField.cost.rawValue] = .some(cost)
        let record = try Records.record(of: Samples.activity.reference, values)
        return try record.encoded().withUnsafeBytes { try body(ItemFiling(RecordView($0))) }
    }

    @Test("Trip, start and cost are those of the item")
    func values() throws {
        let money = Money(minorUnits: -1250, "EUR")
        try filing(money.encodedValue) { filing in
            #expect(filing.trip == Samples.activity.trip)
            #expect(filing.start == Samples.activity.start?.milliseconds)
            #expect(filing.cost == money)
            let plain = try #require(filing.plainCost)
            #expect(plain.minorUnits == -1250 && plain.currency.elementsEqual("EUR".utf8))
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
            try filing(bytes) { filing in
                guard let plain = filing.plainCost else {
                    let isASCII = filing.cost?.currency.code.utf8.allSatisfy { $0 < 0x80 } ?? false
                    #expect(!isASCII)
                    return
                }
                found += 1
                #expect(filing.cost?.minorUnits == plain.minorUnits)
                #expect(filing.cost.map { plain.currency.elementsEqual($0.currency.code.utf8) } == true)
            }
        }
        #expect(found > 100)
    }
}
