import Events
import Testing

@testable import Trips

@Suite("Values that replace others")
struct RewritingTests {
    private static let later = (Money(minorUnits: 5, "EUR").encodedValue ?? []) + UnknownParts.bytes

    @Test("New bytes get the parts that only the old ones have")
    func takenOver() throws {
        let new = try #require(Money(minorUnits: 6, "USD").encodedValue)
        #expect(Money.keepingUnknownParts(of: Self.later, in: new) == new + UnknownParts.bytes)
    }

    @Test("New bytes that have unknown parts of their own keep those")
    func ownParts() throws {
        let new = try #require(Money(minorUnits: 6, "USD").encodedValue) + UnknownParts.bytes("own")
        #expect(Money.keepingUnknownParts(of: Self.later, in: new) == new)
    }

    @Test("Where nothing is taken over, the bytes stay as they came")
    func nothingTakenOver() throws {
        let old = try #require(Money(minorUnits: 5, "EUR").encodedValue)
        // A default that is written out, and fields in another order: read alike, and still kept unchanged.
        var new = WireWriter()
        new.string(2, "USD")
        new.signed(1, 0)
        #expect(Money.decoded(new.bytes) == Money(minorUnits: 0, "USD"))
        #expect(Money.keepingUnknownParts(of: old, in: new.bytes) == new.bytes)
    }

    @Test("What cannot be read is neither changed nor taken from", arguments: [[0xFF], []] as [[UInt8]])
    func malformed(bytes: [UInt8]) throws {
        let new = try #require(Money(minorUnits: 6, "USD").encodedValue)
        #expect(Money.keepingUnknownParts(of: bytes, in: new) == new)
        #expect(Money.keepingUnknownParts(of: Self.later, in: bytes) == bytes)
    }

    @Test("Plain values have no parts to take over")
    func plainValues() {
        #expect(String.keepingUnknownParts(of: [0x61], in: [0x62]) == [0x62])
        #expect(String.keepingUnknownParts(of: [0x61], in: [0xFF]) == [0xFF], "not even repaired")
        #expect(Day.keepingUnknownParts(of: [2], in: [4]) == [4])
    }
}
