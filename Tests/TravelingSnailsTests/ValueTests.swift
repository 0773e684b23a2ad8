import Foundation
import Testing

@testable import TravelingSnails

@Suite struct ValueTests {
    @Test(
        arguments: [
            ("0", 2, 0), ("-0.0", 2, 0), ("210.0", 2, 21000), ("29.849999999999998", 2, 2985), ("0.005", 2, 0),
            ("0.015", 2, 2), ("0.025", 2, 2), ("0.0250000000000000000000001", 2, 3), ("0.0249999999999999999999", 2, 2),
            ("-0.015", 2, -2), ("-12.345", 2, -1234), ("1e2", 0, 100), ("1.5E-1", 1, 2), ("12345e-2", 0, 123),
            ("0.5", 0, 0),
            ("1.5", 0, 2), ("0.51", 0, 1), ("0.05", 0, 0), ("1e-999999999999999999999", 2, 0), ("0e99999999999", 2, 0),
            ("9223372036854775807", 0, Int64.max), ("-9223372036854775808", 0, Int64.min),
            ("92233720368547758.07", 2, Int64.max), ("9223372036854775807.4999", 0, Int64.max), ("100", -2, 1),
            ("150", -2, 2),
            ("0.00000000000000000000000000001e29", 2, 100),
        ] as [(String, Int, Int64)])
    func decimalsAreCountedExactlyAndRoundedHalfToEven(text: String, digits: Int, units: Int64) throws {
        let number = try #require(DecimalNumber(text))
        #expect(try number.minorUnits(digits: digits) == units)
    }

    @Test(
        "An amount is exact in a unit but for what binary fractions lose",
        arguments: [
            ("29.85", 2985, 2, true), ("29.849999999999998", 2985, 2, true), ("29.85000", 2985, 2, true),
            ("1e2", 10_000, 2, true), ("12.345", 1234, 2, false), ("0.005", 0, 2, false), ("1500.5", 1500, 0, false),
            ("0", 0, 2, true),
            ("-3.5", -350, 2, true),
        ] as [(String, Int64, Int, Bool)])
    func exactAmounts(text: String, units: Int64, digits: Int, isExact: Bool) throws {
        #expect(try #require(DecimalNumber(text)).isExactly(minorUnits: units, digits: digits) == isExact)
    }

    @Test(arguments: [
        ("9223372036854775808", 0), ("9223372036854775807.5", 0), ("-9223372036854775809", 0), ("1e19", 0), ("1e17", 2),
        ("99999999999999999999", 0), ("18446744073709551616", 0), ("1e999999999999999999999", 2), ("1", Int.max),
    ])
    func aDecimalThatDoesNotFitIsNamed(text: String, digits: Int) throws {
        let number = try #require(DecimalNumber(text))
        let error = #expect(throws: ExportError.self) { try number.minorUnits(digits: digits) }
        #expect(error?.code == .outOfRange && error?.message.contains("\"\(text)\"") == true)
    }

    @Test(arguments: ["", "-", "01", "1.", ".1", "1e", "1e+", "+1", "1a", " 1", "1 ", "0x1", "١"])
    func whatJSONDoesNotCallANumberIsNone(text: String) { #expect(DecimalNumber(text) == nil) }

    @Test(arguments: [("0", false), ("-0", false), ("-0.00e5", false), ("-0.001", true), ("1e-5", false), ("-2", true)])
    func onlyWhatIsLessThanZeroIsNegative(text: String, isNegative: Bool) throws {
        #expect(try #require(DecimalNumber(text)).isNegative == isNegative)
    }

    private func parse(_ text: String) -> Date? {
        let bytes = Array("\"\(text)\"".utf8)
        return ISODate.parse(bytes, 1..<bytes.count - 1)
    }

    @Test func datesAgreeWithFoundationOverManyYears() throws {
        let formatter = ISO8601DateFormatter()
        var generator = Seeded(1)
        for _ in 0..<2_000 {
            let date = Date(
                timeIntervalSince1970: Double(Int.random(in: -60_000_000_000...250_000_000_000, using: &generator)))
            // Foundation counts in the Julian calendar before 1582-10-15; files do not.
            guard date > Date(timeIntervalSince1970: -12_219_292_800) else { continue }
            let text = formatter.string(from: date)
            #expect(parse(text) == date, "\(text)")
        }
    }

    @Test(arguments: [
        ("2001-01-01T00:00:00Z", 0.0), ("2000-02-29T00:00:00Z", -26_524_800), ("1970-01-01T00:00:00Z", -978_307_200),
        ("0001-01-01T00:00:00Z", -63_113_904_000), ("2001-01-01T00:00:00.25Z", 0.25), ("2001-01-01T01:30:00+01:30", 0),
        ("2000-12-31T19:00:00-0500", 0), ("2001-01-01T02:00:00+02", 0),
        ("2001-01-01T00:00:00.1234567890123456789Z", 0.123456789012345),
    ])
    func datesAreReadInEveryForm(text: String, seconds: Double) throws {
        #expect(abs(try #require(parse(text)).timeIntervalSinceReferenceDate - seconds) < 1e-9)
    }

    @Test(arguments: [
        "", "2013-01-01", "2013-01-01T00:00:00", "2013-02-30T00:00:00Z", "1900-02-29T00:00:00Z", "2013-13-01T00:00:00Z",
        "2013-00-01T00:00:00Z", "2013-01-00T00:00:00Z", "2013-04-31T00:00:00Z", "2013-01-01T24:00:00Z",
        "2013-01-01T00:60:00Z", "2013-01-01T00:00:60Z", "2013-01-01T00:00:00.Z", "2013-01-01T00:00:00ZZ",
        "2013-01-01 00:00:00Z", "2013-01-01T00:00:00+24:00", "2013-01-01T00:00:00+1", "2013-01-01T00:00:00+01:",
        "2013-01-01T00:00:00+01:60", "2013-1-01T00:00:000Z", "+2013-01-01T00:00:00Z", "２013-01-01T00:00:00Z",
    ])
    func whatIsNoDateIsNone(text: String) { #expect(parse(text) == nil) }

    private func uuid(_ text: String) -> UUID? {
        let bytes = Array("\"\(text)\"".utf8)
        return UUID.parse(bytes, 1..<bytes.count - 1)
    }

    @Test func uuidsAreReadInEitherCase() {
        for _ in 0..<200 {
            let id = UUID()
            #expect(uuid(id.uuidString) == id && uuid(id.uuidString.lowercased()) == id)
        }
    }

    @Test func anyOtherByteInAUUIDMakesItNone() {
        let text = Array("7B3298AF-b482-5131-ae16-9EA38DFD2D6F".utf8)
        for place in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[place] = byte
                let isDigit = hexDigit(byte) != nil
                let isDash = byte == UInt8(ascii: "-")
                let isValid = [8, 13, 18, 23].contains(place) ? isDash : isDigit
                #expect((UUID.parse(changed, changed.indices) != nil) == isValid, "byte \(byte) at \(place)")
            }
        }
        #expect(uuid("7B3298AF-B482-5131-AE16-9EA38DFD2D6") == nil)
        #expect(uuid("7B3298AF-B482-5131-AE16-9EA38DFD2D6F0") == nil)
    }

    @Test func everyKnownKeyIsFoundAndNothingNearIt() {
        for key in ExportKey.allCases where key != .none && key != .unknown {
            let padded = Array("  \(key.rawValue)xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".utf8)
            let count = key.rawValue.utf8.count
            #expect(KeyTable.shared.key(padded, 2..<2 + count) == key)
            #expect(KeyTable.shared.key(padded, 2..<3 + count) == .unknown)
        }
        #expect(KeyTable.shared.key([UInt8](repeating: 0, count: 64), 0..<0) == .unknown)
        #expect(KeyTable.shared.key([UInt8](repeating: 97, count: 64), 0..<30) == .unknown)
    }
}
