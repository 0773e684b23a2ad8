import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Ids")
struct IdentifierTests {
    @Test("An id is of one kind of entity: another kind's reference yields none")
    func kinds() {
        let trip = Trip.ID(Samples.uuid)
        #expect(trip.reference == EntityReference(kind: .trip, id: Samples.uuid))
        #expect(Trip.ID(trip.reference) == trip)
        #expect(Activity.ID(trip.reference) == nil)
        #expect(Organization.ID(trip.reference) == nil)
        #expect(Lodging.ID(Activity.ID(Samples.uuid).reference) == nil)
        #expect(Transportation.ID(Samples.uuid).reference.kind == .transportation)
    }

    @Test("A fresh id is a UUID of version 7 that starts with its millisecond", arguments: Seeds.some(20))
    func versionSeven(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let milliseconds = Int64.random(in: 0..<1 << 48, using: &generator)
        let bytes = Trip.ID.new(at: Date(milliseconds: milliseconds), using: &generator).uuid.bytes
        #expect(bytes.prefix(6).reduce(0) { $0 << 8 | Int64($1) } == milliseconds)
        #expect(bytes[6] >> 4 == 7)
        #expect(bytes[8] >> 6 == 0b10)
    }

    @Test("All other bits of fresh ids are random")
    func randomness() {
        var generator = SeededGenerator(seed: 1)
        var (ones, zeros) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 16))
        for _ in 0..<200 {
            for (index, byte) in Trip.ID.new(at: Date(milliseconds: 0), using: &generator).uuid.bytes.enumerated() {
                ones[index] |= byte
                zeros[index] |= ~byte
            }
        }
        let varied = zip(ones, zeros).map { $0 & $1 }
        #expect(varied == [0, 0, 0, 0, 0, 0, 0x0F, 0xFF, 0x3F] + [UInt8](repeating: 0xFF, count: 7))
    }

    @Test("Equal clocks and equal randomness make equal ids, and unequal ones do not")
    func determinism() {
        func id(_ milliseconds: Int64, seed: UInt64) -> Trip.ID {
            var generator = SeededGenerator(seed: seed)
            return .new(at: Date(milliseconds: milliseconds), using: &generator)
        }
        #expect(id(1_000, seed: 1) == id(1_000, seed: 1))
        #expect(id(1_000, seed: 1) != id(1_001, seed: 1))
        #expect(id(1_000, seed: 1) != id(1_000, seed: 2))
        #expect(Trip.ID.new() != Trip.ID.new())
    }

    @Test("Ids of later milliseconds are greater", arguments: Seeds.some(10))
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var date = Int64(0)
        var ids: [Trip.ID] = []
        for _ in 0..<100 {
            date += .random(in: 1...1 << 40, using: &generator)
            ids.append(.new(at: Date(milliseconds: date), using: &generator))
        }
        #expect(ids == ids.shuffled(using: &generator).sorted())
    }

    @Test("Ids of any sort are ordered by their bytes", arguments: Seeds.some(10))
    func orderOfBytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let ids = try (0..<100).map { _ in
            // Few values a byte, so that the later ones decide as well.
            let bytes = (0..<16).map { _ in UInt8.random(in: 127...128, using: &generator) }
            return try #require(Trip.ID(endOf: bytes))
        }
        #expect(ids.sorted() == ids.sorted { $0.uuid.bytes.lexicographicallyPrecedes($1.uuid.bytes) })
    }

    @Test(
        "An instant beyond 48 bits of milliseconds counts as the nearest",
        arguments: [
            (-.infinity, 0), (-1, 0), (.nan, 0), (281_474_976_710.655, 1 << 48 - 1), (281_474_976_710.656, 1 << 48 - 1),
            (.infinity, 1 << 48 - 1),
        ] as [(Double, Int64)])
    func farInstants(seconds: Double, milliseconds: Int64) {
        let id = Trip.ID.new(at: Date(timeIntervalSince1970: seconds))
        #expect(id.uuid.bytes.prefix(6).reduce(0) { $0 << 8 | Int64($1) } == milliseconds)
    }

    @Test("An id comes back from its text in either case, and from JSON")
    func text() throws {
        let id = Trip.ID(Samples.uuid)
        #expect(id.description == Samples.uuidText)
        #expect(Trip.ID(Samples.uuidText) == id)
        #expect(Trip.ID(Samples.uuidText.lowercased()) == id)
        #expect(String(decoding: try JSONEncoder().encode([id]), as: UTF8.self) == "[\"\(Samples.uuidText)\"]")
        #expect(try JSONDecoder().decode([Trip.ID].self, from: Data("[\"\(Samples.uuidText)\"]".utf8)) == [id])
    }

    @Test(
        "Other text is no id",
        arguments: ["", "trip", "01020304-0506-0708-090A-0B0C0D0E0F1", "01020304-0506-0708-090A-0B0C0D0E0F1G"])
    func otherText(text: String) {
        #expect(Trip.ID(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Trip.ID].self, from: Data("[\"\(text)\"]".utf8))
        }
    }

    @Test("An id is read from the end of a key, if there is one", arguments: [0, 15, 16, 17, 40])
    func keys(length: Int) {
        let key = (0..<UInt8(length)).map { $0 }
        #expect(Trip.ID(endOf: key).map { $0.uuid.bytes } == (length < 16 ? nil : Array(key.suffix(16))))
    }
}
