import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Trips as views keep them")
struct TripFilingTests {
    private func filed(_ record: EntityRecord) throws -> [UInt8] {
        try record.encoded().withUnsafeBytes { try Trip.filed(RecordView($0)) }
    }

    private static let trips = [
        Trip(name: ""), Trip(name: "Lisbon"),
        Trip(
            name: "Lisbon", destination: "Portugal", days: Day(2027, 5, 1)...Day(2027, 5, 9),
            notes: String(repeating: "long ", count: 5_000), isProtected: true,
            originalCreation: Date(timeIntervalSince1970: 12)),
    ]

    @Test("A trip comes back as it is read from its record", arguments: trips)
    func roundTrip(trip: Trip) throws {
        var record = try Records.record(of: trip)
        let edit = Event(
            verb: .edited, entity: trip.reference, changes: [Change(path: FieldPath(field: 3), value: [0x61])])
        for event in [nil, edit] {
            if let event { record.apply(event, index: 0, stamp: try Records.stamp(2_000)) }
            let found = try filed(record).withUnsafeBytes { try Trip(id: trip.id, filed: $0) }
            #expect(found == (try Records.view(id: trip.id, record)))
            #expect(found.createdAt != nil && (event == nil) == (found.updatedAt == found.createdAt))
        }
    }

    @Test("What is malformed is its field's default, as it is in the record")
    func malformed() throws {
        let id = Trip.ID.new()
        let record = try Records.record(of: id.reference, [1: [0xFF, 0x61], 4: [0xFF], 5: [], 6: [1], 7: nil])
        let found = try filed(record).withUnsafeBytes { try Trip(id: id, filed: $0) }
        #expect(found == (try Records.view(id: id, record)))
        #expect(found.startDay == nil && found.isProtected && found.name.hasSuffix("a"))
    }

    @Test("Unknown fields make no difference")
    func unknown() throws {
        let id = Trip.ID.new()
        let known: [UInt64: [UInt8]?] = [1: [0x61]]
        let extended = known.merging([900: [1, 2], 65_535: [3]]) { $1 }
        #expect(
            try filed(Records.record(of: id.reference, known)) == filed(Records.record(of: id.reference, extended)))
    }

    @Test("Bytes that are cut off are refused or hold fewer fields")
    func damage() throws {
        let bytes = try filed(Records.record(of: Self.trips[2]))
        for count in 0..<bytes.count {
            let found = try? bytes.prefix(count).withUnsafeBytes { try Trip(id: Self.trips[2].id, filed: $0) }
            #expect(found == nil || count >= 16 && found?.destination == "")
        }
    }
}
