import Events
import Foundation
import TestSupport
import Testing

@Suite("Identities and timestamps")
struct IdentityTests {
    @Test("A replica's id is ordered as its bytes are and comes back from bytes and text", arguments: Seeds.some(10))
    func replicas(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var ids: [ReplicaID] = []
        for _ in 0..<50 {
            let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let id = try #require(ReplicaID(bytes))
            #expect(id.bytes == bytes)
            #expect(ReplicaID(id.description) == id)
            ids.append(id)
        }
        let byBytes = ids.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        #expect(ids.sorted() == byBytes)
    }

    @Test("Entities are the same if their kinds and all bytes of their ids are", arguments: 0..<18)
    func entities(byte: Int) throws {
        let bytes = (0..<18).map { UInt8($0 * 7 + 1) }
        var others = bytes
        others[byte] ^= 1
        let (one, same) = (try #require(Self.entity(bytes)), try #require(Self.entity(bytes)))
        let other = try #require(Self.entity(others))
        #expect(one == same && one.hashValue == same.hashValue)
        #expect(one != other && other != one)
        #expect(Set([one, same, other]).count == 2)
    }

    private static func entity(_ bytes: [UInt8]) -> EntityReference? {
        bytes.withUnsafeBytes { EntityReference($0) }
    }

    @Test("What is no replica's id is nil", arguments: ["", "00", String(repeating: "0", count: 31) + "g"])
    func malformedReplicas(text: String) { #expect(ReplicaID(text) == nil) }

    @Test("A timestamp's date names its millisecond again", arguments: Seeds.some(10))
    func dates(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            // The years 2001 to 2100, and any timestamp in range.
            let range = Bool.random(using: &generator) ? 978_307_200_000..<4_102_444_800_000 : 0..<Timestamp.limit
            let milliseconds = UInt64.random(in: range, using: &generator)
            #expect(Timestamp(Timestamp(milliseconds: milliseconds).date) == Timestamp(milliseconds: milliseconds))
        }
    }

    @Test(
        "A date beyond the range of timestamps is its nearest end",
        arguments: [
            (-1, 0), (0, 0), (-.infinity, 0), (.nan, 0), (1e300, Timestamp.limit - 1), (.infinity, Timestamp.limit - 1),
        ] as [(Double, UInt64)])
    func farDates(seconds: Double, milliseconds: UInt64) {
        #expect(Timestamp(Date(timeIntervalSince1970: seconds)).milliseconds == milliseconds)
    }

    @Test("A timestamp is coded as its number")
    func coding() throws {
        let time = Timestamp(milliseconds: 1, counter: 2)
        #expect(try JSONEncoder().encode([time]) == Data("[65538]".utf8))
        #expect(try JSONDecoder().decode([Timestamp].self, from: Data("[65538]".utf8)) == [time])
    }

    @Test("The counter carries into the milliseconds")
    func carry() {
        let last = Timestamp(milliseconds: 5, counter: .max)
        #expect(last.successor == Timestamp(milliseconds: 6))
        #expect(last < last.successor)
    }

    @Test("A version comes back from its text, and only from its own text")
    func versionText() {
        let version = EntityVersion(events: 12, fingerprint: 0xAB)
        #expect(version.description == "12-00000000000000ab")
        #expect(EntityVersion("12-00000000000000ab") == version)
        for text in ["", "12", "12-ab", "12-+0000000000000ab", "+12-00000000000000ab", "12-00000000000000ab-", "-1-0"] {
            #expect(EntityVersion(text) == nil, "\(text)")
        }
    }
}
