import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

/// The bytes that trips.proto specifies for values that are no messages.
@Suite("Bytes of plain values")
struct ScalarTests {
    private func expect<Value: FieldValue>(_ value: Value, is bytes: [UInt8]) {
        #expect(value.encodedValue == bytes)
        #expect(Value.decoded(bytes) == value)
    }

    @Test(
        "Text is its UTF-8, a flag and a choice are a number, days and dates are zigzag numbers, a reference kind and id"
    )
    func bytes() {
        expect("é🏝", is: [0xC3, 0xA9, 0xF0, 0x9F, 0x8F, 0x9D])
        expect(true, is: [1])
        expect(PaidStatus.inFull, is: [2])
        expect(TransportationMode(rawValue: 300), is: [0xAC, 0x02])
        expect(Day(1970, 1, 1), is: [0])
        expect(Day(1970, 1, 2), is: [2])
        expect(Day(1969, 12, 31), is: [1])
        expect(Day.first, is: .varint(1_438_323))
        expect(Date(milliseconds: 0), is: [0])
        expect(Date(milliseconds: -1), is: [1])
        expect(Date(milliseconds: 64), is: [0x80, 0x01])
        expect(Trip.ID(Samples.uuid), is: [0, 1] + Array(1...16))
    }

    @Test("A byte beyond ASCII is seen wherever it is, in text of any length")
    func ascii() {
        for count in 0...40 {
            let text = [UInt8](repeating: 0x7F, count: count)
            #expect(text.withUnsafeBytes { $0.isASCII })
            for place in 0..<count {
                var other = text
                other[place] = 0x80
                #expect(!other.withUnsafeBytes { $0.isASCII }, "\(place) of \(count)")
            }
        }
    }

    @Test("Defaults have no bytes, and no bytes are no value")
    func defaults() {
        #expect("".encodedValue == nil)
        #expect(false.encodedValue == nil)
        #expect(PaidStatus.none.encodedValue == nil)
        #expect(Moment(milliseconds: 0, zone: "").encodedValue == nil)
        #expect(String.decoded([]) == nil)
        #expect(Bool.decoded([]) == nil)
        #expect(Day.decoded(UnsafeRawBufferPointer?.none) == nil)
        #expect(Money.decoded([]) == nil)
    }

    @Test("A flag is any number but 0")
    func flags() {
        #expect(Bool.decoded([0]) == false)
        #expect(Bool.decoded([77]) == true)
        #expect(Bool.decoded(.varint(.max)) == true)
        #expect(Bool.decoded([1, 0]) == nil)
    }

    @Test("Days are read within the years 1 to 9999")
    func days() {
        #expect(Day.decoded(.signed(-719_162)) == .first)
        #expect(Day.decoded(.signed(2_932_896)) == .last)
        #expect(Day.decoded(.signed(-719_163)) == nil)
        #expect(Day.decoded(.signed(2_932_897)) == nil)
        #expect(Day.decoded(.signed(.min)) == nil)
    }

    @Test("An id has 16 bytes", arguments: [1, 15, 17, 32])
    func ids(count: Int) { #expect(Trip.ID.decoded([UInt8](repeating: 1, count: count)) == nil) }

    @Test("Any number comes back from its zigzag bytes", arguments: Seeds.some(10))
    func zigzag(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for number in [Int64.min, -1, 0, 1, .max] + (0..<50).map({ _ in Int64(bitPattern: generator.next()) }) {
            let bytes = [UInt8].signed(number)
            #expect(try bytes.withUnsafeBytes { try $0.onlySigned() } == number)
        }
    }

    @Test("They are shown to people as words and local text, and to programs as JSON")
    func rendering() {
        #expect(true.text == "yes" && false.text == "no")
        #expect(true.json == .bool(true) && Bool.clearedJSON == .bool(false))
        #expect("x".text == "x" && "x".json == .string("x") && String.clearedJSON == .string(""))
        #expect(Date(milliseconds: 1_500).text == "1970-01-01T00:00:01.500Z")
        #expect(Day(2027, 5, 1).json == .string("2027-05-01") && Day.clearedJSON == .null)
        #expect(Trip.ID(Samples.uuid).text == Samples.uuidText)
        #expect(
            Samples.morning.json
                == .object([
                    "time": .string("2027-05-01T09:30:00+01:00"), "zone": .string("Europe/Lisbon"),
                    "milliseconds": .integer(1_809_160_200_000),
                ]))
        #expect(
            Money(minorUnits: 310, "EUR").json == .object(["currency": .string("EUR"), "minor": .integer(310)]))
        #expect(Money(minorUnits: 310, "EUR").text == "3.10 EUR")
        #expect(Samples.noon.text == "2027-05-01T13:00:00+02:00 Europe/Madrid")
    }
}
